"""A log too long to keep, let through in blocks: what tells something is kept, the rest is only counted.

Memory stays the same however long the log is. What tells something is not for this room to know: a lookout knows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

from calivet.evidence.artifact import Document
from calivet.evidence.crowd import crowd
from calivet.evidence.looking import LookedAt, Places
from calivet.evidence.lookout import Lookout
from calivet.evidence.side_by_side import side_by_side

LONGEST = 1 << 14
"""Bytes kept of one line."""


class Keep(Struct, frozen=True):
    """How many lines are kept."""

    hits: int
    """Of each pattern, from the beginning and from the end of the log."""
    around: int
    """Before and behind each of them."""
    ends: int
    """At either end of the log, whatever they say."""


USUAL = Keep(hits=25, around=2, ends=150)
LITTLE = Keep(hits=1, around=0, ends=0)


class Sieve:
    """One log."""

    def __init__(self, lookout: Lookout, keep: Keep = USUAL) -> None:
        """Nothing has gone through yet."""
        self._crowd, self._keep = crowd(lookout), keep
        self._lines = 0
        self._kept: dict[int, bytes] = {}
        self._last: dict[int, deque[dict[int, bytes]]] = {}
        self._count: dict[int, int] = {}
        self._tail: deque[bytes] = deque(maxlen=keep.ends)
        self._latest = b""

    def pour(self, blocks: Iterable[bytes]) -> Iterator[int]:
        """Blocks of whole lines; gives the size of each once it is through."""
        for looked_at in side_by_side(self._looked_at, blocks, self._crowd.hands):
            self._take_all(looked_at)
            yield looked_at.size

    def _looked_at(self, block: bytes) -> LookedAt:
        return self._crowd.look(block, self._keep.hits)

    def _take_all(self, block: LookedAt) -> None:
        for pattern, places in block.found.items():
            self._take(pattern, places, block.text)
        self._take_ends(block.text, block.lines)

    def document(self, name: str) -> Document:
        """What was kept, each line with its number."""
        kept = dict(self._kept)
        for late in self._last.values():
            for found in late:
                kept |= found
        self._cut_latest()
        kept |= enumerate(self._tail, self._lines - len(self._tail) + 1)
        numbers = sorted(kept)
        lines = [kept[number].decode("utf-8", "replace") for number in numbers]
        return Document(name, lines, numbers=numbers, counts=self._count)

    def _take(self, pattern: int, places: Places, text: bytes) -> None:
        before = self._count.get(pattern, 0)
        self._count[pattern] = before + places.count
        some = [*places.first, *places.last]
        first = max(0, self._keep.hits - before)
        for place in some[:first]:
            self._kept |= self._around(text, *place)
        late = self._last.setdefault(pattern, deque(maxlen=self._keep.hits))
        late.extend(self._around(text, *place) for place in some[first:][-self._keep.hits :])

    def _around(self, text: bytes, number: int, start: int, end: int) -> dict[int, bytes]:
        return _neighbourhood(text, self._keep.around, self._lines + number, start, end)

    def _take_ends(self, text: bytes, lines: int) -> None:
        ends = self._keep.ends
        if self._lines < ends:
            beginning = text.split(b"\n", ends)[: min(lines, ends - self._lines)]
            self._kept |= {self._lines + place: line[:LONGEST] for place, line in enumerate(beginning, 1)}
        self._cut_latest(unless=lines >= ends)
        self._latest = text
        if lines < ends:  # long lines: were they kept whole, so many of them would take much memory
            self._cut_latest()
        self._lines += lines

    def _cut_latest(self, *, unless: bool = False) -> None:
        """The last block into lines, unless the next one has enough of its own: most blocks are never cut."""
        if self._latest and not unless:
            lines = self._latest.removesuffix(b"\n").rsplit(b"\n", self._keep.ends)
            self._tail.extend(line[:LONGEST] for line in lines[-self._keep.ends :])
        self._latest = b""


def _neighbourhood(text: bytes, reach: int, number: int, start: int, end: int) -> dict[int, bytes]:
    """The line and so many neighbours in the block, each with its number."""
    found = {number: text[start : min(end, start + LONGEST)]}
    left, right = start - 1, end
    for distance in range(1, reach + 1):
        if left >= 0:
            before = text.rfind(b"\n", 0, left) + 1
            found[number - distance] = text[before:left][:LONGEST]
            left = before - 1
        if right + 1 < len(text):
            behind = text.find(b"\n", right + 1)
            behind = len(text) if behind < 0 else behind
            found[number + distance] = text[right + 1 : behind][:LONGEST]
            right = behind
    return found
