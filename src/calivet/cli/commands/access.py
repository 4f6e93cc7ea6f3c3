"""access: what the current user may read, and what each missing permission costs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from calivet.cli.exits import CANNOT_TELL, HEALTHY, CalivetError
from calivet.cli.inputs.cluster import open_connection
from calivet.cli.inputs.knowledge import load_causes
from calivet.cli.invocation import find_program_name
from calivet.cli.parsing.options import add_common_options, add_connection_options, add_output_option
from calivet.cli.terminal.output import print_json, print_text
from calivet.messages.message import message, say

if TYPE_CHECKING:
    from calivet.live.needs import Need
    from calivet.live.permissions import Permission

SHOWN = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who asks which cluster."""
    parser.add_argument("--role", nargs="?", const="read", choices=("read", "fix"), help="help.role")
    parser.add_argument("cause", nargs="*", metavar="CAUSE", help="help.role.cause")
    add_output_option(parser, "text", "json")
    add_common_options(parser)
    add_connection_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet access [--role [fix CAUSE...]]`: 0 where all may be read, 2 where something is missing."""
    from calivet.live.permissions import find_missing, write_role
    from calivet.live.trouble import Trouble

    if options.role:
        print_text(_write_fix_role(options) if options.role == "fix" else write_role())
        return HEALTHY
    try:
        found = find_missing(open_connection(options))
    except Trouble as trouble:
        raise CalivetError(trouble.message) from None
    complete = not any(lacking for _, lacking in found)
    if options.output == "json":
        _print_json(found, options.lang)
    else:
        for need, lacking in found:
            _print_need(need, lacking, options.lang)
        told = message("cli.access.all") if complete else message("cli.access.grant", program=find_program_name())
        print_text("\n" + told.read(options.lang) + "\n")
    return HEALTHY if complete else CANNOT_TELL


def _write_fix_role(options: argparse.Namespace) -> str:
    from calivet.fix.role import write_fix_role

    catalogue = load_causes(options.causes)
    if unknown := next((name for name in options.cause if name not in catalogue.causes), None):
        raise CalivetError(message("cli.explain.unknown", name=unknown, program=find_program_name()))
    return write_fix_role(catalogue, options.cause)


def _print_json(found: list[tuple[Need, list[Permission]]], language: str) -> None:
    import msgspec

    tree = [
        {
            "resources": list(need.resources),
            "missing": [one.format_for_kubectl() for one in lacking],
            "loses": need.loses.read(language),
        }
        for need, lacking in found
    ]
    print_json(msgspec.json.format(msgspec.json.encode({"access": tree}), indent=2) + b"\n")


def _print_need(need: Need, lacking: list[Permission], language: str) -> None:
    print_text(f"{'✗' if lacking else '✓'} {_shorten_list(need.resources)}\n")
    if lacking:
        missing = _shorten_list([one.format_for_kubectl() for one in lacking])
        print_text(f"    {say('cli.access.lacks', language)}: {missing}" + "\n")
        print_text(f"    {say('cli.access.loses', language)}: {need.loses.read(language)}" + "\n")


def _shorten_list(words: Sequence[str]) -> str:
    """A line that can be read at a glance; JSON has them all."""
    more = f" (+{len(words) - SHOWN})" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
