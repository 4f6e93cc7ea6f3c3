"""Puts every time on one axis, whatever it is told by: a date, a date without its year, an age."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone

from msgspec import Struct

from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Setting
from calivet.facts.host import NodeProbe
from calivet.facts.times import parse_time
from calivet.reports.diagnosis.html.page_model.happenings import Draft, Moment
from calivet.search.expressions import expression

_DAY = 86_400.0
# Lines without a year are dated 2000; a clock that says anything else before 2010 was never set.
_YEARLESS, _FIRST_YEAR, _LAST_YEAR = 2000, 2010, 2200
_LEAP_YEARS_APART = 8
# Further in a line stand other times: when a certificate ends, when a request was made.
_HEAD = expression(
    r"^\s*(?:\[pod/\S{1,300}\] )?(?:\{.{0,120}?\"(?:ts|time|@timestamp)\": ?\")?[\"'\[<]{0,2}(?:(?:time|ts)=\"?)?"
    r"(?=\d{4}-\d\d-\d\d[T _]\d|[IWEF]\d{4} \d\d:|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:)"
)
_ROOM = 40
_SYSLOG = expression(r"^\s*\[?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:")


class Clock(Struct, frozen=True, kw_only=True):
    """When the evidence was taken, and what is needed to understand the times in it."""

    taken: float | None
    """Seconds since 1970; None where no time of day was seen."""
    assumed: bool
    """The latest time of all was taken for it."""
    zone: int | None
    """Minutes east of UTC in most times that say."""
    local: timezone
    """That of the machines, where some time with an offset lets guess it."""
    documents: dict[str, float]
    """When a document was written, where it says so itself."""

    @property
    def year(self) -> bool:
        """Whether the year is known."""
        return self.taken is None or _read_year(self.taken) != _YEARLESS

    def place(self, moment: Moment) -> float | None:
        """Where it stands on the axis; None for a clock that is plainly wrong."""
        told, line = moment.told, moment.line
        if isinstance(told, timedelta):
            return self.documents.get(line.artifact, self.taken or 0.0) - told.total_seconds()
        if not _is_possible(told) or self.taken is None:
            return None
        zoned = _add_zone(told, self.local if is_machines_own(line.text) else UTC)
        seconds = _find_last_date(zoned, self.taken) if told.year == _YEARLESS else zoned.timestamp()
        return None if seconds > self.taken + _DAY else seconds


def set_clock(picture: ClusterFacts, drafts: Iterable[Draft], taken: datetime | None) -> Clock:
    """What whoever brought the evidence says counts first, then probes and `date`, then the latest time of all."""
    told = [moment.told for draft in drafts for moment in draft.times]
    told += [span.last_time for span in picture.all(LogSpan) if span.last_time]
    times = [time for time in told if isinstance(time, datetime) and _is_possible(time)]
    away = _find_common_zone(time for time in times if time.utcoffset())
    local = timezone(timedelta(minutes=away)) if away else UTC
    documents = {name: _add_zone(time, local).timestamp() for name, time in _find_written_times(picture)}
    certain = [_add_zone(taken, UTC).timestamp()] if taken else list(documents.values())
    dated = [time for time in times if time.year != _YEARLESS] or times
    latest = max((_add_zone(time, UTC).timestamp() for time in dated), default=None)
    return Clock(
        taken=max(certain, default=latest),
        assumed=not certain,
        zone=_find_common_zone(times),
        local=local,
        documents=documents,
    )


def _find_written_times(picture: ClusterFacts) -> Iterator[tuple[str, datetime]]:
    """The moments at which documents say that they were written."""
    for setting in picture.all(Setting):
        if (setting.program, setting.key) == ("clock", "time"):
            try:
                time = datetime.fromisoformat(str(setting.value))
            except ValueError:
                continue
            if _FIRST_YEAR <= time.year < _LAST_YEAR:
                yield setting.at.artifact, time
    for probe in picture.all(NodeProbe):
        if probe.time and _FIRST_YEAR <= probe.time.year < _LAST_YEAR:
            yield probe.at.artifact, probe.time


def _is_possible(time: datetime) -> bool:
    return time.year == _YEARLESS or _FIRST_YEAR <= time.year < _LAST_YEAR


def _add_zone(time: datetime, zone: timezone) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=zone)


def _find_common_zone(times: Iterable[datetime]) -> int | None:
    """Minutes east of UTC of most of those that tell."""
    told = Counter(int(offset.total_seconds() // 60) for time in times if (offset := time.utcoffset()) is not None)
    return told.most_common(1)[0][0] if told else None


def _find_last_date(time: datetime, latest: float) -> float:
    """The last such day before the evidence was taken, give or take a zone; 29 February is not in every year."""
    newest = _read_year(latest + _DAY)
    for year in range(newest, newest - _LEAP_YEARS_APART - 1, -1):
        try:
            seconds = time.replace(year=year).timestamp()
        except ValueError:
            continue
        if seconds <= latest + _DAY:
            return seconds
    return time.timestamp()


def _read_year(seconds: float) -> int:
    return datetime.fromtimestamp(seconds, UTC).year


def read_stamp(text: str) -> datetime | None:
    """The time, or None for a line without one of its own."""
    head = _HEAD.match(text)
    # What runs under runit, as BIRD does, has date and time joined by an underscore.
    return parse_time(text[head.end() : head.end() + _ROOM].replace("_", " ", 1)) if head else None


def is_machines_own(text: str) -> bool:
    """Whether a machine wrote the line by its own clock; containers are nearly always on UTC."""
    return _SYSLOG.match(text) is not None
