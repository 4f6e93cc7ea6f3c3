"""Lines that differ only in digits, or in case, have one outline, and most patterns are in all of them or in none."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

_DIGITS = frozenset(b"0123456789")
_ALIKE_IN_CASE = bytes.maketrans(b"0123456789", b"0000000000")
_ALIKE = _ALIKE_IN_CASE.lower()


def outline(line: bytes, *, caseless: bool = True) -> bytes:
    """The line with its digits alike, and in lower case unless case matters."""
    return line.translate(_ALIKE if caseless else _ALIKE_IN_CASE)


def tells_digits_apart(pattern: str) -> bool:
    """Whether it may be in one of two lines that differ only in digits."""
    return _tells(import_module("re._parser").parse(pattern), import_module("re._constants"))


def _tells(items: Iterable[tuple[Any, Any]], constants: Any) -> bool:
    return any(_item_tells(kind, what, constants) for kind, what in items)


def _item_tells(kind: Any, what: Any, constants: Any) -> bool:
    if kind in (constants.LITERAL, constants.NOT_LITERAL):
        return what in _DIGITS
    if kind is constants.RANGE:
        return 0 < len(_DIGITS.intersection(range(what[0], what[1] + 1))) < len(_DIGITS)
    if kind is constants.BRANCH:
        return any(_tells(branch, constants) for branch in what[1])
    if kind in (constants.SUBPATTERN, constants.MAX_REPEAT, constants.MIN_REPEAT):
        return _tells(what[-1], constants)
    if kind is constants.IN:
        return _tells(what, constants)
    return kind not in (constants.ANY, constants.AT, constants.CATEGORY, constants.NEGATE)
