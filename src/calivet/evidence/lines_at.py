"""The lines that an automaton points to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from calivet.evidence.announcing import Place

AT_ONCE = 1 << 17
"""Bytes of a line that are decided on at once; of a longer one, so many around each place."""

Stretch = tuple[int, int, Sequence[Place]]
"""Where a line, or a part of one, begins and ends, and the places in it."""


def lines_at(text: bytes, places: Sequence[Place]) -> Iterator[Stretch]:
    """Each line with places in it."""
    begun, every = 0, len(places)
    while begun < every:
        end, _ = places[begun]
        start = text.rfind(b"\n", 0, end) + 1
        stop = text.find(b"\n", end) % (len(text) + 1)  # none is the end of the text
        behind = begun + 1
        while behind < every and places[behind][0] <= stop:
            behind += 1
        yield start, stop, places[begun:behind]
        begun = behind


def parts_of(line: Stretch) -> Iterator[Stretch]:
    """What is looked at to decide on the places of a long line."""
    start, stop, places = line
    begun = 0
    while begun < len(places):
        end, _ = places[begun]
        behind = bisect_right(places, (end + AT_ONCE // 4, 0), begun + 1)
        yield max(start, end - AT_ONCE // 2), min(stop, end + AT_ONCE // 2), places[begun:behind]
        begun = behind
