"""The command line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from calivet import __version__
from calivet.cli.exits import USAGE
from calivet.cli.quantities import columns, count, login, seconds, user, whole_seconds

FORMATS = ("text", "json", "md")
COMMANDS = {
    "diagnose": ("answering", "run_diagnose"),
    "node": ("inspecting", "run_node"),
    "demo": ("answering", "run_demo"),
    "whatif": ("forecasting", "run_whatif"),
    "preflight": ("checking", "run_preflight"),
    "status": ("watching", "run_status"),
    "collect": ("bundling", "run_collect"),
    "access": ("permitting", "run_access"),
    "causes": ("consulting", "run_causes"),
    "explain": ("consulting", "run_explain"),
    "eval": ("consulting", "run_eval"),
    "completion": ("completing", "run_completion"),
    "__complete": ("completing", "run_complete"),
}
"""The module and function behind each command; imported only when it is called."""
_OWN_OPTIONS = ("-h", "--help", "--version")


class Parser(argparse.ArgumentParser):
    """Usage errors have an exit code of their own."""

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on."""
        self.exit(USAGE, f"{self.prog}: {message} (try '{self.prog} --help')\n")


def with_command(arguments: Sequence[str]) -> list[str]:
    """`calivet`, `calivet --context X` and `calivet FILE` are short for `calivet diagnose ...`."""
    first = next(iter(arguments), "-")
    option = first.startswith("-") and first not in _OWN_OPTIONS
    file = first not in COMMANDS and (os.sep in first or Path(first).is_file())
    return ["diagnose", *arguments] if option or file else list(arguments)


def parser(program: str = "calivet") -> argparse.ArgumentParser:
    """All commands and their options."""
    top = Parser(
        prog=program,
        description="Why calico-node does not start, is not ready or does not carry traffic, and what to do about it. "
        "Without a command: diagnose the cluster of the current kubeconfig context.",
        epilog="Exit codes: 0 healthy, 1 fault found, 2 cannot tell, 3 calivet itself failed, 64 wrong usage.",
    )
    top.add_argument("--version", action="version", version=f"calivet {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    _diagnosing(commands)
    _forecasting(commands)
    _checking(commands)
    _asking(commands)
    _consulting(commands)
    _completing(commands)
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
    _answer(diagnose)
    _cluster(diagnose)
    _nodes(diagnose)
    node = commands.add_parser("node", help="look at the machine calivet runs on and diagnose it on the spot")
    node.add_argument("--print-script", action="store_true", help="print the script to run on another node by hand")
    node.add_argument("--total", type=seconds, default=120.0, metavar="TIME", help="for the whole look (default: 120s)")
    _answer(node)
    demo = commands.add_parser("demo", help="diagnose a built-in incident, or list them")
    demo.add_argument("incident", nargs="?", help="which one")
    demo.add_argument("--list", action="store_true", help="list the incidents")
    _answer(demo)


def _forecasting(commands: argparse._SubParsersAction[Parser]) -> None:
    whatif = commands.add_parser("whatif", help="compute what a change of Calico's settings would do to every node")
    whatif.add_argument(
        "asked",
        nargs="+",
        metavar="KEY=VALUE|PATH",
        help="changes, as IP_AUTODETECTION_METHOD=cidr=10.0.0.0/24; then files as for diagnose; none: ask the cluster",
    )
    whatif.add_argument("-o", "--output", choices=("text", "json"), default="text")
    whatif.add_argument("-v", "--verbose", action="store_true", help="also how each node's address was chosen")
    whatif.add_argument("--width", type=columns, help="columns to write to (default: the terminal's)")
    _common(whatif)
    _cluster(whatif)
    _nodes(whatif)


def _checking(commands: argparse._SubParsersAction[Parser]) -> None:
    preflight = commands.add_parser("preflight", help="check what would stop Calico on a node, before it is put there")
    preflight.add_argument(
        "paths", nargs="*", metavar="PATH", help="a probe's output or a bundle; none: this machine, or those of --ssh"
    )
    preflight.add_argument("-o", "--output", choices=("text", "json"), default="text")
    preflight.add_argument("-v", "--verbose", action="store_true", help="also a line for each check that passes")
    preflight.add_argument("--width", type=columns, help="columns to write to (default: the terminal's)")
    _common(preflight)
    _cluster(preflight)
    _nodes(preflight)


def _asking(commands: argparse._SubParsersAction[Parser]) -> None:
    status = commands.add_parser("status", help="show on one screen how each part of a live cluster is")
    status.add_argument("--watch", action="store_true", help="go on, refresh the screen and mark what changed")
    status.add_argument("--every", type=seconds, default=5.0, metavar="TIME", help="how often to look (default: 5s)")
    status.add_argument("--wait", type=seconds, metavar="TIME", help="return when healthy, or after this long")
    _common(status)
    _cluster(status)
    collect = commands.add_parser("collect", help="write what a diagnosis reads to a bundle, secrets replaced")
    collect.add_argument("-o", "--output", metavar="FILE.tar.gz", help="where to write (default: named by time)")
    collect.add_argument("--anonymize", action="store_true", help="also replace host names and addresses")
    _common(collect)
    _cluster(collect)
    _nodes(collect)
    access = commands.add_parser("access", help="show what the current user may read and what is lost without")
    access.add_argument("--role", action="store_true", help="print the ClusterRole that a full diagnosis needs")
    access.add_argument("-o", "--output", choices=("text", "json"), default="text")
    _common(access)
    _connection(access)


def _consulting(commands: argparse._SubParsersAction[Parser]) -> None:
    causes = commands.add_parser("causes", help="list the causes calivet knows")
    causes.add_argument("-o", "--output", choices=("text", "json"), default="text")
    _common(causes)
    explain = commands.add_parser("explain", help="print a cause's page")
    explain.add_argument("cause", metavar="CAUSE")
    _common(explain)
    evaluate = commands.add_parser("eval", help="run labelled cases and print how often the answer is right")
    evaluate.add_argument("directory", metavar="DIR")
    evaluate.add_argument("-o", "--output", choices=("text", "json"), default="text")
    _common(evaluate)


def _completing(commands: argparse._SubParsersAction[Parser]) -> None:
    completion = commands.add_parser("completion", help="print the completion script of a shell, or of kubectl")
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "kubectl"))
    complete = commands.add_parser("__complete")  # the shells ask it; without help it is not listed
    complete.add_argument("words", nargs="*", metavar="WORD")


