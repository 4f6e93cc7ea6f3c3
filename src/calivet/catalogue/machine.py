"""A pattern as the textbooks draw it: each of its characters is a place, with ways to the places that can follow."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, reduce
from operator import or_
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from msgspec import Struct, field

Places = Counter[int]
Letters = int
"""A set of characters: a bit for each of ASCII, and of the others one for digits, letters, blanks and the rest."""
_ASCII = 128
_OTHERS = "\u0663\u00e9\u00a0\u2026"
_ALPHABET = [*map(chr, range(_ASCII)), *_OTHERS]
_ALL: Letters = (1 << len(_ALPHABET)) - 1
_ALL_OTHERS: Letters = _ALL >> _ASCII << _ASCII
_CATEGORIES = {
    names.CATEGORY_DIGIT: r"\d",
    names.CATEGORY_NOT_DIGIT: r"\D",
    names.CATEGORY_SPACE: r"\s",
    names.CATEGORY_NOT_SPACE: r"\S",
    names.CATEGORY_WORD: r"\w",
    names.CATEGORY_NOT_WORD: r"\W",
}
MANY = 2
"""Nobody needs to know how many more ways there are than one."""
_REPEATS = (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT)


class Part(Struct, frozen=True):
    """A part of the pattern: the places where a match of it can begin and end, and by how many ways."""

    first: Places = field(default_factory=Counter)
    last: Places = field(default_factory=Counter)
    empty: int = 1
    """By how many ways it can match nothing at all."""


class Machine(Struct):
    """The places of a pattern."""

    letters: list[Letters] = field(default_factory=list)
    """What can stand at each."""
    ways: defaultdict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """Which can follow each, and by how many ways."""
    loops: dict[int, int] = field(default_factory=dict)
    """The outermost loop that each lies in; from any place of a loop one can come to any other."""

    def sequence(self, items: Iterable[tuple[Any, Any]]) -> Part:
        """Things that follow each other."""
        whole = Part()
        for kind, what in items:
            part = self._item(kind, what)
            self._join(whole.last, part.first)
            whole = Part(
                whole.first + _times(whole.empty, part.first),
                part.last + _times(part.empty, whole.last),
                min(MANY, whole.empty * part.empty),
            )
        return whole

    def _item(self, kind: Any, what: Any) -> Part:
        if kind in _REPEATS:
            return self._repeated(*what)
        if kind is names.BRANCH:
            return self._one_of(what[1])
        if kind is names.GROUPREF_EXISTS:
            return self._one_of([what[1], what[2] or []])
        if kind in (names.SUBPATTERN, names.ATOMIC_GROUP):
            return self.sequence(what[3] if kind is names.SUBPATTERN else what)
        if kind in (names.ASSERT, names.ASSERT_NOT):
            self.sequence(what[1])  # a pattern of its own, which takes nothing
            return Part()
        return Part() if kind is names.AT else self._place(_letters(kind, what))

    def _repeated(self, least: int, most: int, items: Iterable[tuple[Any, Any]]) -> Part:
        """However often: a bound that is not one is high enough to be in the way."""
        start = len(self.letters)
        part = self.sequence(items)
        if most > 1:
            self._join(part.last, part.first)
            self.loops |= dict.fromkeys(range(start, len(self.letters)), start)
        return Part(part.first, part.last, min(MANY, part.empty + (least == 0)))

    def _one_of(self, branches: Iterable[Iterable[tuple[Any, Any]]]) -> Part:
        parts = [self.sequence(branch) for branch in branches]
        return Part(
            sum((part.first for part in parts), Counter()),
            sum((part.last for part in parts), Counter()),
            min(MANY, sum(part.empty for part in parts)),
        )

    def _place(self, letters: Letters) -> Part:
        self.letters.append(letters)
        place = Counter([len(self.letters) - 1])
        return Part(place, place, empty=0)

    def _join(self, before: Places, behind: Places) -> None:
        for place, ways in before.items():
            self.ways[place].update(_times(ways, behind))


def _times(ways: int, places: Places) -> Places:
    return Counter({place: min(MANY, ways * others) for place, others in places.items() if ways})


def machine(pattern: str) -> Machine:
    """Of a pattern that `re` has accepted."""
    made = Machine()
    made.sequence(_parser.parse(pattern))
    return made


def _letters(kind: Any, what: Any) -> Letters:
    """Upper and lower case are one, as for the scanner; where it is not known, all."""
    if kind is names.LITERAL:
        return _between(what, what)
    if kind is names.RANGE:
        return _between(*what)
    if kind is names.NOT_LITERAL:
        return _ALL & ~_between(what, what) | _ALL_OTHERS
    if kind is names.CATEGORY:
        return _those(_CATEGORIES[what])
    if kind is names.IN:
        return _in_set(what)
    return _ALL


def _in_set(items: list[tuple[Any, Any]]) -> Letters:
    if items[0][0] is not names.NEGATE:
        return reduce(or_, (_letters(*item) for item in items))
    categories = (_letters(*item) for item in items[1:] if item[0] is names.CATEGORY)
    found = reduce(or_, (_letters(*item) for item in items[1:]), 0)
    return _ALL & ~found | _ALL_OTHERS & ~reduce(or_, categories, 0)


@cache
def _those(category: str) -> Letters:
    holds = re.compile(category).match
    return sum(1 << bit for bit, letter in enumerate(_ALPHABET) if holds(letter))


@cache
def _between(low: int, high: int) -> Letters:
    span = range(low, high + 1)
    found = sum(1 << bit for bit in range(_ASCII) if ord(chr(bit).lower()) in span or ord(chr(bit).upper()) in span)
    return found | (_ALL_OTHERS if high >= _ASCII else 0)
