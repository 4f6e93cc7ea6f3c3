"""One Hyperscan automaton for all patterns, over raw bytes: it points to places where a pattern may be.

It looks for words that a pattern cannot match without, and for the pattern itself only where there are none. So it
points a little too often, never too seldom.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from threading import local
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from calivet.evidence.alternatives import alternatives
from calivet.evidence.cover import cover
from calivet.evidence.expressions import expression
from calivet.evidence.factors import factors

if TYPE_CHECKING:
    import hyperscan

# The engine wants at least one pattern; clean text holds no NUL.
NOTHING = rb"\x00"
_BLANK = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")
_BLANKS = r" \t\r\f\v"
_BOUNDED = expression(r"(?<!\\)\{(\d+),\d*\}")


class PatternError(Exception):
    """A pattern that the engine does not take."""

    def __init__(self, number: int, reason: str) -> None:
        """Keep which one it was."""
        super().__init__(reason)
        self.number = number


class Claim(Struct, array_like=True, frozen=True):
    """A pattern that may be in a line, if of each of these words one is."""

    pattern: int
    words: list[list[bytes]]


class Announced(Struct, array_like=True, frozen=True):
    """What may be in a line if this word is; no word where the automaton looks for the pattern itself."""

    word: bytes
    claims: list[Claim]


class Sought(Struct, array_like=True, frozen=True):
    """One of the automaton's expressions: a part that words share, and what it may announce."""

    part: str
    announced: list[Announced]


class Dull(Struct, frozen=True):
    """Words, and parts of words, that announced nothing too often to be worth looking for."""

    words: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


class Saved(Struct, array_like=True, frozen=True):
    """An automaton as bytes."""

    sought: msgspec.Raw
    """Taken apart only when one of them is found."""
    database: bytes


class Automaton:
    """A compiled database, and what its answers mean."""

    def __init__(self, database: hyperscan.Database, saved: Saved) -> None:
        """Use `build` or `restore`."""
        self.saved = saved
        self._database = database
        self._own = local()

    @classmethod
    def build(cls, patterns: Sequence[str], dull: Dull, *, caseless: bool) -> Automaton:
        """Compile the patterns; ^ and $ stand for the ends of a line."""
        import hyperscan

        words, others = _sorted_out(patterns, dull)
        flags = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
        flags |= hyperscan.HS_FLAG_CASELESS if caseless else 0
        # As mere bytes, words are found many times faster.
        expressions = [*(re.escape(sought.part.encode()) for sought in words), *others]
        database = hyperscan.Database()
        try:
            database.compile(
                expressions=expressions,
                ids=list(range(len(expressions))),
                elements=len(expressions),
                flags=[hyperscan.HS_FLAG_CASELESS] * len(words) + [flags] * len(others),
            )
        except hyperscan.HyperscanError as error:
            raise _blame(patterns, error) from None
        sought = msgspec.Raw(msgspec.msgpack.encode([*words, *others.values()]))
        return cls(database, Saved(sought, hyperscan.dumpb(database)))

    @classmethod
    def restore(cls, saved: Saved) -> Automaton:
        """As it was saved; the caller has checked that the bytes are whole."""
        import hyperscan

        return cls(hyperscan.loadb(saved.database, hyperscan.HS_MODE_BLOCK), saved)

    @cached_property
    def sought(self) -> list[Sought]:
        """What it looks for, by number."""
        return msgspec.msgpack.decode(self.saved.sought, type=list[Sought])

    def places(self, text: bytes) -> list[tuple[int, int]]:
        """Where something that is sought ends, and its number, in order."""
        found: list[tuple[int, int]] = []

        def keep(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            found.append((end, number))

        self._database.scan(text, match_event_handler=keep, scratch=self._scratch())
        found.sort()
        return found

    def _scratch(self) -> hyperscan.Scratch:
        """Room to work in; two threads may not share it."""
        import hyperscan

        found: hyperscan.Scratch | None = getattr(self._own, "scratch", None)
        if found is None:
            found = self._own.scratch = hyperscan.Scratch(self._database)
        return found


def _sorted_out(patterns: Sequence[str], dull: Dull) -> tuple[list[Sought], dict[bytes, Sought]]:
    """Words to look for, and patterns that no word announces."""
    words: dict[str, list[Claim]] = {}
    others: dict[bytes, list[Claim]] = {}
    for number, pattern in enumerate(patterns):
        for alternative in alternatives(pattern):
            try:
                found = factors(alternative)
            except ValueError as error:
                raise PatternError(number, str(error)) from None
            if found and dull.words.isdisjoint(found[0]):
                claim = Claim(number, [[word.encode() for word in also] for also in found[1:]])
                for word in found[0]:
                    words.setdefault(word, []).append(claim)
            else:
                others.setdefault(_loosened(alternative), []).append(Claim(number, []))
    parts = cover(words, dull.parts)
    sought = [Sought(part, [Announced(word.encode(), words[word]) for word in held]) for part, held in parts.items()]
    whole = {other: Sought("", [Announced(b"", claims)]) for other, claims in others.items()}
    return sought, whole if sought or whole else {NOTHING: Sought("", [])}


def _loosened(pattern: str) -> bytes:
    """Bounded gaps (`.{0,40}`) as unbounded: that makes the automaton many times cheaper to build.

    And blanks that do not reach into the next line: where they do, the engine overlooks matches of other patterns.
    """
    unbounded = _BOUNDED.sub(lambda bounds: "*" if bounds[1] == "0" else "+", pattern)
    return _BLANK.sub(lambda piece: _within_line(piece[0]), unbounded).encode()


def _within_line(piece: str) -> str:
    if piece == r"\s":
        return f"[{_BLANKS}]"
    return piece.replace(r"\s", _BLANKS) if piece[0] == "[" and piece[1] != "^" else piece


def _blame(patterns: Sequence[str], error: Exception) -> PatternError:
    """Hyperscan names no culprit through this binding, so find it by compiling one by one."""
    import hyperscan

    for number, pattern in enumerate(patterns):
        try:
            hyperscan.Database().compile(expressions=[_loosened(pattern)], ids=[0], flags=[hyperscan.HS_FLAG_UTF8])
        except hyperscan.HyperscanError as own:
            return PatternError(number, str(own))
    raise error
