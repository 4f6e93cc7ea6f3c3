"""The options that commands share, and the time limit that some of them set."""

from __future__ import annotations

import argparse
import time

from calivet.cli.invocation import LANGUAGES, find_system_language
from calivet.cli.parsing import quantities
from calivet.reports.diagnosis.formats import FORMATS

ASKING_SECONDS = 600.0
"""For a cluster and its nodes, where the operator says nothing."""


def add_answer_options(parser: argparse.ArgumentParser) -> None:
    """How a diagnosis is written."""
    add_output_option(parser, *FORMATS)
    parser.add_argument("-v", "--verbose", action="store_true", help="help.verbose")
    parser.add_argument("--brief", action="store_true", help="help.brief")
    add_terminal_options(parser)
    add_common_options(parser)


def add_output_option(parser: argparse.ArgumentParser, *formats: str) -> None:
    """The formats to choose from; the first is the default."""
    parser.add_argument(
        "-o",
        "--output",
        type=quantities.parse_format,
        choices=formats,
        default=formats[0],
        metavar="FORMAT",
        help="help.output",
    )


def add_terminal_options(parser: argparse.ArgumentParser) -> None:
    """How wide, and whether in colour."""
    parser.add_argument("--width", type=quantities.parse_columns, metavar="N", help="help.width")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="help.color")
    parser.add_argument(
        "--no-color", action="store_const", dest="color", const="never", default="auto", help="help.no_color"
    )


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """What every command takes."""
    parser.add_argument("--lang", choices=LANGUAGES, default=find_system_language(), help="help.lang")
    parser.add_argument("--causes", metavar="DIR", help="help.own_causes")


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Where much work is done, and what a part of it may cost."""
    from calivet.engines.engine import Limits

    limits = Limits()
    parser.add_argument("--jobs", type=quantities.parse_count, metavar="N", help="help.jobs")
    parser.add_argument("--engine", choices=("local", "ray", "dask"), default="local", help="help.engine")
    parser.add_argument("--address", metavar="ADDRESS", help="help.address")
    parser.add_argument(
        "--bundle-timeout",
        type=quantities.parse_seconds,
        default=limits.seconds,
        metavar="TIME",
        help="help.bundle_timeout",
    )
    parser.add_argument(
        "--bundle-memory",
        type=quantities.parse_memory,
        default=limits.memory,
        metavar="SIZE",
        help="help.bundle_memory",
    )


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """What to ask of a cluster."""
    parser.add_argument("--node", action="append", default=[], metavar="NAME", help="help.node.only")
    parser.add_argument("--since", type=quantities.parse_whole_seconds, metavar="TIME", help="help.since")
    parser.add_argument("--timeout", type=quantities.parse_seconds, metavar="TIME", help="help.timeout")
    add_connection_options(parser)


def add_connection_options(parser: argparse.ArgumentParser) -> None:
    """Which cluster, and as whom."""
    group = parser.add_argument_group("help.cluster")
    group.add_argument("--kubeconfig", metavar="FILE", help="help.kubeconfig")
    group.add_argument("--context", metavar="CONTEXT", help="help.context")
    group.add_argument(
        "--request-timeout", type=quantities.parse_seconds, default=20.0, metavar="TIME", help="help.request_timeout"
    )
    group.add_argument("--as", dest="impersonate", metavar="USER", help="help.as")
    group.add_argument("--as-group", action="append", default=[], dest="groups", metavar="GROUP", help="help.as_group")


def add_ssh_options(parser: argparse.ArgumentParser) -> None:
    """Nodes that are asked over ssh."""
    group = parser.add_argument_group("help.nodes")
    group.add_argument(
        "--ssh",
        action="extend",
        nargs="+",
        default=[],
        type=quantities.parse_login,
        metavar="NODE",
        help="help.ssh",
    )
    group.add_argument("--ssh-all", action="store_true", help="help.ssh_all")
    group.add_argument("--ssh-user", type=quantities.parse_user, metavar="USER", help="help.ssh_user")
    group.add_argument("--ssh-sudo", choices=("auto", "never"), default="auto", help="help.ssh_sudo")
    group.add_argument(
        "--ssh-timeout", type=quantities.parse_seconds, default=60.0, metavar="TIME", help="help.ssh_timeout"
    )
    group.add_argument("--ssh-parallel", type=quantities.parse_count, default=16, metavar="N", help="help.ssh_parallel")


def find_deadline(options: argparse.Namespace) -> float:
    """The moment, of time.monotonic(), at which asking ends (`--timeout`); the first call begins the time."""
    if getattr(options, "until", None) is None:
        options.until = time.monotonic() + (getattr(options, "timeout", None) or ASKING_SECONDS)
    return float(options.until)
