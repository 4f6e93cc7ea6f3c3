"""The options that commands share."""

from __future__ import annotations

import argparse

from calivet.cli import quantities
from calivet.cli.speaking import LANGUAGES, of_system

FORMATS = ("text", "html", "json", "md", "junit", "sarif", "prom")


def answer(command: argparse.ArgumentParser) -> None:
    """How a diagnosis is written."""
    output(command, *FORMATS)
    command.add_argument("-v", "--verbose", action="store_true", help="also what was recognised, and weaker candidates")
    terminal(command)
    common(command)


def output(command: argparse.ArgumentParser, *formats: str) -> None:
    """The formats to choose from."""
    command.add_argument(
        "-o",
        "--output",
        type=quantities.output,
        choices=formats,
        default="text",
        metavar="FORMAT",
        help="how to write the answer: %(choices)s (default: text)",
    )


def terminal(command: argparse.ArgumentParser) -> None:
    """How wide, and whether in colour."""
    command.add_argument(
        "--width", type=quantities.columns, metavar="N", help="columns to write to (default: the terminal's)"
    )
    command.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours (default: on a terminal)"
    )
    command.add_argument(
        "--no-color", action="store_const", dest="color", const="never", default="auto", help="as --color never"
    )


def common(command: argparse.ArgumentParser) -> None:
    """What every command takes."""
    command.add_argument("--lang", choices=LANGUAGES, default=of_system(), help="language (default: from LANG)")
    command.add_argument("--causes", metavar="DIR", help="a directory with cause files of your own")


def scale(command: argparse.ArgumentParser) -> None:
    """Where much work is done."""
    command.add_argument("--jobs", type=quantities.count, metavar="N", help="worker processes (default: one a core)")
    command.add_argument(
        "--engine",
        choices=("local", "ray", "dask"),
        default="local",
        help="where they run: this machine, or a cluster of Ray or Dask (default: local)",
    )
    command.add_argument(
        "--address", metavar="ADDRESS", help="the cluster of Ray or Dask (default: a small one started here)"
    )


def cluster(command: argparse.ArgumentParser) -> None:
    """What to ask of a cluster."""
    command.add_argument("--node", action="append", default=[], metavar="NAME", help="this node alone (repeatable)")
    command.add_argument(
        "--since", type=quantities.whole_seconds, metavar="TIME", help="only logs newer than this: 30m, 2h, 1d"
    )
    connection(command)


def nodes(command: argparse.ArgumentParser) -> None:
    """Nodes that are asked over ssh."""
    group = command.add_argument_group("the nodes themselves, by your own ssh settings, keys and known hosts")
    group.add_argument(
        "--ssh",
        action="extend",
        nargs="+",
        default=[],
        type=quantities.login,
        metavar="NODE",
        help="ask these machines too: [USER@]NODE",
    )
    group.add_argument("--ssh-all", action="store_true", help="ask every node of the cluster; of many, the sick ones")
    group.add_argument(
        "--ssh-user", type=quantities.user, metavar="USER", help="who to be there (default: as ssh decides)"
    )
    group.add_argument(
        "--ssh-sudo", choices=("auto", "never"), default="auto", help="become root, if without a password"
    )
    group.add_argument(
        "--ssh-timeout", type=quantities.seconds, default=60.0, metavar="TIME", help="for each node (default: 60s)"
    )
    group.add_argument(
        "--ssh-parallel", type=quantities.count, default=16, metavar="N", help="nodes at once (default: 16)"
    )


def connection(command: argparse.ArgumentParser) -> None:
    """Which cluster, and as whom."""
    group = command.add_argument_group("the cluster, as for kubectl")
    group.add_argument("--kubeconfig", metavar="FILE", help="default: $KUBECONFIG or ~/.kube/config")
    group.add_argument("--context", metavar="CONTEXT", help="default: the current one")
    group.add_argument("--request-timeout", type=quantities.seconds, default=20.0, metavar="TIME", help="default: 20s")
    group.add_argument("--as", dest="impersonate", metavar="USER", help="act as this user")
    group.add_argument("--as-group", action="append", default=[], dest="groups", metavar="GROUP", help="and groups")
