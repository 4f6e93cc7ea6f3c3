"""What is over: it was so once, its log went on without it for longer than it lasted, and all is well now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.kubernetes import Event
from calivet.facts.times import YEARLESS, count_seconds_between, find_last_time, find_time_of_line
from calivet.messages.message import find_words
from calivet.reasoning.diagnosis import SetAside
from calivet.reasoning.graph import Observed
from calivet.reasoning.health import is_well
from calivet.reasoning.weigh import WeighedCause
from calivet.search.expressions import expression
from calivet.signs.sighting import Sighting

QUIET = 3_600
"""Seconds without it at the least; what comes back every few minutes is not over."""
QUIET_SINCE_START = 600
"""The same for what befell a machine while it started, and a start takes no longer than that:"""
START = 180
RECOVERED = 10
"""Seconds for which a log goes on without it at the least: what it said last may go on."""


@once
def was_never_sick(picture: ClusterFacts) -> bool:
    """Whether all is well now, and nothing of calico-node was ever seen otherwise: a repair is no history."""
    return is_well(picture) and not picture.sick_nodes and not any(map(is_sick, picture.pods("calico-node")))


def drop_history(observed: Observed, picture: ClusterFacts) -> Observed:
    """Without the effects that are over."""
    if not observed or not was_never_sick(picture):
        return observed
    return {effect: seen for effect, seen in observed.items() if not is_over(seen, picture)}


def is_history(found: WeighedCause, picture: ClusterFacts) -> bool:
    """Whether all that speaks for the cause is over, beside a cluster that is well."""
    sightings = [sighting for seen in found.speaking_for for sighting in seen.sightings]
    return was_never_sick(picture) and not found.is_about_settings and is_over(sightings, picture)


def describe_history(found: WeighedCause) -> SetAside:
    """One line for the reader, who should know that it was seen."""
    strongest = found.speaking_for[0]
    last = strongest.sightings[-1]
    return SetAside(
        last.line, find_words("aside.over"), sum(one.count for one in strongest.sightings), last.words, is_over=True
    )


def is_over(sightings: Sequence[Sighting], picture: ClusterFacts) -> bool:
    """Whether each log that shows it went on without it, for an hour and for longer than it lasted."""
    places: Mapping[int, list[Sighting]] = defaultdict(list)
    artifacts: dict[int, Artifact] = {}
    events = _list_events(picture)
    for sighting in sightings:
        artifact = picture.artifact(sighting.line)
        if artifact is None or sighting.note:
            return False
        event = events.get((sighting.line.artifact, sighting.line.number))
        if event and _has_ended(event):
            continue
        artifacts[id(artifact)] = artifact
        places[id(artifact)].append(sighting)
    latest = _find_latest(picture)
    return bool(sightings) and all(
        _went_on_without(artifacts[key], [one.line for one in seen], latest) for key, seen in places.items()
    )


@once
def _find_latest(picture: ClusterFacts) -> datetime | None:
    """When the last line of all logs without a time zone was written."""
    ends = (find_last_time(artifact) for artifact in picture.artifacts if not artifact.prose)
    return max((end for end in ends if end is not None and end.tzinfo is None and end.year != YEARLESS), default=None)


def _went_on_without(artifact: Artifact, lines: Sequence[Line], latest: datetime | None) -> bool:
    """In its own log; one that says little may end soon after, and others of the cluster go on."""
    found = [find_time_of_line(artifact, line) for line in lines]
    times = [time for time in found if time is not None]
    end = find_last_time(artifact)
    if len(times) < len(found) or end is None or not _are_comparable([*times, end]):
        return False
    lasted = count_seconds_between(min(times), max(times)) or 0
    quiet = count_seconds_between(max(times), end) or 0
    if quiet >= RECOVERED and latest and _are_comparable([end, latest]) and end.year != YEARLESS:
        quiet = count_seconds_between(max(times), max(end, latest)) or 0
    return quiet >= max(QUIET_SINCE_START if _is_of_start(artifact, max(times)) else QUIET, lasted)


# A machine or its kubelet starts.
_STARTS = expression(r"\bLinux version \d|\bStart(?:ed|ing) (?:kubelet|containerd|Kubernetes Kubelet|Docker)\b")


def _is_of_start(artifact: Artifact, last: datetime) -> bool:
    """Whether it was the noise of a machine that starts."""
    starts = (
        find_time_of_line(artifact, artifact.at(i)) for i, one in enumerate(artifact.lines) if _STARTS.search(one)
    )
    after = (count_seconds_between(start, last) for start in starts if start is not None)
    return any(seconds is not None and 0 <= seconds <= START for seconds in after)


def _are_comparable(times: Sequence[datetime]) -> bool:
    """Times with a zone and times without one, in one log, are of two programs."""
    return len({time.tzinfo is None for time in times}) == 1


def _has_ended(event: Event) -> bool:
    """Whether an event was last seen long ago, for longer than it went on."""
    return event.age is not None and event.age >= max(QUIET, (event.over or event.age) - event.age)


@once
def _list_events(picture: ClusterFacts) -> dict[tuple[str, int], Event]:
    return {(event.at.artifact, event.at.number): event for event in picture.all(Event)}
