"""Times, numbers, logins and formats as people type them."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError

from calivet.messages.message import Message, message
from calivet.search.expressions import expression

_TIME = expression(r"(?:(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h|d)?)")
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
