"""Everything that has a time, on one axis, the most telling first."""

from __future__ import annotations

from collections.abc import Iterable

from calivet.pipeline import Examined
from calivet.reasoning.weigh import place
from calivet.scene.clock import Clock, clock
from calivet.scene.conditions import conditions
from calivet.scene.draft import Draft
from calivet.scene.events import events
from calivet.scene.restarts import restarts
from calivet.scene.scene import CONDITION, EVENT, HARMLESS, RESTART, SIGN, Happening, Timeline
from calivet.scene.sightings import drafts, subjects

MOST = 600
"""More than this nobody reads, and no page need carry."""

_TELLING = (SIGN, RESTART, CONDITION, EVENT, HARMLESS)


def timeline(examined: Examined) -> Timeline:
    """Where a time of day was seen it is a clock's; else it counts back from when the evidence was taken."""
    picture, said = examined.picture, list(subjects(examined))
    causes = {place(one.line): item.cause for item in reversed(said) for one in item.sightings}
    made = [*drafts(said, picture), *events(picture, causes), *restarts(picture), *conditions(picture)]
    time = clock(picture, made, examined.taken)
    placed = [happening for draft in made if (happening := _placed(draft, time))]
    near = sorted(_near(placed), key=_rank)
    ages = any(draft.by_age for draft in made)
    return Timeline(
        happenings=near[:MOST],
        clock=time.taken is not None,
        assumed=time.taken is not None and time.assumed and ages,
        zone=time.zone,
        year=time.year,
        left_out=len(made) - len(placed) + max(0, len(near) - MOST),
    )


def _placed(draft: Draft, time: Clock) -> Happening | None:
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


def _near(placed: list[Happening]) -> Iterable[Happening]:
    """All that is bad, and what is good about that time: a node that became ready a year ago would hide the hour."""
    bad = [one for one in placed if one.bad]
    if not bad:
        return placed
    start, end = min(one.start for one in bad), max(one.end for one in bad)
    room = end - start
    return [one for one in placed if one.bad or (one.start >= start - room and one.end <= end + room)]


def _rank(one: Happening) -> tuple[bool, bool, int, int, float]:
    return not one.cause, not one.bad, _TELLING.index(one.kind), -one.count, one.start
