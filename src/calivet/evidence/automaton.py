"""One automaton for all patterns, over raw bytes: it points to places where a pattern may be.

It looks for words that a pattern cannot match without. Where those are common, it only notes that they are there, and
the pattern itself is looked for in that text alone. So it points a little too often, never too seldom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from calivet.evidence.announcing import Announcer, Place
from calivet.evidence.database import Database, Expression
from calivet.evidence.sought import Dull, PatternError, Sought, Unannounced, loosened, sorted_out

# The engine wants at least one pattern; clean text holds no NUL.
NOTHING = rb"\x00"
_decoder = msgspec.msgpack.Decoder(Sought)


class Aside(Struct, array_like=True, frozen=True):
    """A pattern with a database of its own."""

    clues: list[list[int]]
    """It is looked for in text where of each of these one is found."""
    database: msgspec.Raw
    """Bytes that are taken out only when it is looked for."""


class Saved(Struct, array_like=True, frozen=True):
    """An automaton as bytes."""

    sought: msgspec.Raw
    """Taken apart only when one of them is found."""
    asides: msgspec.Raw
    """Taken apart only when a clue is found."""
    size: int
    """How many are sought; what has a higher number is a clue."""
    database: bytes


class _Shelf(dict[int, Sought]):
    """What is sought, each taken apart when it is found for the first time: in a short text few are."""

    def __init__(self, packed: msgspec.Raw) -> None:
        self._packed = packed

    @cached_property
    def _each(self) -> list[msgspec.Raw]:
        return msgspec.msgpack.decode(self._packed, type=list[msgspec.Raw])

    def __missing__(self, number: int) -> Sought:
        found = self[number] = _decoder.decode(self._each[number])
        return found


class Automaton:
    """Compiled databases, and what their answers mean."""

    def __init__(self, saved: Saved) -> None:
        """As it was saved; the caller has checked that the bytes are whole."""
        self.saved = saved
        self._database = Database.restore(saved.database)
        self._restored: dict[int, Database] = {}
        self.sought: Mapping[int, Sought] = _Shelf(saved.sought)
        self.announcer = Announcer(self.sought)

    @classmethod
    def build(cls, patterns: Sequence[str], dull: Dull, *, caseless: bool) -> Automaton:
        """Compile the patterns; ^ and $ stand for the ends of a line."""
        import hyperscan

        words, others = sorted_out(patterns, dull)
        try:
            return cls(_compiled(words, others, caseless=caseless))
        except hyperscan.HyperscanError as error:
            raise _blame(patterns, error) from None

    @classmethod
    def decoded(cls, encoded: bytes) -> Automaton:
        """As it was kept; the caller has checked that the bytes are whole."""
        return cls(msgspec.msgpack.decode(encoded, type=Saved))

    def encoded(self) -> bytes:
        """All of it, to be kept."""
        return msgspec.msgpack.encode(self.saved)

    @cached_property
    def _asides(self) -> list[Aside]:
        return msgspec.msgpack.decode(self.saved.asides, type=list[Aside])

    def places(self, text: bytes) -> list[Place]:
        """Where something that is sought ends, and its number, in order."""
        found, clues, size = list[Place](), set[int](), self.saved.size

        def keep(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            if number < size:
                found.append((end, number))
            else:
                clues.add(number)

        self._database.search(text, keep)
        for at, aside in enumerate(self._asides if clues else ()):
            if not any(clues.isdisjoint(one_of) for one_of in aside.clues):
                self._own(at).search(text, keep)
        found.sort()
        return found

    def _own(self, at: int) -> Database:
        if at not in self._restored:
            self._restored[at] = Database.restore(msgspec.msgpack.decode(self._asides[at].database, type=bytes))
        return self._restored[at]


def _compiled(words: Sequence[Sought], others: Sequence[Unannounced], *, caseless: bool) -> Saved:
    """Patterns that have no words at all are looked for everywhere, together with the words of the others."""
    import hyperscan

    # As mere bytes, words are found many times faster.
    word, clue = hyperscan.HS_FLAG_CASELESS, hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    whole = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
    whole |= hyperscan.HS_FLAG_CASELESS if caseless else 0
    everywhere = [other for other in others if not other.clues]
    elsewhere = [other for other in others if other.clues]
    sought = [*words, *(other.sought for other in (*everywhere, *elsewhere))]
    clues = {text: number for number, text in enumerate(_clues(elsewhere), len(sought))}
    first = [
        *(Expression(number, re.escape(one.part.encode()), word) for number, one in enumerate(words)),
        *(Expression(number, other.expression, whole) for number, other in enumerate(everywhere, len(words))),
        *(Expression(number, re.escape(text.encode()), clue) for text, number in clues.items()),
    ]
    asides = [
        Aside(
            [[clues[text] for text in one_of] for one_of in other.clues],
            msgspec.Raw(msgspec.msgpack.encode(Database.build([Expression(number, other.expression, whole)]).saved)),
        )
        for number, other in enumerate(elsewhere, len(words) + len(everywhere))
    ]
    return Saved(
        sought=msgspec.Raw(msgspec.msgpack.encode(sought)),
        asides=msgspec.Raw(msgspec.msgpack.encode(asides)),
        size=len(sought),
        database=Database.build(first or [Expression(0, NOTHING, word)]).saved,
    )


def _clues(others: Iterable[Unannounced]) -> list[str]:
    return sorted({text for other in others for one_of in other.clues for text in one_of})


def _blame(patterns: Sequence[str], error: Exception) -> PatternError:
    """Hyperscan names no culprit through this binding, so find it by compiling one by one."""
    import hyperscan

    for number, pattern in enumerate(patterns):
        try:
            Database.build([Expression(0, loosened(pattern), hyperscan.HS_FLAG_UTF8)])
        except hyperscan.HyperscanError as own:
            return PatternError(number, str(own))
    raise error
