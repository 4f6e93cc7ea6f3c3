"""demo: an embedded incident, diagnosed as any evidence would be."""

from __future__ import annotations

import argparse
from pathlib import Path

from calivet.cli.commands.diagnose import print_diagnosis
from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.inputs.evidence import gather_evidence
from calivet.cli.invocation import find_program_name
from calivet.cli.parsing.options import add_answer_options
from calivet.cli.terminal.output import make_layout, print_text, tell
from calivet.messages.message import message, say

DEMOS = Path(__file__).parents[2] / "demos"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which incident."""
    parser.add_argument("incident", nargs="?", help="help.demo.which")
    parser.add_argument("--list", action="store_true", help="help.demo.list")
    add_answer_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet demo [INCIDENT]`."""
    titles = {name: title[options.lang] for name, title in read_titles().items()}
    if options.list:
        _print_titles(titles, options)
        return HEALTHY
    name = options.incident or next(iter(titles))
    if name not in titles:
        raise CalivetError(message("cli.diagnose.unknown", name=name, known=", ".join(titles)))
    if options.output == "text":
        tell("\n".join(make_layout(options).indent(f"{name}: {titles[name]}", 0)) + "\n\n")
    code = print_diagnosis(gather_evidence([str(DEMOS / name / "evidence")], options), options)
    if options.output == "text" and not options.incident:
        tell(f"\n{say('cli.diagnose.more', options.lang)}: {find_program_name()} demo --list\n")
    return code


def read_titles() -> dict[str, dict[str, str]]:
    """The embedded incidents by name, in both languages."""
    import msgspec

    return msgspec.json.decode((DEMOS / "titles.json").read_bytes(), type=dict[str, dict[str, str]])


def _print_titles(titles: dict[str, str], options: argparse.Namespace) -> None:
    room = max(len(name) for name in titles) + 2
    for name, title in titles.items():
        print_text("\n".join(make_layout(options).label_lines(name, room, title)) + "\n")
