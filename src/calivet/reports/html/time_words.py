"""Times and spans as a person writes them, in either language."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from calivet.catalogue.words import Words
from calivet.reports.html.drawing_words import word
from calivet.scene.scene import Timeline

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
_EPOCH = datetime(1970, 1, 1)
# Go's empty time is in the year 1; a clock that says so must not stop the drawing, whatever its zone.
_EARLIEST, _LATEST = datetime(2, 1, 1), datetime(9998, 1, 1)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_UNITS = (
    (DAY, Words("{n} d", "{n} 天")),
    (HOUR, Words("{n} h", "{n} 小时")),
    (MINUTE, Words("{n} min", "{n} 分钟")),
    (1.0, Words("{n} s", "{n} 秒")),
)


class Clock(Struct, frozen=True):
    """How this timeline tells the time, in the reader's language."""

    language: str
    by_day: bool
    """There is a time of day; else seconds before the evidence was taken."""
    zone: int
    year: bool
    """The year of the times means something."""

    def full(self, seconds: float) -> str:
        """A time on its own."""
        if not self.by_day:
            return self.before(seconds)
        return f"{self.date(seconds)} {self.time(seconds, 1)}"

    def time(self, seconds: float, step: float) -> str:
        """The time of day, as fine as the step needs."""
        return f"{self.moment(seconds):{'%H:%M:%S' if step % MINUTE else '%H:%M'}}"

    def date(self, seconds: float, near: float | None = None) -> str:
        """The day, with its year where it is known and another one than that of a time nearby."""
        day = self.moment(seconds)
        year = self.year and (near is None or self.moment(near).year != day.year)
        if self.language == "zh":
            return (f"{day.year}年" if year else "") + f"{day.month}月{day.day}日"
        return f"{day.day} {_MONTHS[day.month - 1]}" + (f" {day.year}" if year else "")

    def before(self, seconds: float) -> str:
        """How long before the evidence was taken."""
        if seconds > -0.5:
            return word("now", self.language)
        return word("ago", self.language, span=span(-seconds, self.language))

    def range(self, start: float, end: float) -> str:
        """One time or two."""
        first, last = self.full(start), self.full(end)
        if first != last and self.by_day and self.date(start) == self.date(end):
            last = self.time(end, 1)
        return first if first == last else word("from.to", self.language, start=first, end=last)

    def moment(self, seconds: float) -> datetime:
        """On the clock that the evidence was written by."""
        low, high = ((day - _EPOCH).total_seconds() for day in (_EARLIEST, _LATEST))
        return _EPOCH + timedelta(seconds=min(max(seconds, low), high), minutes=self.zone)


def clock_of(found: Timeline, language: str) -> Clock:
    """The clock of a timeline."""
    return Clock(language, found.clock, found.zone or 0, found.year)


def span(seconds: float, language: str) -> str:
    """The two largest units: 1 h 30 min."""
    left, parts = round(seconds), []
    for size, unit in _UNITS:
        number, rest = divmod(left, int(size))
        if number:
            parts.append(unit.read(language).replace("{n}", f"{number:,}"))
        if len(parts) == 2 or (parts and size == DAY and number >= 10):
            break
        left = rest
    return " ".join(parts) or _UNITS[-1][1].read(language).replace("{n}", "0")


def zone_name(minutes: int) -> str:
    """UTC, or how far from it."""
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '−'}{hours:02}:{rest:02}" if minutes else "UTC"
