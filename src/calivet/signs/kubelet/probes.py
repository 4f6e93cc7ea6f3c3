"""Signs in probes, in how they fail, and in starts that take longer than they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Container, Event, Pod, Probe
from calivet.facts.roles import find_role_of_name
from calivet.facts.times import count_seconds_between
from calivet.facts.vocabulary.messages import (
    abbreviate,
    find_created_container,
    find_silent_probe,
    find_started_container,
    tells_failed_probe,
)
from calivet.signs.sighting import Sighting

SELDOM = 6 * 3_600
"""Seconds between failed probes that harm nobody: three must fail in a row before anything happens."""


def find_probe_failed_empty(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A probe that failed without a word: it was cut off by its time limit."""
    for event in _list_agent_events(cluster):
        if kind := find_silent_probe(event.message):
            yield _build_event_sighting(event, cluster, kind=kind)


def find_probes_fail_seldom(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All that is told of failed probes are a few within days: a busy moment now and then, no limit too short."""
    events = [event for event in _list_agent_events(cluster) if tells_failed_probe(event.message)]
    if events and all(event.over and event.over / event.count >= SELDOM for event in events):
        yield _build_event_sighting(events[0], cluster)


def _list_agent_events(cluster: ClusterFacts) -> Iterator[Event]:
    """Those of calico-node's pods, and those that name no object."""
    return (
        event for event in cluster.all(Event) if not event.object or find_role_of_name(event.object) == "calico-node"
    )


def _build_event_sighting(event: Event, cluster: ClusterFacts, **values: str) -> Sighting:
    node = event.node or cluster.find_node_of_pod(event.object)
    return Sighting(line=event.at, node=node, values=values, count=event.count)


def find_probe_timeout_one_second(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An exec probe of calico-node with the default limit of one second."""
    for probe in cluster.all(Probe):
        if probe.timeout == 1 and probe.action == "exec" and "calico-node" in probe.target:
            yield Sighting(line=probe.at, node=cluster.find_node_of_pod(probe.pod), values={"kind": probe.kind})


def find_probe_cut_off_at_one_second(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The limit of one second beside the same kind of probe that failed without a word: the limit cut it off."""
    limited = {seen.values["kind"].lower() for seen in find_probe_timeout_one_second(cluster)}
    return (seen for seen in find_probe_failed_empty(cluster) if seen.values["kind"].lower() in limited)


# Init containers of calico-node copy a few files; minutes are far longer than any of them needs.
INIT_ENOUGH = 180.0
GAP_ENOUGH = 30.0

# kubectl shows seconds below ten minutes, minutes below eight hours, then hours, then days.
_UNITS = ((600, 1.0), (28_800, 60.0), (172_800, 3600.0), (float("inf"), 86_400.0))


def find_init_container_overdue(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An init container of calico-node that has been running for minutes."""
    started = _collect_container_ages(cluster, find_started_container)
    ages = {pod.name: pod.age for pod in cluster.pods("calico-node") if pod.age}
    for container in cluster.all(Container):
        if (
            not container.init
            or container.state != "running"
            or find_role_of_name(container.pod or "") != "calico-node"
        ):
            continue
        pod = container.pod or ""
        age = started.get((pod, container.name)) or ages.get(pod)
        if age and age >= INIT_ENOUGH:
            yield Sighting(
                line=container.at,
                node=cluster.find_node_of_pod(pod),
                values={"container": container.name, "pod": pod, "duration": _format_minutes(age)},
            )


def find_created_started_gap(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A container that the runtime needed long to start, though its image was there."""
    created = _collect_container_ages(cluster, find_created_container)
    for event in cluster.all(Event):
        started = find_started_container(event.message)
        if not started or event.age is None:
            continue
        gap = created.get((event.object, started), event.age) - event.age
        if gap >= max(GAP_ENOUGH, 2 * _find_unit(event.age)):
            yield Sighting(
                line=event.at,
                node=event.node or cluster.find_node_of_pod(event.object),
                values={"container": started, "gap": _format_minutes(gap)},
            )
    yield from _find_late_first_containers(cluster)


def _find_late_first_containers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The first container started long after the pod was taken up, with nothing to pull."""
    pulled = {event.object for event in cluster.all(Event) if event.reason in ("Pulling", "Failed", "BackOff")}
    begun = {pod.name: pod.started for pod in cluster.all(Pod) if pod.started}
    first: dict[str, Container] = {}
    for container in cluster.all(Container):
        if container.pod and container.pod in begun and find_role_of_name(container.pod) == "calico-node":
            first.setdefault(container.pod, container)
    for pod, container in first.items():
        gap = count_seconds_between(begun[pod], container.started)
        if gap and GAP_ENOUGH * 2 <= gap < 3600 and pod not in pulled and not container.restarts:
            values = {"container": container.name, "gap": _format_minutes(gap)}
            yield Sighting(line=container.at, node=cluster.find_node_of_pod(pod), values=values)


def find_start_slower_than_liveness_budget(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A start that lasts longer than its own liveness probe allows (delay + period x failures)."""
    budget = _compute_liveness_budget(cluster)
    if budget is None:
        return
    for span in cluster.all(LogSpan):
        if span.program != "startup":
            continue
        took = count_seconds_between(span.first_time, span.last_time)
        if took and took >= 0.8 * budget:
            values = {"took": f"{took:.0f}", "budget": f"{budget:.0f}"}
            yield Sighting(line=span.at, node=span.host or cluster.find_node_of_pod(span.pod), values=values)


def find_killed_at_liveness_budget(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A calico-node container that each time ends just when its liveness budget is spent."""
    budget = _compute_liveness_budget(cluster)
    for container in cluster.all(Container):
        took = count_seconds_between(container.last_started, container.last_finished)
        if budget and took and container.name in ("calico-node", "") and 0.8 * budget <= took <= budget + 45:
            values = {"took": f"{took:.0f}", "budget": f"{budget:.0f}"}
            yield Sighting(line=container.at, node=cluster.find_node_of_pod(container.pod), values=values)


def find_start_log_cut_short(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A start-up log that just stops, with no error: the container was ended from outside."""
    for span in cluster.all(LogSpan):
        unfinished = not any(word in span.last_message for word in ("started successfully", "Terminating"))
        if span.program == "startup" and unfinished and span.worst not in ("ERROR", "FATAL", "PANIC"):
            node = span.host or cluster.find_node_of_pod(span.pod)
            values = {"last": abbreviate(span.last_message)}
            yield Sighting(line=span.last_at or span.at, node=node, values=values)


def _compute_liveness_budget(cluster: ClusterFacts) -> float | None:
    """Seconds from start to kill. Kubernetes' defaults stand in for what is not shown."""
    probes = [probe for probe in cluster.all(Probe) if probe.kind == "liveness" and _is_of_calico_node(probe)]
    if not probes:
        return None
    probe = probes[-1]
    return (probe.delay or 0) + (probe.period or 10) * (probe.failures or 3)


def _is_of_calico_node(probe: Probe) -> bool:
    return probe.container in (None, "calico-node") and any(word in probe.target for word in ("9099", "felix", "bird"))


def _collect_container_ages(
    cluster: ClusterFacts, named: Callable[[str], str | None]
) -> dict[tuple[str | None, str], float]:
    ages = {}
    for event in cluster.all(Event):
        if (container := named(event.message)) and event.age is not None:
            ages[event.object, container] = event.age
    return ages


def _find_unit(age: float) -> float:
    """How coarse an age is shown; older kubectl has whole minutes from the first one on."""
    if age >= 60 and age % 60 == 0 and age < 600:
        return 60.0
    return next(unit for limit, unit in _UNITS if age < limit)


def _format_minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"


SIGNS = {
    "probe-cut-off-at-one-second": find_probe_cut_off_at_one_second,
    "probe-failed-empty": find_probe_failed_empty,
    "probes-fail-seldom": find_probes_fail_seldom,
    "probe-timeout-one-second": find_probe_timeout_one_second,
    "init-container-overdue": find_init_container_overdue,
    "created-started-gap": find_created_started_gap,
    "start-slower-than-liveness-budget": find_start_slower_than_liveness_budget,
    "killed-at-liveness-budget": find_killed_at_liveness_budget,
    "start-log-cut-short": find_start_log_cut_short,
}
