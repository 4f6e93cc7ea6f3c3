"""collect: the live cluster to a bundle, with its secrets replaced."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from calivet.cli.exits import HEALTHY
from calivet.cli.inputs.evidence import check_target, save_bundle
from calivet.cli.parsing.options import add_cluster_options, add_common_options, add_ssh_options, parse_bundle_file
from calivet.cli.terminal.output import clean_message, print_text, tell
from calivet.messages.command_line import quote
from calivet.messages.message import say

NAMES = ("name", "address")
"""What is replaced only where it is asked for; all else are secrets."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, and of which cluster."""
    parser.add_argument("-o", "--output", type=parse_bundle_file, metavar="FILE.tar.gz", help="help.collect.output")
    parser.add_argument("--force", action="store_true", help="help.collect.force")
    parser.add_argument(
        "--print-script", nargs="?", const="sh", choices=("sh", "powershell"), help="help.collect.script"
    )
    parser.add_argument("--anonymize", action="store_true", help="help.anonymize")
    add_common_options(parser)
    add_cluster_options(parser)
    add_ssh_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet collect [-o FILE.tar.gz]`."""
    if options.print_script:
        from calivet.live.writing import write_script

        print_text(write_script(options.print_script))
        return HEALTHY
    from calivet.cli.inputs.ssh_nodes import collect_with_nodes
    from calivet.redaction.redactor import Redactor

    if options.output:
        check_target(Path(options.output), is_forced=options.force)
    collected = collect_with_nodes(options)
    redactor = Redactor(anonymize=options.anonymize, names=collected.node_names)
    path = Path(options.output or f"calivet-{datetime.fromisoformat(collected.started):%Y%m%d-%H%M%S}.tar.gz")
    save_bundle(path, collected, redactor)
    names = sum(item.count for item in redactor.replaced if item.kind in NAMES)
    secrets = sum(item.count for item in redactor.replaced) - names
    figures = {
        "path": str(path),
        "documents": str(len(collected.documents)),
        "size": f"{path.stat().st_size / 1024:,.0f}",
        "failed": str(len(collected.failed)),
        "secrets": f"{secrets:,}",
        "names": f"{names:,}",
    }
    key = "cli.collect.written.names" if options.anonymize else "cli.collect.written"
    print_text(clean_message(say(key, options.lang, **figures)) + "\n")
    tell(clean_message(say("cli.collect.next", options.lang, path=quote(str(path)))) + "\n")
    return HEALTHY
