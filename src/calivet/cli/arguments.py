"""The command line."""

from __future__ import annotations

import argparse
import os
from functools import cache
from typing import Any, NoReturn

from calivet import __version__
from calivet.cli import options, quantities
from calivet.cli.commands import COMMANDS
from calivet.cli.exits import USAGE


class Formatter(argparse.HelpFormatter):
    """As wide as the terminal, which argparse would ask anew for each option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width())


@cache
def _width() -> int:
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns) - 2
    except (OSError, ValueError):
        return 78


class Parser(argparse.ArgumentParser):
    """Usage errors have an exit code of their own, and help has the reader's language."""

    language = "en"

    def __init__(self, **settings: Any) -> None:
        """With the formatter of this program."""
        super().__init__(**{"formatter_class": Formatter, **settings})

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on."""
        from calivet.cli.usage_errors import usage_error

        self.exit(USAGE, f"{self.prog}: {usage_error(message, self.prog, self.language)}\n")


def parser(program: str = "calivet", language: str = "en", only: str = "") -> argparse.ArgumentParser:
    """All commands and their options, explained in this language; where one is named, that one and those like it."""
    top = Parser(
        prog=program,
        description="Why calico-node does not start, is not ready or does not carry traffic, and what to do about it. "
        "Without a command: diagnose the cluster of the current kubeconfig context.",
        epilog="Exit codes: 0 healthy, 1 fault found, 2 cannot tell, 3 calivet itself failed, 64 wrong usage.",
    )
    top.add_argument("--version", action="version", version=f"calivet {__version__}")
    commands = top.add_subparsers(prog=program, dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for names, add in _GROUPS.items():
        if only in names or only not in COMMANDS:
            add(commands)
    if language == "zh":
        from calivet.cli.chinese_help import translate

        translate(top)
    return top


def _diagnosing(commands: argparse._SubParsersAction[Parser]) -> None:
    diagnose = commands.add_parser(
        "diagnose", help="name the root cause: of a live cluster, or from files and archives"
    )
    diagnose.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="file, directory, archive (tar, tar.gz, tar.zst, zip) or '-'; none: ask the cluster",
    )
    options.answer(diagnose)
    options.cluster(diagnose)
    options.nodes(diagnose)


def _inspecting(commands: argparse._SubParsersAction[Parser]) -> None:
    node = commands.add_parser("node", help="look at the machine calivet runs on and diagnose it on the spot")
    node.add_argument("--print-script", action="store_true", help="print the script to run on another node by hand")
    node.add_argument(
        "--total", type=quantities.seconds, default=120.0, metavar="TIME", help="for the whole look (default: 120s)"
    )
    options.answer(node)


def _showing(commands: argparse._SubParsersAction[Parser]) -> None:
    demo = commands.add_parser("demo", help="diagnose a built-in incident, or list them")
    demo.add_argument("incident", nargs="?", help="which one")
    demo.add_argument("--list", action="store_true", help="list the incidents")
    options.answer(demo)


def _comparing(commands: argparse._SubParsersAction[Parser]) -> None:
    diff = commands.add_parser(
        "diff",
        help="compare two diagnoses: what is fixed, what is new, what remains",
        epilog="Exit codes: 0 NEW is healthy, 1 NEW has a fault, new or remaining, 2 NEW does not tell, "
        "3 calivet itself failed, 64 wrong usage.",
    )
    what = "a diagnosis (JSON of 'diagnose -o json'), a bundle, a file or directory of evidence, or '-'"
    diff.add_argument("old", metavar="OLD", help=what)
    diff.add_argument("new", metavar="NEW", help=what)
    options.output(diff, "text", "json", "md")
    options.terminal(diff)
    options.common(diff)


def _forecasting(commands: argparse._SubParsersAction[Parser]) -> None:
    whatif = commands.add_parser("whatif", help="compute what a change of Calico's settings would do to every node")
    whatif.add_argument(
        "asked",
        nargs="+",
        metavar="KEY=VALUE|PATH",
        help="changes, as IP_AUTODETECTION_METHOD=cidr=10.0.0.0/24; then files as for diagnose; none: ask the cluster",
    )
    options.output(whatif, "text", "json")
    whatif.add_argument("-v", "--verbose", action="store_true", help="also how each node's address was chosen")
    options.terminal(whatif)
    options.common(whatif)
    options.cluster(whatif)
    options.nodes(whatif)


def _checking(commands: argparse._SubParsersAction[Parser]) -> None:
    preflight = commands.add_parser("preflight", help="check what would stop Calico on a node, before it is put there")
    preflight.add_argument(
        "paths", nargs="*", metavar="PATH", help="a probe's output or a bundle; none: this machine, or those of --ssh"
    )
    options.output(preflight, "text", "json")
    preflight.add_argument("-v", "--verbose", action="store_true", help="also a line for each check that passes")
    options.terminal(preflight)
    options.common(preflight)
    options.cluster(preflight)
    options.nodes(preflight)


def _asking(commands: argparse._SubParsersAction[Parser]) -> None:
    status = commands.add_parser("status", help="show on one screen how each part of a live cluster is")
    status.add_argument("--watch", action="store_true", help="go on, refresh the screen and mark what changed")
    status.add_argument(
        "--every", type=quantities.seconds, default=5.0, metavar="TIME", help="how often to look (default: 5s)"
    )
    status.add_argument(
        "--wait", type=quantities.seconds, metavar="TIME", help="return when healthy, or after this long"
    )
    options.terminal(status)
    options.common(status)
    options.cluster(status)
    collect = commands.add_parser("collect", help="write what a diagnosis reads to a bundle, secrets replaced")
    collect.add_argument("-o", "--output", metavar="FILE.tar.gz", help="where to write (default: named by time)")
    collect.add_argument("--anonymize", action="store_true", help="also replace host names and addresses")
    options.common(collect)
    options.cluster(collect)
    options.nodes(collect)
    access = commands.add_parser("access", help="show what the current user may read and what is lost without")
    access.add_argument("--role", action="store_true", help="print the ClusterRole that a full diagnosis needs")
    options.output(access, "text", "json")
    options.common(access)
    options.connection(access)


def _consulting(commands: argparse._SubParsersAction[Parser]) -> None:
    causes = commands.add_parser("causes", help="list the causes calivet knows")
    options.output(causes, "text", "json")
    options.common(causes)
    explain = commands.add_parser("explain", help="print a cause's page")
    explain.add_argument("cause", metavar="CAUSE")
    options.common(explain)
    evaluate = commands.add_parser("eval", help="run labelled cases and print how often the answer is right")
    evaluate.add_argument("directory", metavar="DIR")
    options.output(evaluate, "text", "json")
    options.scale(evaluate)
    options.common(evaluate)


def _surveying(commands: argparse._SubParsersAction[Parser]) -> None:
    fleet = commands.add_parser("fleet", help="diagnose many bundles into a file that SQL reads")
    fleet.add_argument("paths", nargs="+", metavar="PATH", help="bundles, and directories of bundles or case folders")
    fleet.add_argument(
        "-o",
        "--output",
        required=True,
        type=quantities.table_file,
        metavar="FILE.duckdb",
        help="a DuckDB file, or for Parquet a directory FILE.parquet; what it holds already is not done again",
    )
    options.scale(fleet)
    options.common(fleet)
    report = commands.add_parser(
        "fleet-report", help="show which causes hit how many clusters and versions; also 'fleet report'"
    )
    report.add_argument("file", metavar="FILE", help="what 'fleet' wrote")
    options.output(report, "text", "json", "md")
    options.terminal(report)
    options.common(report)


def _completing(commands: argparse._SubParsersAction[Parser]) -> None:
    completion = commands.add_parser("completion", help="print the completion script of a shell, or of kubectl")
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "kubectl"))
    complete = commands.add_parser("__complete")  # the shells ask it; without help it is not listed
    complete.add_argument("words", nargs="*", metavar="WORD")


_GROUPS = {
    ("diagnose",): _diagnosing,
    ("node",): _inspecting,
    ("demo",): _showing,
    ("diff",): _comparing,
    ("whatif",): _forecasting,
    ("preflight",): _checking,
    ("status", "collect", "access"): _asking,
    ("causes", "explain", "eval"): _consulting,
    ("fleet", "fleet-report"): _surveying,
    ("completion", "__complete"): _completing,
}