def _answer(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", choices=FORMATS, default="text", help="how to write the answer (default: text)"
    )
    command.add_argument("-v", "--verbose", action="store_true", help="also what was recognised, and weaker candidates")
    command.add_argument("--width", type=columns, help="columns to write to (default: the terminal's)")
    _common(command)


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--lang", choices=("en", "zh"), default=_language(), help="language (default: from LANG)")
    command.add_argument("--causes", metavar="DIR", help="a directory with cause files of your own")


def _cluster(command: argparse.ArgumentParser) -> None:
    command.add_argument("--node", action="append", default=[], metavar="NAME", help="this node alone (repeatable)")
    command.add_argument("--since", type=whole_seconds, metavar="TIME", help="only logs newer than this: 30m, 2h, 1d")
    _connection(command)


def _nodes(command: argparse.ArgumentParser) -> None:
    nodes = command.add_argument_group("the nodes themselves, by your own ssh settings, keys and known hosts")
    nodes.add_argument(
        "--ssh",
        action="extend",
        nargs="+",
        default=[],
        type=login,
        metavar="NODE",
        help="ask these machines too: [USER@]NODE",
    )
    nodes.add_argument("--ssh-all", action="store_true", help="ask every node of the cluster; of many, the sick ones")
    nodes.add_argument("--ssh-user", type=user, metavar="USER", help="who to be there (default: as ssh decides)")
    nodes.add_argument(
        "--ssh-sudo", choices=("auto", "never"), default="auto", help="become root, if without a password"
    )
    nodes.add_argument("--ssh-timeout", type=seconds, default=60.0, metavar="TIME", help="for each node (default: 60s)")
    nodes.add_argument("--ssh-parallel", type=count, default=16, metavar="N", help="nodes at once (default: 16)")


def _connection(command: argparse.ArgumentParser) -> None:
    cluster = command.add_argument_group("the cluster, as for kubectl")
    cluster.add_argument("--kubeconfig", metavar="FILE", help="default: $KUBECONFIG or ~/.kube/config")
    cluster.add_argument("--context", metavar="CONTEXT", help="default: the current one")
    cluster.add_argument("--request-timeout", type=seconds, default=20.0, metavar="TIME", help="default: 20s")
    cluster.add_argument("--as", dest="impersonate", metavar="USER", help="act as this user")
    cluster.add_argument("--as-group", action="append", default=[], dest="groups", metavar="GROUP", help="and groups")


def _language() -> str:
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if spoken.lower().startswith("zh") else "en"
