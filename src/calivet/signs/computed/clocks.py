"""Signs in what machines take for the time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from calivet.facts.calico import LogSpan
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture
from calivet.facts.times import seconds_between
from calivet.signs.sighting import Sighting

# Asked one after the other by hand, two clocks that agree are at most this far apart.
APART = 300.0
TOGETHER = 60.0
OFFSET = 30.0
# Further ahead than any zone; and so many times its pod's age no log can be old.
FUTURE = 2 * 86_400.0
LONG = 2.0
# Answers further from each other in the evidence were not asked at the same time.
_NEAR_LINES = 40
_HALF_HOUR = 1800.0
# So many clocks are enough to know the time.
_ENOUGH = 20


def clocks_disagree(picture: Picture) -> Iterator[Sighting]:
    """Two machines that were asked at the same time name different times."""
    for one, other, seconds in _pairs(picture):
        if seconds >= APART and not _zones_only(one, other, seconds):
            behind, ahead = sorted((one, other), key=lambda fact: str(fact.value))
            values = {
                "host": behind.host or "?",
                "time": str(behind.value),
                "other": ahead.host or "?",
                "reference": str(ahead.value),
            }
            yield Sighting(line=behind.at, node=picture.names.node(behind.host) or behind.host, values=values)


def clocks_agree(picture: Picture) -> Iterator[Sighting]:
    """All machines that were asked at the same time name the same time."""
    pairs = list(_pairs(picture))
    if pairs and all(seconds <= TOGETHER for _, _, seconds in pairs):
        yield Sighting(line=pairs[0][0].at)


def logs_out_of_time(picture: Picture) -> Iterator[Sighting]:
    """A log from the future of other machines' clocks, or from long before its pod was made."""
    asked = [(fact, moment) for fact in _clock_facts(picture, "time")[:_ENOUGH] if (moment := _moment(fact))]
    ages = {pod.name: pod.age for pod in picture.all(Pod) if pod.age}
    for span in picture.all(LogSpan):
        node = picture.names.node(span.host) or picture.node_of_pod(span.pod)
        for fact, moment in asked:
            ahead = seconds_between(moment, span.last_time)
            if not node or not span.last_time or ahead is None or picture.names.node(fact.host) == node:
                continue
            if ahead >= FUTURE or ahead <= -max(FUTURE, LONG * ages.get(span.pod or "", float("inf"))):
                values = {
                    "node": node,
                    "time": f"{span.last_time:%Y-%m-%d %H:%M}",
                    "reference": f"{moment:%Y-%m-%d %H:%M}",
                }
                yield Sighting(line=span.at, node=node, values=values)
                break


def clock_offset_large(picture: Picture) -> Iterator[Sighting]:
    """A time service says how far this clock is off."""
    for fact in _clock_facts(picture, "offset"):
        if isinstance(fact.value, float) and abs(fact.value) >= OFFSET:
            node = picture.names.node(fact.host) or fact.host
            yield Sighting(line=fact.at, node=node, values={"offset": f"{fact.value:.0f}"})


def _pairs(picture: Picture) -> Iterator[tuple[Setting, Setting, float]]:
    """Answers of two machines that stand next to each other in the evidence, and the seconds between them."""
    asked = sorted(_clock_facts(picture, "time"), key=lambda fact: (fact.at.artifact, fact.at.number))
    for index, one in enumerate(asked):
        for other in asked[index + 1 : index + 1 + _NEAR_LINES]:
            near = one.at.artifact == other.at.artifact and other.at.number - one.at.number <= _NEAR_LINES
            if not near or one.host == other.host:
                continue
            first, second = _moment(one), _moment(other)
            seconds = seconds_between(first, second)
            if first and second and seconds is not None and (first.tzinfo is None) == (second.tzinfo is None):
                yield one, other, abs(seconds)


def _zones_only(one: Setting, other: Setting, seconds: float) -> bool:
    """Times without a zone that differ by whole half hours may be the same time in two zones."""
    named = "+" in str(one.value)[10:] or "+" in str(other.value)[10:]
    rest = seconds % _HALF_HOUR
    return not named and seconds <= 14 * 3600 and min(rest, _HALF_HOUR - rest) <= TOGETHER


def _clock_facts(picture: Picture, key: str) -> list[Setting]:
    return [fact for fact in picture.all(Setting) if fact.program == "clock" and fact.key == key]


def _moment(fact: Setting) -> datetime | None:
    try:
        return datetime.fromisoformat(str(fact.value))
    except ValueError:
        return None


SIGNS = {
    "clocks-disagree": clocks_disagree,
    "clocks-agree": clocks_agree,
    "logs-out-of-time": logs_out_of_time,
    "clock-offset-large": clock_offset_large,
}
