"""Everything that has a time, on one axis, the most telling first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone

from msgspec import Struct

from calivet.catalogue.model import Cause
from calivet.evidence.artifact import Line
from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Setting
from calivet.facts.host import NodeProbe
from calivet.facts.times import parse_time
from calivet.messages.words import Words
from calivet.pipeline import Examined
from calivet.reasoning.diagnosis import Candidate, Finding
from calivet.reasoning.weigh import locate_line
from calivet.reports.diagnosis.html.page_model.happenings import (
    Draft,
    Moment,
    draft_conditions,
    draft_events,
    draft_restarts,
)
from calivet.reports.diagnosis.html.page_model.model import (
    CONDITION,
    EVENT,
    HARMLESS,
    RESTART,
    SIGN,
    Happening,
    Timeline,
)
from calivet.search.expressions import expression
from calivet.signs.sighting import Key, Sighting

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


MOST = 600
"""More than this nobody reads, and no page need carry."""

_TELLING = (SIGN, RESTART, CONDITION, EVENT, HARMLESS)


def build_timeline(examined: Examined) -> Timeline:
    """Where a time of day was seen it is a clock's; else it counts back from when the evidence was taken."""
    picture, said = examined.picture, list(find_subjects(examined))
    causes = {locate_line(one.line): item.cause for item in reversed(said) for one in item.sightings}
    made = [
        *draft_sightings(said, picture),
        *draft_events(picture, causes),
        *draft_restarts(picture),
        *draft_conditions(picture),
    ]
    time = set_clock(picture, made, examined.taken)
    placed = [happening for draft in made if (happening := _place_draft(draft, time))]
    near = sorted(_filter_near(placed), key=_rank)
    ages = any(draft.by_age for draft in made)
    return Timeline(
        happenings=near[:MOST],
        clock=time.taken is not None,
        assumed=time.taken is not None and time.assumed and ages,
        zone=time.zone,
        year=time.year,
        left_out=len(made) - len(placed) + max(0, len(near) - MOST),
    )


def _place_draft(draft: Draft, time: Clock) -> Happening | None:
    times = [seconds for moment in draft.times if (seconds := time.place(moment)) is not None]
    if not times:
        return None
    return Happening(
        lane=draft.lane,
        kind=draft.kind,
        title=draft.title,
        start=min(times),
        end=max(times),
        count=draft.count,
        bad=draft.bad,
        cause=draft.cause,
        line=draft.line,
    )


def _filter_near(placed: list[Happening]) -> Iterable[Happening]:
    """All that is bad, and what is good about that time: a node that became ready a year ago would hide the hour."""
    bad = [one for one in placed if one.bad]
    if not bad:
        return placed
    start, end = min(one.start for one in bad), max(one.end for one in bad)
    room = end - start
    return [one for one in placed if one.bad or (one.start >= start - room and one.end <= end + room)]


def _rank(one: Happening) -> tuple[bool, bool, int, int, float]:
    return not one.cause, not one.bad, _TELLING.index(one.kind), -one.count, one.start


class Subject(Struct, frozen=True):
    """Sightings that say the same."""

    kind: str
    title: Words
    cause: str
    sightings: Sequence[Sighting]


def find_subjects(examined: Examined) -> Iterator[Subject]:
    """What the findings rest on and explain, or where there are none the candidates; then what was set aside."""
    diagnosis = examined.diagnosis
    owners: dict[str, list[Sighting]] = defaultdict(list)
    for key, found in examined.seen.items():
        owners[key.owner] += found
    judged: Iterable[Finding | Candidate] = diagnosis.findings or diagnosis.candidates
    for one in judged:
        yield from _list_signs(one.cause, examined)
    yield from _list_effects(diagnosis.findings, owners)
    harmless = {
        locate_line(one.line): key.owner
        for key, found in examined.seen.items()
        if key.part == HARMLESS
        for one in found
    }
    for aside in diagnosis.set_aside:
        owner = harmless.get(locate_line(aside.line), "")
        yield Subject(HARMLESS, aside.why, "", owners[owner])


def _list_effects(findings: Sequence[Finding], owners: Mapping[str, list[Sighting]]) -> Iterator[Subject]:
    """Where several findings explain the same, each what was seen on its own nodes, and the rest nobody's."""
    explained = {finding.cause.id: {item.effect: item.title for item in finding.explains} for finding in findings}
    for finding in findings:
        mine = {None, *finding.nodes}
        for effect, title in explained[finding.cause.id].items():
            near = [one for one in owners[effect] if len(findings) == 1 or one.node in mine]
            yield Subject(SIGN, title, finding.cause.id, near)
    for effects in explained.values():
        yield from (Subject(SIGN, title, "", owners[effect]) for effect, title in effects.items())


def draft_sightings(said: Iterable[Subject], picture: ClusterFacts) -> Iterator[Draft]:
    """One for each node; a line that has spoken once does not speak again."""
    used: set[tuple[str, int]] = set()
    for subject in said:
        lanes: dict[str, list[Sighting]] = defaultdict(list)
        for one in subject.sightings:
            if not one.note and locate_line(one.line) not in used:
                lanes[one.node or ""].append(one)
        used.update(locate_line(one.line) for one in subject.sightings)
        for lane, found in lanes.items():
            if draft := _draft_sighting(subject, lane, found, picture):
                yield draft


def _list_signs(cause: Cause, examined: Examined) -> Iterator[Subject]:
    for sign in cause.signs:
        if found := examined.seen.get(Key(cause.id, sign.id)):
            says = sign.says.fill({"node": found[0].node or ""} | found[0].values)
            yield Subject(SIGN, says, cause.id, found)


def _draft_sighting(subject: Subject, lane: str, found: list[Sighting], picture: ClusterFacts) -> Draft | None:
    stamped = [one for one in found if read_stamp(one.line.text)]
    if not stamped:
        return None
    lines = [one.line for one in stamped]
    if any(one.count > 1 for one in found):
        lines += _find_ends(stamped, picture)
    return Draft(
        lane=lane,
        kind=subject.kind,
        title=subject.title,
        times=[Moment(time, line) for line in lines if (time := read_stamp(line.text))],
        count=sum(one.count for one in found),
        bad=subject.kind == SIGN,
        cause=subject.cause,
        line=lines[0],
    )


def _find_ends(stamped: list[Sighting], picture: ClusterFacts) -> Iterator[Line]:
    """Not every sighting was kept: the words tell where each log begins to say so and where it said so last."""
    for one in {one.line.artifact: one for one in stamped if one.words}.values():
        if log := picture.artifact(one.line):
            both_ways = range(len(log.lines)), range(len(log.lines) - 1, -1, -1)
            said = (next((index for index in way if one.words in log.lines[index]), None) for way in both_ways)
            yield from (log.at(index) for index in said if index is not None)
