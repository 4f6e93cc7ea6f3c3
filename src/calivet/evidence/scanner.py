"""The one-pass scanner: all patterns as one Hyperscan automaton over raw bytes.

Cost is linear in the text whatever the number of patterns. The automaton looks for the words that a pattern cannot
match without, and for the pattern itself only where there are none. So it points a little too often, never too
seldom, and `re` decides on the few lines that are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from calivet.evidence.alternatives import alternatives
from calivet.evidence.cache import kept
from calivet.evidence.cover import cover
from calivet.evidence.expressions import expression
from calivet.evidence.factors import factors
from calivet.evidence.rarity import ORDINARY

if TYPE_CHECKING:
    import hyperscan

# The engine wants at least one pattern; clean text holds no NUL.
NOTHING = rb"\x00"
MADE_BY = [
    ORDINARY,
    *map(Path(__file__).with_name, ["scanner.py", "alternatives.py", "factors.py", "cover.py", "rarity.py"]),
]
"""What decides how a scanner is made: where one of these has changed, a kept one is of no use."""
_BOUNDED = expression(r"(?<!\\)\{(\d+),\d*\}")


class Hit(Struct, frozen=True):
    """A pattern's number and the index of the line where it was found."""

    pattern: int
    line: int


class PatternError(Exception):
    """A pattern that the engine does not take."""

    def __init__(self, number: int, reason: str) -> None:
        """Keep which one it was."""
        super().__init__(reason)
        self.number = number


class Announced(Struct, array_like=True, frozen=True):
    """Patterns that may be in a line if this word is."""

    word: str
    patterns: list[int]


class Saved(Struct, array_like=True, frozen=True):
    """A scanner as bytes."""

    patterns: list[str]
    caseless: bool
    meaning: msgspec.Raw
    """What each of the automaton's expressions may announce; taken apart only when one of them is found."""
    database: bytes


class Scanner:
    """Finds every line in which a pattern is."""

    def __init__(self, database: hyperscan.Database, saved: Saved) -> None:
        """Wrap a compiled database; use `build` or `restore`."""
        self._database, self._saved = database, saved
        flags = re.IGNORECASE if saved.caseless else 0
        self._own = local()
        self._expressions = [expression(pattern, flags) for pattern in saved.patterns]

    @classmethod
    def build(cls, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """Compile the patterns; ^ and $ stand for the ends of a line."""
        import hyperscan

        words, others = _sorted_out(patterns)
        flags = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
        flags |= hyperscan.HS_FLAG_CASELESS if caseless else 0
        # As mere bytes, words are found many times faster.
        expressions = [*(re.escape(word.encode()) for word in words), *others]
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
        meaning = msgspec.Raw(msgspec.msgpack.encode([*words.values(), *others.values()]))
        return cls(database, Saved(list(patterns), caseless, meaning, hyperscan.dumpb(database)))

    @classmethod
    def kept(cls, name: str, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """The scanner for these patterns, compiled now or in an earlier run."""
        import hyperscan

        made_from = [
            str(vars(hyperscan)["__version__"]).encode(),
            str(caseless).encode(),
            "\0".join(patterns).encode(),
            *(path.read_bytes() for path in MADE_BY),
        ]
        return cls.restore(kept(name, made_from, lambda: cls.build(patterns, caseless=caseless).save()))

    @classmethod
    def restore(cls, saved: bytes) -> Scanner:
        """The scanner that `save` saved; the caller has checked that the bytes are whole."""
        import hyperscan

        found = msgspec.msgpack.decode(saved, type=Saved)
        database = hyperscan.loadb(found.database, hyperscan.HS_MODE_BLOCK)
        return cls(database, found)

    def save(self) -> bytes:
        """The compiled database as bytes."""
        return msgspec.msgpack.encode(self._saved)

    def scan(self, lines: Iterable[str]) -> list[Hit]:
        """Each pattern once for each line that it is in, in order of the lines."""
        text = "\n".join(lines).encode("utf-8", "replace")
        hits: list[Hit] = []
        line, counted = 0, 0
        for pattern, start, _ in self.find(text):
            line += text.count(b"\n", counted, start)
            counted = start
            hits.append(Hit(pattern, line))
        return hits

    def _scratch(self) -> hyperscan.Scratch:
        """Room to work in; two threads may not share it."""
        import hyperscan

        found: hyperscan.Scratch | None = getattr(self._own, "scratch", None)
        if found is None:
            found = self._own.scratch = hyperscan.Scratch(self._database)
        return found

    def matches(self, number: int, line: str) -> Iterator[re.Match[str]]:
        """Where in a line the pattern with this number is."""
        return self._expressions[number].finditer(line)

    @cached_property
    def _meaning(self) -> list[list[Announced]]:
        return msgspec.msgpack.decode(self._saved.meaning, type=list[list[Announced]])

    def find(self, text: bytes) -> Iterator[tuple[int, int, int]]:
        """Each pattern once for each line that it is in, with the beginning and the end of the line."""
        ends: list[tuple[int, int]] = []

        def keep(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            ends.append((end, number))

        self._database.scan(text, match_event_handler=keep, scratch=self._scratch())
        start, stop, line, low, seen = 0, -1, "", "", set[int]()
        for end, number in sorted(ends):
            if end > stop:
                start, stop, seen = text.rfind(b"\n", 0, end) + 1, _line_end(text, end), set()
                line = text[start:stop].decode("utf-8", "replace")
                low = line.lower()
            for announced in self._meaning[number]:
                if announced.word in low:
                    for pattern in announced.patterns:
                        if pattern not in seen:
                            seen.add(pattern)
                            if self._expressions[pattern].search(line):
                                yield pattern, start, stop


def _line_end(text: bytes, at: int) -> int:
    found = text.find(b"\n", at)
    return len(text) if found < 0 else found


def _sorted_out(patterns: Sequence[str]) -> tuple[dict[str, list[Announced]], dict[bytes, list[Announced]]]:
    """Words to look for, and patterns that no word announces, each with what it announces."""
    words: dict[str, list[int]] = {}
    others: dict[bytes, list[int]] = {}
    for number, pattern in enumerate(patterns):
        for alternative in alternatives(pattern):
            try:
                found = factors(alternative)
            except ValueError as error:
                raise PatternError(number, str(error)) from None
            for word in found or ():
                words.setdefault(word, []).append(number)
            if not found:
                others.setdefault(_loosened(alternative), []).append(number)
    parts = {part: [Announced(word, words[word]) for word in held] for part, held in cover(words).items()}
    whole = {other: [Announced("", numbers)] for other, numbers in others.items()}
    return parts, whole if parts or whole else {NOTHING: []}


def _loosened(pattern: str) -> bytes:
    """Bounded gaps (`.{0,40}`) as unbounded: that makes the automaton many times cheaper to build."""
    return _BOUNDED.sub(lambda bounds: "*" if bounds[1] == "0" else "+", pattern).encode()


def _blame(patterns: Sequence[str], error: Exception) -> PatternError:
    """Hyperscan names no culprit through this binding, so find it by compiling one by one."""
    import hyperscan

    for number, pattern in enumerate(patterns):
        try:
            hyperscan.Database().compile(expressions=[_loosened(pattern)], ids=[0], flags=[hyperscan.HS_FLAG_UTF8])
        except hyperscan.HyperscanError as own:
            return PatternError(number, str(own))
    raise error
