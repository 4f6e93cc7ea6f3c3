"""How long calico-node took to start on each node, against the time that its probes leave it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Container, Event
from calivet.facts.times import count_seconds_between, parse_time
from calivet.forecast.settings import Settings, Timing
from calivet.search.expressions import expression

SURVIVES, KILLED = "survives", "killed"
CLOSE = "close"
"""Between the first moment at which kubelet may kill it and the last."""
UNKNOWN = "unknown"

_BEGINNING = expression(r"\]\s(?:startup/)?startup\.go ")
# Felix answers the probe from about its first line on.
_ALIVE = expression(r"\]\s(?:felix/|daemon\.go \d+: Felix starting)|Felix starting up")
_KILLED = (137, 143)
# Seconds between the last failed probe and the end of the container.
_GRACE = 45
# Seconds; an unfinished log shorter than this, perhaps a few lines of it, says nothing.
_WORTH_KNOWING = 10
_CUT_OFF = expression(r"Liveness probe (?:failed|errored).*(?:timed out|deadline exceeded)|Liveness probe failed: *$")


class Start(Struct, frozen=True):
    """A start as it was measured."""

    node: str
    seconds: float
    finished: bool
    """False where it was cut off: it takes at least so long."""


class StartOutcome(Struct, frozen=True):
    """What the probes make of a node's slowest start, now and afterwards."""

    start: Start
    before: str
    after: str


def compare_starts(picture: ClusterFacts, before: Settings, after: Settings) -> list[StartOutcome]:
    """For every node with a measured start."""
    slowest: dict[str, Start] = {}
    for start in _measure_starts(picture, _limit(before)):
        known = slowest.get(start.node)
        if known is None or start.seconds > known.seconds:
            slowest[start.node] = start
    return [StartOutcome(start, _judge_start(start, before), _judge_start(start, after)) for start in slowest.values()]


def list_cut_off_probes(picture: ClusterFacts) -> list[str]:
    """Nodes whose liveness probe ran into its own time limit: how long it needs was not measured."""
    events = (event for event in picture.all(Event) if _CUT_OFF.search(event.message))
    nodes = (picture.names.node(event.node) or picture.find_node_of_pod(event.object) for event in events)
    return list(dict.fromkeys(node for node in nodes if node))


def _judge_start(start: Start, settings: Settings) -> str:
    timing = _limit(settings)
    if timing is None:
        return UNKNOWN
    if start.seconds > timing.latest:
        return KILLED
    if start.finished:
        return SURVIVES if start.seconds <= timing.earliest else CLOSE
    return UNKNOWN


def _limit(settings: Settings) -> Timing | None:
    """What a start has to outlive: the startup probe where there is one, for liveness waits for it."""
    return settings.probes.get("startup") or settings.probes.get("liveness")


def _measure_starts(picture: ClusterFacts, now: Timing | None) -> Iterator[Start]:
    for span in picture.all(LogSpan):
        node = picture.names.node(span.host) or picture.find_node_of_pod(span.pod) or span.host
        if node and _BEGINNING.search(span.at.text):
            alive = _find_first_alive(picture, span)
            took = count_seconds_between(span.first_time, parse_time(alive) if alive else span.last_time)
            if took and (alive or (span.program == "startup" and took >= _WORTH_KNOWING)):
                yield Start(node, took, bool(alive))
    for container in picture.all(Container) if now else ():
        took = count_seconds_between(container.last_started, container.last_finished)
        node = picture.find_node_of_pod(container.pod)
        killed = container.name == "calico-node" and container.last_exit_code in _KILLED
        # What was killed much later had long been started.
        if took and node and killed and now and took <= now.latest + _GRACE:
            yield Start(node, took, finished=False)


def _find_first_alive(picture: ClusterFacts, span: LogSpan) -> str | None:
    """The first line of Felix in the span."""
    artifact = next((artifact for artifact in picture.artifacts if artifact.holds(span.at)), None)
    if artifact is None:
        return None
    lines = artifact.lines[artifact.index(span.at.number) : artifact.index(span.end) + 1]
    return next((line for line in lines if _ALIVE.search(line)), None)
