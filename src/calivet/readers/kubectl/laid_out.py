"""JSON that a program laid out, one value on each line or all on one: decoded at once, its lines counted.

Lists of all pods of a large cluster are tens of megabytes. What was cut or laid out otherwise is left to `flow.py`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from calivet.facts.fact import Scalar
from calivet.readers.kubectl.tree import DEEPEST, Branch, Step

_CLOSING = {"{": "}", "[": "]"}
_EMPTY = {dict: "{}", list: "[]"}
# Whole numbers with more digits are text that happens to be digits.
_LARGEST = 10**18


class _UnlikeError(Exception):
    """The lines do not stand as a program would have laid them out."""


def parse_laid_out(lines: list[str], start: int) -> tuple[Branch, int] | None:
    """The value that begins on this line and the index behind it; None where it is not whole or laid out otherwise."""
    opening = lines[start].rstrip()
    bracket = opening[-1:]
    try:
        if bracket in _CLOSING.values():
            return _grown(msgspec.json.decode(opening), start, 0, step=0)[0], start + 1
        if bracket not in _CLOSING or opening[:-1].strip():
            return None
        stop = lines.index(opening[:-1] + _CLOSING[bracket], start) + 1
        root, behind = _grown(msgspec.json.decode("\n".join(lines[start:stop])), start, 0, step=1)
    except (ValueError, msgspec.DecodeError, UnicodeEncodeError, RecursionError, _UnlikeError):
        return None
    return (root, stop) if behind == stop else None


def _grown(value: Any, index: int, depth: int, *, step: int) -> tuple[Branch, int]:
    """The branch of a value whose first line has this index, and the index behind its last line.

    Each value takes a line, each bracket too; with a step of 0 all of them stand on one.
    """
    if depth > DEEPEST:
        raise _UnlikeError
    children: dict[Step, Branch] = {}
    branch = Branch(index, None, children)
    behind = index + step
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        if child and isinstance(child, (dict, list)):
            children[key], behind = _grown(child, behind, depth + 1, step=step)
        else:
            children[key] = Branch(behind, _scalar(child))
            behind += step
    return branch, behind + step


def _scalar(value: Any) -> Scalar:
    if isinstance(value, (dict, list)):
        return _EMPTY[type(value)]
    if isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        return str(value)
    scalar: Scalar = value
    return scalar
