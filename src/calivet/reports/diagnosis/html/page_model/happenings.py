"""What happened in the cluster, before it has its place on the axis: events, restarts, conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Condition, Container, Event, Pod
from calivet.facts.times import count_seconds_between
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.weigh import locate_line
from calivet.reports.diagnosis.html.page_model.model import CONDITION, EVENT, RESTART
from calivet.search.expressions import expression

TimeOrAge = datetime | timedelta
"""A time, or how long before the evidence was taken."""
# Nothing in a cluster is older; and no number in the evidence may be too large to reckon with.
_LONGEST = 50 * 365 * 86_400.0
_TITLE_ROOM = 200
# A probe's output holds times and process numbers: messages that differ in nothing else are one event.
_NUMBERS = expression(r"\d+")
_ALIKE = 120
# Restarts further apart than this are single ones: of those only the last has a time.
_AGAIN_AND_AGAIN = 3_600.0
# A single one longer ago than this is history.
_LATELY = 86_400.0
_GOOD_WHEN_TRUE = frozenset(("Ready", "Available"))
# A node that is lost is Unknown in all its conditions, and of those that are well few say anything: these do.
_TELLING = _GOOD_WHEN_TRUE | {"NetworkUnavailable"}


class Moment(Struct, frozen=True):
    """A time and the line that tells it."""

    told: TimeOrAge
    line: Line


class Draft(Struct, frozen=True, kw_only=True):
    """Once, or again and again from the first of its times to the last."""

    lane: str
    kind: str
    title: Words
    times: Sequence[Moment]
    count: int = 1
    bad: bool = True
    cause: str = ""
    line: Line

    @property
    def by_age(self) -> bool:
        """Whether it is only known how long ago it was."""
        return any(isinstance(moment.told, timedelta) for moment in self.times)


def limit_age(seconds: float) -> timedelta:
    """How long ago."""
    return timedelta(seconds=min(seconds, _LONGEST))


def make_same_words(text: str) -> Words:
    """What a program printed is the same in every language; a title is one line of it."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    cut = first if len(first) <= _TITLE_ROOM else f"{first[: _TITLE_ROOM - 1]}…"
    return Words(cut, cut)


def draft_events(picture: ClusterFacts, causes: Mapping[tuple[str, int], str]) -> Iterator[Draft]:
    """Repeats are one happening; `causes` are the findings that rest on a line."""
    groups: dict[tuple[str, str, str | None, str], dict[str, Event]] = defaultdict(dict)
    for event in picture.all(Event):
        if event.age is not None or event.last is not None:
            alike = _NUMBERS.sub("0", event.message[:_ALIKE])
            # The same words once more are a later look at the same event.
            groups[_find_event_lane(event, picture), event.reason, event.object, alike][event.message] = event
    for (lane, *_), group in groups.items():
        found = list(group.values())
        last = min(found, key=lambda event: event.age or 0.0)
        yield Draft(
            lane=lane,
            kind=EVENT,
            title=make_same_words(f"{last.reason}: {last.message}"),
            times=[Moment(told, event.at) for event in found for told in _list_times(event)],
            count=sum(event.count for event in found),
            bad=last.type != "Normal",
            cause=next((cause for event in found if (cause := causes.get(locate_line(event.at)))), ""),
            line=last.at,
        )


def _find_event_lane(event: Event, picture: ClusterFacts) -> str:
    about = event.object if event.kind == "node" else picture.find_node_of_pod(event.object)
    node = about or event.node or ""
    return picture.names.find_node_or_host(node)


def _list_times(event: Event) -> tuple[TimeOrAge, TimeOrAge]:
    """When it was seen first and last."""
    if event.last is not None:
        return event.last - limit_age(event.over or 0.0), event.last
    age = event.age or 0.0
    return limit_age(event.over or age), limit_age(age)


def draft_restarts(picture: ClusterFacts) -> Iterator[Draft]:
    """Of the pods that are part of the cluster's machinery; a described container tells more than a row of a table."""
    pods = {pod.name: pod for pod in picture.all(Pod) if picture.role(pod) != "other"}
    begun = {pod.name: pod for pod in picture.all(Pod) if pod.started}
    containers = {(one.pod, one.name): one for one in picture.all(Container) if one.pod in pods}
    described = set()
    for (name, _), one in containers.items():
        if draft := _draft_end(one, begun.get(str(name)) or pods[str(name)], picture):
            described.add(name)
            yield draft
    counted = {pod.name: pod for pod in picture.all(Pod) if pod.name in pods and pod.restarts}
    for name, pod in counted.items():
        if name not in described and (draft := _draft_restart(pod, picture)):
            yield draft


def _draft_end(one: Container, pod: Pod, picture: ClusterFacts) -> Draft | None:
    """The end that was told last, and, where it ends again and again, since the pod began."""
    last = one.last_finished or (one.finished if one.state == "terminated" else None)
    if last is None or (one.init and not one.restarts):
        return None
    code, count = one.last_exit_code if one.last_finished else one.exit_code, one.restarts or 1
    reason = (one.last_reason if one.last_finished else one.reason) or "?"
    seconds = count_seconds_between(pod.started, last)
    often = count > 1 and seconds is not None and 0 < seconds / count <= _AGAIN_AND_AGAIN
    name = f"{pod.name}/{one.name}" if one.name else pod.name
    values = {"name": name, "reason": reason, "code": "?" if code is None else str(code)}
    return Draft(
        lane=_find_pod_lane(pod, picture),
        kind=RESTART,
        title=find_words("drawing.restarts.ended").fill(values),
        times=[Moment(pod.started if often and pod.started else last, pod.at), Moment(last, one.at)],
        count=count if often else 1,
        bad=bool(code) or reason != "Completed",
        line=one.at,
    )


def _draft_restart(pod: Pod, picture: ClusterFacts) -> Draft | None:
    count, age = pod.restarts or 0, pod.age or 0.0
    last = pod.last_restart or 0.0
    often = 0 < (age - last) / count <= _AGAIN_AND_AGAIN
    if pod.last_restart is None and not often:
        return None
    return Draft(
        lane=_find_pod_lane(pod, picture),
        kind=RESTART,
        # How often is told beside what happens again and again.
        title=(find_words("drawing.restarts.often") if often else find_words("drawing.restarts.once")).fill(
            {"pod": pod.name, "count": str(count)}
        ),
        times=[Moment(limit_age(age if often else last), pod.at), Moment(limit_age(last), pod.at)],
        count=count if often else 1,
        bad=often or last <= _LATELY,
        line=pod.at,
    )


def _find_pod_lane(pod: Pod, picture: ClusterFacts) -> str:
    node = pod.node or picture.find_node_of_pod(pod.name) or ""
    return picture.names.find_node_or_host(node)


def draft_conditions(picture: ClusterFacts) -> Iterator[Draft]:
    """From when they began to hold; they still did when they were looked at."""
    latest = {(one.kind, one.object, one.type): one for one in picture.all(Condition) if one.kind != "pod"}
    for one in latest.values():
        bad = one.status != ("True" if one.type in _GOOD_WHEN_TRUE else "False")
        if one.since is None or (one.type not in _TELLING and (not bad or one.status == "Unknown")):
            continue
        named = "" if one.kind == "node" else f"{one.object} "
        yield Draft(
            lane=picture.names.find_node_or_host(one.object) if one.kind == "node" else "",
            kind=CONDITION,
            title=make_same_words(f"{named}{one.type}={one.status} {one.reason or ''}"),
            times=[Moment(one.since, one.at), Moment(timedelta(), one.at)],
            bad=bad,
            line=one.at,
        )
