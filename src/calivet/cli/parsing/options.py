"""The options that commands share, and how times, numbers, logins and formats are typed."""

from __future__ import annotations

import argparse
import sys
import time
from argparse import ArgumentTypeError

from calivet.cli.invocation import LANGUAGES, find_system_language
from calivet.messages.message import Message, message
from calivet.reports.diagnosis.formats import FORMATS
from calivet.search.expressions import expression

_TIME = expression(r"(?:(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h|d)?)")
_POD = expression(r"([a-z0-9][a-z0-9-]{0,62})/([a-z0-9][a-z0-9.-]{0,252})")
_SIZE = expression(r"(?P<number>\d{1,9}(?:\.\d{1,9})?)(?P<unit>[KMGT])(?:i?B)?")
_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_ASSIGNMENT = expression(r"([a-z][a-z0-9_-]{0,60})=([\w./:][\w./:@%+,-]{0,250})")
LEAST_MEMORY = 64 << 20
"""Below this not even an ordinary bundle can be read."""
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, None: 1.0}
NARROWEST = 40


class WrongValueError(ArgumentTypeError):
    """A value that cannot be; argparse keeps its English, `message` has both languages."""

    def __init__(self, told: Message) -> None:
        """Keep it as it is."""
        super().__init__(str(told))
        self.message = told


def parse_seconds(text: str) -> float:
    """A time such as 20, 20s, 1m30s, 2h or 1d, in seconds."""
    parts = list(_TIME.finditer(text))
    if not parts or "".join(part[0] for part in parts) != text:
        raise WrongValueError(message("usage.time", value=repr(text)))
    total = sum(float(part["number"]) * _SECONDS[part["unit"]] for part in parts)
    if total <= 0:
        raise WrongValueError(message("usage.time.none", value=repr(text)))
    return total


def parse_whole_seconds(text: str) -> int:
    """The same for what takes whole seconds only."""
    return max(1, round(parse_seconds(text)))


def parse_memory(text: str) -> int:
    """An amount such as 512M, 2G or 1.5GiB, in bytes."""
    found = _SIZE.fullmatch(text)
    size = int(float(found["number"]) * _BYTES[found["unit"]]) if found else 0
    if size < LEAST_MEMORY:
        raise WrongValueError(message("usage.memory", value=repr(text)))
    return size


def parse_columns(text: str) -> int:
    """A width that text can be wrapped to."""
    if not text.isdigit() or int(text) < NARROWEST:
        raise WrongValueError(message("usage.width", value=repr(text), least=NARROWEST))
    return int(text)


def parse_count(text: str) -> int:
    """How many of something, one at least."""
    if not text.isdigit() or not int(text):
        raise WrongValueError(message("usage.number", value=repr(text), least=1))
    return int(text)


def parse_login(text: str) -> str:
    """A machine as ssh takes it."""
    from calivet.node.ssh import is_login

    if not is_login(text):
        raise WrongValueError(message("usage.machine", value=repr(text)))
    return text


def parse_user(text: str) -> str:
    """Somebody to log in as."""
    from calivet.node.ssh import is_login

    if not is_login(f"{text}@host"):
        raise WrongValueError(message("usage.user", value=repr(text)))
    return text


def parse_format(text: str) -> str:
    """The name of a format; a page is for a browser, and on a terminal only noise."""
    if text == "html" and sys.stdout.isatty():
        raise WrongValueError(message("usage.html"))
    return text


def parse_bundle_file(text: str) -> str:
    """A bundle, its format told by its name."""
    if not text.endswith((".tar.gz", ".tgz", ".tar", ".zip")):
        raise WrongValueError(message("usage.bundle", value=repr(text)))
    return text


def parse_pod(text: str) -> tuple[str, str]:
    """A namespace and the name of a pod in it, as a server takes them."""
    found = _POD.fullmatch(text)
    if not found:
        raise WrongValueError(message("usage.pod", value=repr(text)))
    return found[1], found[2]


def parse_table_file(text: str) -> str:
    """A file of tables, its kind told by its name."""
    if not text.endswith((".duckdb", ".parquet")):
        raise WrongValueError(message("usage.file", value=repr(text)))
    return text


def parse_assignment(text: str) -> tuple[str, str]:
    """A name and a plain value for it: no more than a word to a shell."""
    found = _ASSIGNMENT.fullmatch(text)
    if not found:
        raise WrongValueError(message("usage.assignment", value=repr(text)))
    return found[1], found[2]


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
        type=parse_format,
        choices=formats,
        default=formats[0],
        metavar="FORMAT",
        help="help.output",
    )


def add_terminal_options(parser: argparse.ArgumentParser) -> None:
    """How wide, and whether in colour."""
    parser.add_argument("--width", type=parse_columns, metavar="N", help="help.width")
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
    parser.add_argument("--jobs", type=parse_count, metavar="N", help="help.jobs")
    parser.add_argument("--engine", choices=("local", "ray", "dask"), default="local", help="help.engine")
    parser.add_argument("--address", metavar="ADDRESS", help="help.address")
    parser.add_argument(
        "--bundle-timeout",
        type=parse_seconds,
        default=limits.seconds,
        metavar="TIME",
        help="help.bundle_timeout",
    )
    parser.add_argument(
        "--bundle-memory",
        type=parse_memory,
        default=limits.memory,
        metavar="SIZE",
        help="help.bundle_memory",
    )


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """What to ask of a cluster."""
    parser.add_argument("--node", action="append", default=[], metavar="NAME", help="help.node.only")
    parser.add_argument("--since", type=parse_whole_seconds, metavar="TIME", help="help.since")
    parser.add_argument("--timeout", type=parse_seconds, metavar="TIME", help="help.timeout")
    add_connection_options(parser)


def add_connection_options(parser: argparse.ArgumentParser) -> None:
    """Which cluster, and as whom."""
    group = parser.add_argument_group("help.cluster")
    group.add_argument("--kubeconfig", metavar="FILE", help="help.kubeconfig")
    group.add_argument("--context", metavar="CONTEXT", help="help.context")
    group.add_argument(
        "--request-timeout", type=parse_seconds, default=20.0, metavar="TIME", help="help.request_timeout"
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
        type=parse_login,
        metavar="NODE",
        help="help.ssh",
    )
    group.add_argument("--ssh-all", action="store_true", help="help.ssh_all")
    group.add_argument("--ssh-user", type=parse_user, metavar="USER", help="help.ssh_user")
    group.add_argument("--ssh-sudo", choices=("auto", "never"), default="auto", help="help.ssh_sudo")
    group.add_argument("--ssh-timeout", type=parse_seconds, default=60.0, metavar="TIME", help="help.ssh_timeout")
    group.add_argument("--ssh-parallel", type=parse_count, default=16, metavar="N", help="help.ssh_parallel")


def find_deadline(options: argparse.Namespace) -> float:
    """The moment, of time.monotonic(), at which asking ends (`--timeout`); the first call begins the time."""
    if getattr(options, "until", None) is None:
        options.until = time.monotonic() + (getattr(options, "timeout", None) or ASKING_SECONDS)
    return float(options.until)
