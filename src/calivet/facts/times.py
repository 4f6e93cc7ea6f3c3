"""Times and durations as kubectl, Calico, klog, journald and docker write them, and the time of a line."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache

from calivet.evidence.artifact import Artifact, Line
from calivet.search.expressions import expression

_UNIT_SECONDS = {"y": 31_536_000, "w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1, "ms": 0.001}
_COMPACT = expression(r"(?:\d{1,12}(?:\.\d{1,9})?(?:ms|[ywdhms]))+")
_COMPACT_PART = expression(r"(\d{1,12}(?:\.\d{1,9})?)(ms|[ywdhms])")
_WORDS = expression(r"\b(\d+|an?|less than a)\s+(year|month|week|day|hour|minute|second)s?\b", re.IGNORECASE)
_WORD_SECONDS = {
    "year": 31_536_000,
    "month": 2_592_000,
    "week": 604_800,
    "day": 86_400,
    "hour": 3_600,
    "minute": 60,
    "second": 1,
}

# klog and syslog write no year; a leap year keeps 29 February valid, and only differences are ever taken.
YEARLESS = 2000

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()

_ISO = expression(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?Z| ?[+-]\d\d:?\d\d\b)?")
_RFC1123 = expression(r"(?:[A-Z][a-z]{2}, )?(\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d)(?: ([+-]\d{4}))?")
_KLOG = expression(r"\b[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d+)")
_SYSLOG = expression(r"\b([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d)\b")


@lru_cache(4096)
def parse_age(text: str) -> float | None:
    """Seconds of `7d22h`, `3m ago`, `About an hour ago`, `Up 2 days`; None where no duration is in it."""
    if compact := _COMPACT.search(text):
        return float(sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _COMPACT_PART.findall(compact[0])))
    if words := _WORDS.search(text):
        number = int(words[1]) if words[1].isdigit() else 1
        return float(number * _WORD_SECONDS[words[2].lower()])
    return None


def parse_time(text: str) -> datetime | None:
    """The first time in the text. Yearless times get a fixed year, so only their differences mean something."""
    for parser in (_parse_iso, _parse_rfc1123, _parse_klog, _parse_syslog):
        try:
            if (found := parser(text)) is not None:
                return found
        except ValueError:
            continue
    return None


def count_seconds_between(start: datetime | None, end: datetime | None) -> float | None:
    """Seconds from start to end; times of unlike zone knowledge are compared by their clock faces."""
    if start is None or end is None:
        return None
    if (start.tzinfo is None) != (end.tzinfo is None):
        start, end = start.replace(tzinfo=None), end.replace(tzinfo=None)
    return (end - start).total_seconds()


def _parse_iso(text: str) -> datetime | None:
    found = _ISO.search(text)
    if not found:
        return None
    written = found[0].replace(",", ".").replace(" Z", "Z").replace("Z", "+00:00")
    written = re.sub(r"\.(\d{1,6})\d*", lambda m: "." + m[1].ljust(6, "0"), written)
    return datetime.fromisoformat(re.sub(r" ([+-])", r"\1", written))


def _parse_rfc1123(text: str) -> datetime | None:
    found = _RFC1123.search(text)
    if not found:
        return None
    day, month, year, clock = found[1].split(" ")
    return _build_time(int(year), month, day, clock, found[2] or "")


def _parse_klog(text: str) -> datetime | None:
    found = _KLOG.search(text)
    return datetime.fromisoformat(f"{YEARLESS}-{found[1]}-{found[2]} {found[3][:15]}") if found else None


def _parse_syslog(text: str) -> datetime | None:
    found = _SYSLOG.search(text)
    return _build_time(YEARLESS, found[1], found[2], found[3]) if found else None


def _build_time(year: int, month: str, day: str, clock: str, zone: str = "") -> datetime:
    """By hand: the library's way to read names of months costs every start of calivet some milliseconds."""
    return datetime.fromisoformat(f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02} {clock}{zone}")


NEAR = 5
"""Lines above a line without a time that may still tell its time: a stack trace, a wrapped message."""
TAIL = 60
"""Lines at the end of a log of which one should have a time."""
HEAD = 200
"""Characters in which a line's own time stands; times further on are part of what it says."""
# The kernel counts seconds since it began; only differences are ever taken, and as yearless times they have no zone.
_SINCE_BOOT = expression(r"^(?:<\d+>)?\[ *(?P<seconds>\d+\.\d{3,6})\]")
_BOOT = datetime(2000, 1, 1)


def find_time_of_line(artifact: Artifact, line: Line) -> datetime | None:
    """Its own time, or that of the nearest line above it that has one."""
    index = artifact.index(line.number)
    for text in reversed(artifact.lines[max(0, index - NEAR) : index + 1]):
        if found := _read_time(text):
            return found
    return None


def find_last_time(artifact: Artifact) -> datetime | None:
    """The time of its last line that has one."""
    for text in reversed(artifact.lines[-TAIL:]):
        if found := _read_time(text):
            return found
    return None


def _read_time(text: str) -> datetime | None:
    if since_boot := _SINCE_BOOT.match(text):
        return _BOOT + timedelta(seconds=float(since_boot["seconds"]))
    return parse_time(text[:HEAD])
