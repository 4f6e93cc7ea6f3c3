"""The axis of time: where a moment stands on it, and how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from math import ceil, sqrt

from msgspec import Struct

from calivet.messages.message import Area
from calivet.reports.diagnosis.html.page_model.model import Timeline

word = Area("drawing")

BREAK = 26.0
"""The room of a cut."""
_PAD = 14.0
_NARROWEST = 76.0
_STRETCHES_AT_MOST = 4
_DWARFS = 4
"""A gap is cut out where it is so many times longer than everything else together."""
MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
_SHORTEST_CUT = 10 * MINUTE
_MONDAY = 4 * DAY
"""1970 began on a Thursday; weeks begin on Mondays."""
STEPS = (
    *(1, 2, 5, 10, 15, 30),
    *(MINUTE * number for number in (1, 2, 5, 10, 15, 30)),
    *(HOUR * number for number in (1, 2, 3, 6, 12)),
    *(DAY * number for number in (1, 2, 7, 14, 28, 91, 182, 364, 728, 1820, 3640, 18200)),
)
_EPOCH = datetime(1970, 1, 1)
# Go's empty time is in the year 1; a clock that says so must not stop the drawing, whatever its zone.
_EARLIEST, _LATEST = datetime(2, 1, 1), datetime(9998, 1, 1)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_UNITS = (
    (DAY, "span.days"),
    (HOUR, "span.hours"),
    (MINUTE, "span.minutes"),
    (1.0, "span.seconds"),
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

    def place_ticks(self, apart: float, zone: int) -> tuple[float, list[float]]:
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

    def list_breaks(self) -> Iterator[tuple[float, float]]:
        """The middle of each cut, and how many seconds it leaves out."""
        for before, after in pairwise(self.stretches):
            yield (before.right + after.left) / 2, after.first - before.last


def build_axis(times: Iterable[float], left: float, right: float) -> Axis:
    """An axis on which all these times have their place."""
    ordered = sorted(set(times))
    spans = _find_spans(ordered, min(_STRETCHES_AT_MOST, int((right - left + BREAK) / (_NARROWEST + BREAK))))
    free = right - left - BREAK * (len(spans) - 1) - _NARROWEST * len(spans)
    weights = [sqrt(sum(first <= time <= last for time in ordered) - 1) for first, last in spans]
    total = sum(weights)
    stretches = []
    for (first, last), weight in zip(spans, weights, strict=True):
        width = _NARROWEST + free * (weight / total if total else 1 / len(spans))
        stretches.append(Stretch(first, last, left, left + width))
        left += width + BREAK
    return Axis(stretches)


def _find_spans(ordered: list[float], at_most: int) -> list[tuple[float, float]]:
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


class TimeFormat(Struct, frozen=True):
    """How this timeline tells the time, in the reader's language."""

    language: str
    by_day: bool
    """There is a time of day; else seconds before the evidence was taken."""
    zone: int
    year: bool
    """The year of the times means something."""

    def format_full(self, seconds: float) -> str:
        """A time on its own."""
        if not self.by_day:
            return self.format_age(seconds)
        return f"{self.format_date(seconds)} {self.format_time(seconds, 1)}"

    def format_time(self, seconds: float, step: float) -> str:
        """The time of day, as fine as the step needs."""
        return f"{self.place_moment(seconds):{'%H:%M:%S' if step % MINUTE else '%H:%M'}}"

    def format_date(self, seconds: float, near: float | None = None) -> str:
        """The day, with its year where it is known and another one than that of a time nearby."""
        day = self.place_moment(seconds)
        year = self.year and (near is None or self.place_moment(near).year != day.year)
        if self.language == "zh":
            return (f"{day.year}年" if year else "") + f"{day.month}月{day.day}日"
        return f"{day.day} {_MONTHS[day.month - 1]}" + (f" {day.year}" if year else "")

    def format_age(self, seconds: float) -> str:
        """How long before the evidence was taken."""
        if seconds > -0.5:
            return word("now", self.language)
        return word("ago", self.language, span=format_span(-seconds, self.language))

    def format_range(self, start: float, end: float) -> str:
        """One time or two."""
        first, last = self.format_full(start), self.format_full(end)
        if first != last and self.by_day and self.format_date(start) == self.format_date(end):
            last = self.format_time(end, 1)
        return first if first == last else word("from.to", self.language, start=first, end=last)

    def place_moment(self, seconds: float) -> datetime:
        """On the clock that the evidence was written by."""
        low, high = ((day - _EPOCH).total_seconds() for day in (_EARLIEST, _LATEST))
        return _EPOCH + timedelta(seconds=min(max(seconds, low), high), minutes=self.zone)


def build_clock(found: Timeline, language: str) -> TimeFormat:
    """The clock of a timeline."""
    return TimeFormat(language, found.clock, found.zone or 0, found.year)


def format_span(seconds: float, language: str) -> str:
    """The two largest units: 1 h 30 min."""
    left, parts = round(seconds), []
    for size, unit in _UNITS:
        number, rest = divmod(left, int(size))
        if number:
            parts.append(word(unit, language, count=number))
        if len(parts) == 2 or (parts and size == DAY and number >= 10):
            break
        left = rest
    return " ".join(parts) or word("span.seconds", language, count=0)


def format_zone(minutes: int) -> str:
    """UTC, or how far from it."""
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '−'}{hours:02}:{rest:02}" if minutes else "UTC"
