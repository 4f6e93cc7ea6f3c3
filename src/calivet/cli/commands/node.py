"""node: look at the machine that calivet runs on and diagnose it on the spot, or print the script for another one."""

from __future__ import annotations

import argparse
import sys

from calivet.cli.commands.diagnose import print_diagnosis
from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.invocation import find_program_name
from calivet.cli.parsing.options import add_answer_options, parse_seconds
from calivet.cli.terminal.output import print_text, tell
from calivet.messages.message import message, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The script alone, or how long it may take."""
    parser.add_argument("--print-script", action="store_true", help="help.script")
    parser.add_argument("--root", metavar="DIR", help="help.node.root")
    parser.add_argument(
        "--timeout",
        "--total",
        dest="total",
        type=parse_seconds,
        default=120.0,
        metavar="TIME",
        help="help.node.timeout",
    )
    add_answer_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet node [--print-script]`."""
    from calivet.node.running import probe_here, read_script

    if options.print_script:
        print_text(read_script())
        return HEALTHY
    if not sys.platform.startswith("linux"):
        raise CalivetError(message("cli.node.not_linux", program=find_program_name()))
    from calivet.evidence.gather import gather

    tell(f"calivet: {say('cli.node.looking', options.lang, seconds=f'{options.total:.0f}')}\n")
    probed = probe_here(options.total, options.root)
    evidence = gather([], more=[probed.document] if probed.document else [])
    evidence.unreadable += [probed.failure] if probed.failure else []
    return print_diagnosis(evidence, options)
