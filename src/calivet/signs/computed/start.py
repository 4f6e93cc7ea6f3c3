"""Signs in how long things take: init containers, gaps between created and started, starts against their probes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.kubernetes import Container, Event, Pod, Probe
from calivet.facts.picture import Picture
from calivet.facts.roles import role_of_name
from calivet.facts.times import seconds_between
from calivet.signs.sighting import Sighting

# Init containers of calico-node copy a few files; minutes are far longer than any of them needs.
INIT_ENOUGH = 180.0
GAP_ENOUGH = 30.0

_CONTAINER = expression(r"(Created|Started) container:? (?!with\b)(?P<name>[\w.-]+)", re.IGNORECASE)
# kubectl shows seconds below ten minutes, minutes below eight hours, then hours, then days.
_UNITS = ((600, 1.0), (28_800, 60.0), (172_800, 3600.0), (float("inf"), 86_400.0))


def init_container_overdue(picture: Picture) -> Iterator[Sighting]:
    """An init container of calico-node that has been running for minutes."""
    started = _container_ages(picture, "Started")
    ages = {pod.name: pod.age for pod in picture.pods("calico-node") if pod.age}
    for container in picture.all(Container):
        if not container.init or container.state != "running" or role_of_name(container.pod or "") != "calico-node":
            continue
        pod = container.pod or ""
        age = started.get((pod, container.name)) or ages.get(pod)
        if age and age >= INIT_ENOUGH:
            yield Sighting(
                line=container.at,
                node=picture.node_of_pod(pod),
                values={"container": container.name, "pod": pod, "duration": _minutes(age)},
            )


def created_started_gap(picture: Picture) -> Iterator[Sighting]:
    """A container that the runtime needed long to start, though its image was there."""
    created = _container_ages(picture, "Created")
    for event in picture.all(Event):
        found = _CONTAINER.search(event.message)
        if not found or found[1].lower() != "started" or event.age is None:
            continue
        gap = created.get((event.object, found["name"]), event.age) - event.age
        if gap >= max(GAP_ENOUGH, 2 * _unit(event.age)):
            yield Sighting(
                line=event.at,
                node=event.node or picture.node_of_pod(event.object),
                values={"container": found["name"], "gap": _minutes(gap)},
            )
    yield from _late_first_container(picture)


def _late_first_container(picture: Picture) -> Iterator[Sighting]:
    """The first container started long after the pod was taken up, with nothing to pull."""
    pulled = {event.object for event in picture.all(Event) if event.reason in ("Pulling", "Failed", "BackOff")}
    begun = {pod.name: pod.started for pod in picture.all(Pod) if pod.started}
    first: dict[str, Container] = {}
    for container in picture.all(Container):
        if container.pod and container.pod in begun and role_of_name(container.pod) == "calico-node":
            first.setdefault(container.pod, container)
    for pod, container in first.items():
        gap = seconds_between(begun[pod], container.started)
        if gap and GAP_ENOUGH * 2 <= gap < 3600 and pod not in pulled and not container.restarts:
            values = {"container": container.name, "gap": _minutes(gap)}
            yield Sighting(line=container.at, node=picture.node_of_pod(pod), values=values)


def start_slower_than_budget(picture: Picture) -> Iterator[Sighting]:
    """A start that lasts longer than its own liveness probe allows (delay + period x failures)."""
    budget = _liveness_budget(picture)
    if budget is None:
        return
    for span in picture.all(LogSpan):
        if span.program != "startup":
            continue
        took = seconds_between(span.first_time, span.last_time)
        if took and took >= 0.8 * budget:
            values = {"took": f"{took:.0f}", "budget": f"{budget:.0f}"}
            yield Sighting(line=span.at, node=span.host or picture.node_of_pod(span.pod), values=values)


def killed_at_budget(picture: Picture) -> Iterator[Sighting]:
    """A calico-node container that each time ends just when its liveness budget is spent."""
    budget = _liveness_budget(picture)
    for container in picture.all(Container):
        took = seconds_between(container.last_started, container.last_finished)
        if budget and took and container.name in ("calico-node", "") and 0.8 * budget <= took <= budget + 45:
            values = {"took": f"{took:.0f}", "budget": f"{budget:.0f}"}
            yield Sighting(line=container.at, node=picture.node_of_pod(container.pod), values=values)


def start_log_cut_short(picture: Picture) -> Iterator[Sighting]:
    """A start-up log that just stops, with no error: the container was ended from outside."""
    for span in picture.all(LogSpan):
        unfinished = not any(word in span.last_message for word in ("started successfully", "Terminating"))
        if span.program == "startup" and unfinished and span.worst not in ("ERROR", "FATAL", "PANIC"):
            node = span.host or picture.node_of_pod(span.pod)
            yield Sighting(line=span.at, node=node, values={"last": span.last_message[:80]})


def _liveness_budget(picture: Picture) -> float | None:
    """Seconds from start to kill. Kubernetes' defaults stand in for what is not shown."""
    probes = [probe for probe in picture.all(Probe) if probe.kind == "liveness" and _of_calico_node(probe)]
    if not probes:
        return None
    probe = probes[-1]
    return (probe.delay or 0) + (probe.period or 10) * (probe.failures or 3)


def _of_calico_node(probe: Probe) -> bool:
    return probe.container in (None, "calico-node") and any(word in probe.target for word in ("9099", "felix", "bird"))


def _container_ages(picture: Picture, word: str) -> dict[tuple[str | None, str], float]:
    ages = {}
    for event in picture.all(Event):
        found = _CONTAINER.search(event.message)
        if found and found[1].lower() == word.lower() and event.age is not None:
            ages[event.object, found["name"]] = event.age
    return ages


def _unit(age: float) -> float:
    """How coarse an age is shown; older kubectl has whole minutes from the first one on."""
    if age >= 60 and age % 60 == 0 and age < 600:
        return 60.0
    return next(unit for limit, unit in _UNITS if age < limit)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"


SIGNS = {
    "init-container-overdue": init_container_overdue,
    "created-started-gap": created_started_gap,
    "start-slower-than-liveness-budget": start_slower_than_budget,
    "killed-at-liveness-budget": killed_at_budget,
    "start-log-cut-short": start_log_cut_short,
}
