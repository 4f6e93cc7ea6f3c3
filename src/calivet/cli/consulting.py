"""causes and explain: what calivet knows."""

from __future__ import annotations

import argparse
import sys

import msgspec

from calivet.catalogue.words import Words
from calivet.cli.exits import CalivetError
from calivet.cli.knowledge import known_causes
from calivet.cli.program import called


def run_causes(options: argparse.Namespace) -> int:
    """`calivet causes`."""
    from calivet.reports.labels import label
    from calivet.reports.wrapping import padded

    catalogue = known_causes(options.causes)
    causes = sorted(catalogue.causes.values(), key=lambda cause: (cause.layer, cause.id))
    if options.output == "json":
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(causes), indent=2) + b"\n")
        return 0
    room = max(len(cause.id) for cause in causes)
    layer = ""
    for cause in causes:
        if cause.layer != layer:
            print(("\n" if layer else "") + label(f"layer.{cause.layer}", options.lang))
            layer = cause.layer
        print(f"  {padded(cause.id, room)}  {cause.title.read(options.lang)}")
    return 0


def run_explain(options: argparse.Namespace) -> int:
    """`calivet explain CAUSE`."""
    from calivet.reports.page import cause_page

    catalogue = known_causes(options.causes)
    cause = catalogue.causes.get(options.cause)
    if cause is None:
        unknown = Words("there is no cause named {name}", "没有名为 {name} 的原因").fill({"name": options.cause})
        raise CalivetError(unknown.read(options.lang) + _nearest(options.cause, list(catalogue.causes), options.lang))
    print(cause_page(cause, catalogue, options.lang), end="")
    return 0


def _nearest(name: str, known: list[str], language: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=3)
    if not near:
        return Words(f"; '{called()} causes' lists them", f"；'{called()} causes' 可列出全部").read(language)
    return Words(f"; did you mean {' or '.join(near)}?", f"；是否指 {'、'.join(near)}？").read(language)
