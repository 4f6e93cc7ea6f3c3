"""A log too long to keep, let through in blocks: what tells something is kept, the rest is only counted.

Memory stays the same however long the log is. What tells something is not for this room to know: a lookout knows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from calivet.evidence.artifact import Document
from calivet.evidence.decoding import decode
from calivet.evidence.lookout import Found, Lookout
from calivet.evidence.side_by_side import side_by_side

FIRST = LAST = 25
"""Lines kept of each pattern, from the beginning and from the end of the log."""
AROUND = 2
"""Lines kept before and behind each of them."""
ENDS = 300
"""Lines kept at either end of the log."""
LONGEST = 1 << 14
"""Bytes kept of one line."""

# What terminals and other systems leave in text; most logs hold none of it, and then their bytes are taken as they are.
_LEFTOVERS = (b"\x1b", b"\r", b"\b", b"\a", b"\0")

Place = tuple[int, int, int]
"""A line's number, and where it begins and ends."""


class Sieve:
    """One log."""

    def __init__(self, lookout: Lookout) -> None:
        """Nothing has gone through yet."""
        self._lookout = lookout
        self._lines = 0
        self._kept: dict[int, bytes] = {}
        self._last: dict[int, deque[dict[int, bytes]]] = {}
        self._count: dict[int, int] = {}
        self._tail: deque[bytes] = deque(maxlen=ENDS)

    def pour(self, blocks: Iterable[bytes]) -> Iterator[int]:
        """Blocks of whole lines; gives the size of each once it is through."""
        for size, text, found in side_by_side(self._looked_at, blocks):
            self._take_all(text, found)
            yield size

    def _looked_at(self, block: bytes) -> tuple[int, bytes, list[Found]]:
        text = plain(block)
        return len(block), text, list(self._lookout.find(text))

    def _take_all(self, text: bytes, hits: Sequence[Found]) -> None:
        found: dict[int, list[Place]] = {}
        number, counted = self._lines + 1, 0
        for pattern, start, end in hits:
            number += text.count(b"\n", counted, start)
            counted = start
            found.setdefault(pattern, []).append((number, start, end))
        for pattern, places in found.items():
            self._take(pattern, places, text)
        self._take_ends(text)

    def document(self, name: str) -> Document:
        """What was kept, each line with its number."""
        kept = dict(self._kept)
        for late in self._last.values():
            for found in late:
                kept |= found
        kept |= enumerate(self._tail, self._lines - len(self._tail) + 1)
        numbers = sorted(kept)
        lines = [kept[number].decode("utf-8", "replace") for number in numbers]
        return Document(name, lines, numbers=numbers, counts=self._count)

    def _take(self, pattern: int, places: Sequence[Place], text: bytes) -> None:
        before = self._count.get(pattern, 0)
        self._count[pattern] = before + len(places)
        first = max(0, FIRST - before)
        for place in places[:first]:
            self._kept |= _around(text, *place)
        late = self._last.setdefault(pattern, deque(maxlen=LAST))
        late.extend(_around(text, *place) for place in places[first:][-LAST:])

    def _take_ends(self, text: bytes) -> None:
        body = text.removesuffix(b"\n")
        if self._lines < ENDS:
            beginning = body.split(b"\n", ENDS)[: ENDS - self._lines]
            self._kept |= {self._lines + place: line[:LONGEST] for place, line in enumerate(beginning, 1)}
        self._tail.extend(line[:LONGEST] for line in body.rsplit(b"\n", ENDS)[-ENDS:])
        self._lines += body.count(b"\n") + 1


def plain(block: bytes) -> bytes:
    """The block as a person would see it, in UTF-8."""
    if block.isascii() and not any(leftover in block for leftover in _LEFTOVERS):
        return block
    return "\n".join(decode(block)).encode("utf-8", "replace")


def _around(text: bytes, number: int, start: int, end: int) -> dict[int, bytes]:
    """The line and its neighbours in the block, each with its number."""
    found = {number: text[start : min(end, start + LONGEST)]}
    left, right = start - 1, end
    for distance in range(1, AROUND + 1):
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
