"""The one-pass scanner: all patterns as one Hyperscan automaton over raw bytes.

Cost is linear in the text whatever the number of patterns. The automaton takes bounded gaps (`.{0,40}`) as unbounded:
that makes it many times cheaper to build, and the caller sorts out with `re` the few lines that are too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from calivet.evidence.cache import kept

if TYPE_CHECKING:
    import hyperscan

# The engine wants at least one pattern; clean text holds no NUL.
NOTHING = r"\x00"
_BOUNDED = re.compile(r"(?<!\\)\{(\d+),\d*\}")


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


class Scanner:
    """Finds every pattern in every line."""

    def __init__(self, database: hyperscan.Database) -> None:
        """Wrap a compiled database; use `build` or `restore`."""
        self._database = database

    @classmethod
    def build(cls, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """Compile the patterns; ^ and $ stand for the ends of a line."""
        import hyperscan

        patterns = patterns or [NOTHING]
        database = hyperscan.Database()
        flags = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
        flags |= hyperscan.HS_FLAG_CASELESS if caseless else 0
        count = len(patterns)
        try:
            database.compile(
                expressions=[_loosened(pattern) for pattern in patterns],
                ids=list(range(count)),
                elements=count,
                flags=[flags] * count,
            )
        except hyperscan.HyperscanError as error:
            raise _blame(patterns, error) from None
        return cls(database)

    @classmethod
    def kept(cls, name: str, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """The scanner for these patterns, compiled now or in an earlier run."""
        import hyperscan

        made_from = [
            str(vars(hyperscan)["__version__"]).encode(),
            str(caseless).encode(),
            "\0".join(patterns).encode(),
        ]
        return cls.restore(kept(name, made_from, lambda: cls.build(patterns, caseless=caseless).save()))

    @classmethod
    def restore(cls, saved: bytes) -> Scanner:
        """The scanner that `save` saved; the caller has checked that the bytes are whole."""
        import hyperscan

        database = hyperscan.loadb(saved, hyperscan.HS_MODE_BLOCK)
        database.scratch = hyperscan.Scratch(database)
        return cls(database)

    def save(self) -> bytes:
        """The compiled database as bytes."""
        import hyperscan

        saved: bytes = hyperscan.dumpb(self._database)
        return saved

    def scan(self, lines: Iterable[str]) -> list[Hit]:
        """Each pattern once for each line it is found in, in order of the lines."""
        text = "\n".join(lines).encode("utf-8", "replace")
        ends: list[tuple[int, int]] = []

        def keep(pattern: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            ends.append((end, pattern))

        self._database.scan(text, match_event_handler=keep)
        return _by_line(text, ends)


def _loosened(pattern: str) -> bytes:
    return _BOUNDED.sub(lambda bounds: "*" if bounds[1] == "0" else "+", pattern).encode()


def _by_line(text: bytes, ends: list[tuple[int, int]]) -> list[Hit]:
    hits: dict[Hit, None] = {}
    line, counted = 0, 0
    for end, pattern in sorted(ends):
        line += text.count(b"\n", counted, end)
        counted = end
        hits[Hit(pattern, line)] = None
    return list(hits)


def _blame(patterns: Sequence[str], error: Exception) -> PatternError:
    """Hyperscan names no culprit through this binding, so find it by compiling one by one."""
    import hyperscan

    for number, pattern in enumerate(patterns):
        try:
            hyperscan.Database().compile(expressions=[_loosened(pattern)], ids=[0], flags=[hyperscan.HS_FLAG_UTF8])
        except hyperscan.HyperscanError as own:
            return PatternError(number, str(own))
    raise error
