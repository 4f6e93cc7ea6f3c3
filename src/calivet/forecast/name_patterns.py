"""Interface names against expressions as Go reads them: unanchored, without look-around or back references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from calivet.evidence.expressions import expression

_NOT_IN_GO = expression(r"\(\?(?:[=!>#(]|<[=!]|P=)|\\[1-9Z]|[*+?}]\+")
_CLASSES = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "digit": "0-9",
    "lower": "a-z",
    "upper": "A-Z",
    "word": r"\w",
    "xdigit": "0-9A-Fa-f",
}
_CLASS = expression(r"\[:(\w+):\]")
_LIST = expression(r"\s*,\s*")


class PatternError(ValueError):
    """Go's regular expressions do not take this one; then Calico finds no interface at all."""


def split(argument: str) -> list[str]:
    """The expressions of a comma-separated list. An empty one fits every name, as it does in Calico."""
    return _LIST.split(argument)


def first_fit(name: str, patterns: Sequence[str]) -> str | None:
    """The first of the expressions that occurs in the name."""
    return next((pattern for pattern in patterns if compiled(pattern).search(name)), None)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The expression for use here."""
    if _NOT_IN_GO.search(pattern):
        raise PatternError(pattern)
    known = _CLASS.sub(lambda found: _CLASSES.get(found[1], found[0]), pattern).replace(r"\z", r"\Z")
    try:
        return re.compile(known)
    except re.error:
        raise PatternError(pattern) from None
