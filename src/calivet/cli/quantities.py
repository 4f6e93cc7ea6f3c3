"""Times, numbers, logins and formats as people type them."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError

from calivet.evidence.expressions import expression

_TIME = expression(r"(?:(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h|d)?)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, None: 1.0}
NARROWEST = 40


def seconds(text: str) -> float:
    """A time such as 20, 20s, 1m30s, 2h or 1d, in seconds."""
    parts = list(_TIME.finditer(text))
    if not parts or "".join(part[0] for part in parts) != text:
        raise ArgumentTypeError(f"{text!r} is not a time such as 20s, 5m, 2h or 1d")
    total = sum(float(part["number"]) * _SECONDS[part["unit"]] for part in parts)
    if total <= 0:
        raise ArgumentTypeError(f"{text!r} is no time at all")
    return total


def whole_seconds(text: str) -> int:
    """The same for what takes whole seconds only."""
    return max(1, round(seconds(text)))


def columns(text: str) -> int:
    """A width that text can be wrapped to."""
    if not text.isdigit() or int(text) < NARROWEST:
        raise ArgumentTypeError(f"{text!r} is not a width of at least {NARROWEST} columns")
    return int(text)


def count(text: str) -> int:
    """How many of something, one at least."""
    if not text.isdigit() or not int(text):
        raise ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def login(text: str) -> str:
    """A machine as ssh takes it."""
    from calivet.node.targets import is_login

    if not is_login(text):
        raise ArgumentTypeError(f"{text!r} is not a machine such as worker-3, root@10.0.0.3 or ssh://host:2222")
    return text


def user(text: str) -> str:
    """Somebody to log in as."""
    from calivet.node.targets import is_login

    if not is_login(f"{text}@host"):
        raise ArgumentTypeError(f"{text!r} is not the name of a user")
    return text


def output(text: str) -> str:
    """The name of a format; a page is for a browser, and on a terminal only noise."""
    if text == "html" and sys.stdout.isatty():
        raise ArgumentTypeError("html is a page for a browser: redirect it, as with > report.html")
    return text


def table_file(text: str) -> str:
    """A file of tables, its kind told by its name."""
    if not text.endswith((".duckdb", ".parquet")):
        raise ArgumentTypeError(f"{text!r} is not a file named such as fleet.duckdb or fleet.parquet")
    return text
