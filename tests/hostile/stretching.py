"""Hostile lines, made of what the expressions themselves look for and of real lines with one part drawn out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from tests.fuzz.dirt import real_texts

_REPEATS = (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT)
_ALPHABET = "a1 -:/.\"=x_,'[{中"
_OPEN = 50
"""A repeat that may go on for longer is worth drawing out."""
_LONGEST_PREFIX = 200
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_ALIKE = re.compile(r"[0-9a-f]{4,}|\d+")
_PARTS_OF_A_LINE = 4

Items = Iterable[tuple[Any, Any]]


def from_expression(pattern: str, flags: int, length: int) -> set[str]:
    """Each part of it that may go on for long does, behind what has to come before; or all of it comes again and again."""
    tree = _parser.parse(pattern, flags)
    drawn = {(prefix[:_LONGEST_PREFIX], part) for prefix, part in _drawn_out(tree, "") if part}
    lines = {_filled(prefix, part, length) for prefix, part in drawn}
    lines |= {_filled("", prefix + part, length) for prefix, part in drawn}
    return lines | ({_filled("", whole, length)} if (whole := _example(tree)) else set())


def from_real_lines(length: int, seed: int) -> set[str]:
    """One line of each kind that real programs print, with a word, a number, a blank or a mark of it drawn out."""
    kinds = {_ALIKE.sub("0", line)[:60]: line for text in real_texts() for line in text.splitlines()}
    chance = random.Random(seed)
    lines = set()
    for line in kinds.values():
        pieces = list(_PIECE.finditer(line[:300]))
        for piece in chance.sample(pieces, min(_PARTS_OF_A_LINE, len(pieces))):
            lines.add(_filled(line[: piece.start()], piece[0], length) + line[piece.end() :])
            lines.add(_filled(line[: piece.start()], piece[0][0], length) + line[piece.end() :])
    return lines


def _filled(prefix: str, part: str, length: int) -> str:
    return (prefix + part * (length // len(part) + 1))[:length].replace("\n", " ")


def _drawn_out(items: Items, before: str) -> Iterator[tuple[str, str]]:
    for kind, what in items:
        if kind in _REPEATS and what[1] > _OPEN:
            yield before, _example(what[2])
        for inner in _inside(kind, what):
            yield from _drawn_out(inner, before)
        before += _example([(kind, what)])


def _inside(kind: Any, what: Any) -> list[Items]:
    if kind in _REPEATS:
        return [what[2]]
    if kind is names.SUBPATTERN:
        return [what[3]]
    if kind is names.BRANCH:
        return list(what[1])
    if kind in (names.ASSERT, names.ASSERT_NOT):
        return [what[1]]
    return [what] if kind is names.ATOMIC_GROUP else []


def _example(items: Items) -> str:
    return "".join(_one(kind, what) for kind, what in items)


def _one(kind: Any, what: Any) -> str:
    if kind in _REPEATS:
        return _example(what[2]) * max(1, min(int(what[0]), _OPEN))
    if kind in (names.ASSERT, names.ASSERT_NOT, names.AT, names.GROUPREF, names.GROUPREF_EXISTS):
        return ""
    if inner := _inside(kind, what):
        return _example(inner[0])
    if kind is names.LITERAL:
        return chr(int(what))
    return next((letter for letter in _ALPHABET if _stands_for(kind, what, letter)), "a")


def _stands_for(kind: Any, what: Any, letter: str) -> bool:
    if kind is names.IN:
        negated = what[0][0] is names.NEGATE
        return negated != any(_stands_for(kind, what, letter) for kind, what in list(what)[negated:])
    if kind is names.RANGE:
        return bool(what[0] <= ord(letter) <= what[1])
    if kind is names.CATEGORY:
        return bool(re.match(_WRITTEN[what], letter))
    return kind is names.ANY or (kind is names.LITERAL) == (chr(what) == letter)


_WRITTEN = {
    names.CATEGORY_DIGIT: r"\d",
    names.CATEGORY_SPACE: r"\s",
    names.CATEGORY_WORD: r"\w",
    names.CATEGORY_NOT_DIGIT: r"\D",
    names.CATEGORY_NOT_SPACE: r"\S",
    names.CATEGORY_NOT_WORD: r"\W",
}
