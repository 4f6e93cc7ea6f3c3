"""Signs in what machines take for the time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Pod
from calivet.facts.times import count_seconds_between
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


def find_clocks_disagree(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two machines that were asked at the same time name different times."""
    for one, other, seconds in _compare_clocks(cluster):
        if seconds >= APART and not _is_zone_difference(one, other, seconds):
            behind, ahead = sorted((one, other), key=lambda fact: str(fact.value))
            values = {
                "host": behind.host or "?",
                "time": str(behind.value),
                "other": ahead.host or "?",
                "reference": str(ahead.value),
            }
            yield Sighting(line=behind.at, node=cluster.names.find_node_or_host(behind.host), values=values)


def find_clocks_agree(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All machines that were asked at the same time name the same time."""
    pairs = list(_compare_clocks(cluster))
    if pairs and all(seconds <= TOGETHER for _, _, seconds in pairs):
        yield Sighting(line=pairs[0][0].at)


def find_logs_out_of_time(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A log from the future of other machines' clocks, or from long before its pod was made."""
    asked = [(fact, moment) for fact in _list_clock_facts(cluster, "time")[:_ENOUGH] if (moment := _parse_time(fact))]
    ages = {pod.name: pod.age for pod in cluster.all(Pod) if pod.age}
    for span in cluster.all(LogSpan):
        node = cluster.names.node(span.host) or cluster.find_node_of_pod(span.pod)
        for fact, moment in asked:
            ahead = count_seconds_between(moment, span.last_time)
            if not node or not span.last_time or ahead is None or cluster.names.node(fact.host) == node:
                continue
            if ahead >= FUTURE or ahead <= -max(FUTURE, LONG * ages.get(span.pod or "", float("inf"))):
                values = {
                    "node": node,
                    "time": f"{span.last_time:%Y-%m-%d %H:%M}",
                    "reference": f"{moment:%Y-%m-%d %H:%M}",
                }
                yield Sighting(line=span.at, node=node, values=values)
                break


def find_clock_offset_large(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A time service says how far this clock is off."""
    for fact in _list_clock_facts(cluster, "offset"):
        if isinstance(fact.value, float) and abs(fact.value) >= OFFSET:
            node = cluster.names.find_node_or_host(fact.host)
            yield Sighting(line=fact.at, node=node, values={"offset": f"{fact.value:.0f}"})


def _compare_clocks(cluster: ClusterFacts) -> Iterator[tuple[Setting, Setting, float]]:
    """Answers of two machines that stand next to each other in the evidence, and the seconds between them."""
    asked = sorted(_list_clock_facts(cluster, "time"), key=lambda fact: (fact.at.artifact, fact.at.number))
    for index, one in enumerate(asked):
        for other in asked[index + 1 : index + 1 + _NEAR_LINES]:
            near = one.at.artifact == other.at.artifact and other.at.number - one.at.number <= _NEAR_LINES
            if not near or one.host == other.host:
                continue
            first, second = _parse_time(one), _parse_time(other)
            seconds = count_seconds_between(first, second)
            if first and second and seconds is not None and (first.tzinfo is None) == (second.tzinfo is None):
                yield one, other, abs(seconds)


def _is_zone_difference(one: Setting, other: Setting, seconds: float) -> bool:
    """Times without a zone that differ by whole half hours may be the same time in two zones."""
    named = "+" in str(one.value)[10:] or "+" in str(other.value)[10:]
    rest = seconds % _HALF_HOUR
    return not named and seconds <= 14 * 3600 and min(rest, _HALF_HOUR - rest) <= TOGETHER


def _list_clock_facts(cluster: ClusterFacts, key: str) -> list[Setting]:
    return [fact for fact in cluster.all(Setting) if fact.program == "clock" and fact.key == key]


def _parse_time(fact: Setting) -> datetime | None:
    try:
        return datetime.fromisoformat(str(fact.value))
    except ValueError:
        return None


SIGNS = {
    "clocks-disagree": find_clocks_disagree,
    "clocks-agree": find_clocks_agree,
    "logs-out-of-time": find_logs_out_of_time,
    "clock-offset-large": find_clock_offset_large,
}
