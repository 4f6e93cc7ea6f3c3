"""causes: the list of what calivet can find, by layer."""

from __future__ import annotations

import argparse

from calivet.cli.exits import HEALTHY
from calivet.cli.inputs.knowledge import load_causes
from calivet.cli.parsing.options import add_common_options, add_output_option
from calivet.cli.terminal.output import print_json, print_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How the list is written."""
    add_output_option(parser, "text", "json")
    add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet causes`."""
    import msgspec

    from calivet.reports.layout.wording import label
    from calivet.reports.layout.wrapping import pad_text

    catalogue = load_causes(options.causes)
    causes = sorted(catalogue.causes.values(), key=lambda cause: (cause.layer, cause.id))
    if options.output == "json":
        print_json(msgspec.json.format(msgspec.json.encode(causes), indent=2) + b"\n")
        return HEALTHY
    room = max(len(cause.id) for cause in causes)
    layer = ""
    for cause in causes:
        if cause.layer != layer:
            print_text(("\n" if layer else "") + label(f"layer.{cause.layer}", options.lang) + "\n")
            layer = cause.layer
        print_text(f"  {pad_text(cause.id, room)}  {cause.title.read(options.lang)}" + "\n")
    return HEALTHY
