"""fleet report: what the tables of `fleet` tell."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.commands.fleet import use_tables
from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.inputs.knowledge import load_causes
from calivet.cli.parsing.options import add_common_options, add_output_option, add_terminal_options
from calivet.cli.terminal.output import make_layout, print_answer
from calivet.messages.message import message

if TYPE_CHECKING:
    from calivet.contract.fleet import Summary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file of tables."""
    parser.add_argument("file", metavar="FILE", help="help.table")
    add_output_option(parser, "text", "json", "md", "html", "prom")
    add_terminal_options(parser)
    add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet fleet report FILE`."""
    from calivet.fleet.queries import summarize_file

    if not Path(options.file).exists():
        raise CalivetError(message("cli.fleet.no_such", path=options.file))
    with use_tables(options.file):
        summary = summarize_file(Path(options.file))
    print_answer(_render(summary, options), options)
    return HEALTHY


def _render(summary: Summary, options: argparse.Namespace) -> str:
    titles = {cause.id: cause.title for cause in load_causes(options.causes).causes.values()}
    if options.output == "json":
        from calivet.reports.fleet import encode_fleet

        return encode_fleet(summary)
    if options.output == "html":
        from calivet.reports.fleet_page import to_fleet_page

        return to_fleet_page(summary, titles, options.lang)
    if options.output == "prom":
        from calivet.reports.fleet import to_fleet_metrics

        return to_fleet_metrics(summary, options.lang)
    from calivet.reports.fleet import write_fleet, write_fleet_markdown

    if options.output == "md":
        return write_fleet_markdown(summary, titles, options.lang)
    return write_fleet(summary, titles, make_layout(options))
