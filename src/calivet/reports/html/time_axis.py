"""One axis for times that lie seconds or months apart: long stretches without anything are cut out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, sqrt

from msgspec import Struct

from calivet.reports.html.time_words import DAY, HOUR, MINUTE

BREAK = 26.0
"""The room of a cut."""
_PAD = 14.0
_NARROWEST = 76.0
_STRETCHES_AT_MOST = 4
_DWARFS = 4
"""A gap is cut out where it is so many times longer than everything else together."""
_SHORTEST_CUT = 10 * MINUTE
_MONDAY = 4 * DAY
"""1970 began on a Thursday; weeks begin on Mondays."""
STEPS = (
    *(1, 2, 5, 10, 15, 30),
    *(MINUTE * number for number in (1, 2, 5, 10, 15, 30)),
    *(HOUR * number for number in (1, 2, 3, 6, 12)),
    *(DAY * number for number in (1, 2, 7, 14, 28, 91, 182, 364, 728, 1820, 3640, 18200)),
)


class Stretch(Struct, frozen=True):
    """An unbroken part of the axis."""

    first: float
    last: float
    left: float
    right: float

    def at(self, seconds: float) -> float:
        """Where a time stands; times outside stand at the edge."""
        span = self.last - self.first
        part = (min(max(seconds, self.first), self.last) - self.first) / span if span else 0.5
        return self.left + _PAD + part * (self.right - self.left - 2 * _PAD)

    def ticks(self, apart: float, zone: int) -> tuple[float, list[float]]:
        """A round step that leaves this many pixels between ticks, and the ticks; none where there is no span."""
        room = self.right - self.left - 2 * _PAD
        least = (self.last - self.first) * apart / room
        step = next((step for step in STEPS if step >= least), STEPS[-1])
        shift = zone * MINUTE - (_MONDAY if step >= 7 * DAY else 0)
        number = ceil((self.first + shift) / step)
        ticks = []
        while (tick := number * step - shift) <= self.last and self.last > self.first:
            ticks.append(tick)
            number += 1
        return step, ticks


class Axis(Struct, frozen=True):
    """All of it, from left to right."""

    stretches: list[Stretch]

    def at(self, seconds: float) -> float:
        """Where a time stands."""
        within = next((stretch for stretch in self.stretches if seconds <= stretch.last), self.stretches[-1])
        return within.at(seconds)

    def breaks(self) -> Iterator[tuple[float, float]]:
        """The middle of each cut, and how many seconds it leaves out."""
        for before, after in pairwise(self.stretches):
            yield (before.right + after.left) / 2, after.first - before.last


def axis(times: Iterable[float], left: float, right: float) -> Axis:
    """An axis on which all these times have their place."""
    ordered = sorted(set(times))
    spans = _spans(ordered, min(_STRETCHES_AT_MOST, int((right - left + BREAK) / (_NARROWEST + BREAK))))
    free = right - left - BREAK * (len(spans) - 1) - _NARROWEST * len(spans)
    weights = [sqrt(sum(first <= time <= last for time in ordered) - 1) for first, last in spans]
    total = sum(weights)
    stretches = []
    for (first, last), weight in zip(spans, weights, strict=True):
        width = _NARROWEST + free * (weight / total if total else 1 / len(spans))
        stretches.append(Stretch(first, last, left, left + width))
        left += width + BREAK
    return Axis(stretches)


def _spans(ordered: list[float], at_most: int) -> list[tuple[float, float]]:
    """Where something happened: as many gaps are cut out as dwarf all that is left without them."""
    gaps = sorted(((after - before, place) for place, (before, after) in enumerate(pairwise(ordered), 1)), reverse=True)
    left, cuts = ordered[-1] - ordered[0], 0
    for number, (gap, _) in enumerate(gaps[: at_most - 1], 1):
        left -= gap
        if gap < _SHORTEST_CUT or left <= 0:
            break
        if gap >= _DWARFS * left:
            cuts = number
    edges = [0, *sorted(place for _, place in gaps[:cuts]), len(ordered)]
    return [(ordered[one], ordered[other - 1]) for one, other in pairwise(edges)]
