"""Signs in probes and in how they fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Event, Probe
from calivet.facts.picture import Picture
from calivet.facts.roles import role_of_name
from calivet.signs.sighting import Sighting

SELDOM = 6 * 3_600
"""Seconds between failed probes that harm nobody: three must fail in a row before anything happens."""
_ANY = expression(r"(?:Liveness|Readiness) probe (?:failed|errored)", re.IGNORECASE)
_EMPTY = expression(r"(?P<kind>Liveness|Readiness) probe failed: *(?:command .* timed out.*)?$", re.IGNORECASE)


def _probe_events(picture: Picture, pattern: re.Pattern[str]) -> Iterator[Sighting]:
    for event in picture.all(Event):
        if event.object and role_of_name(event.object) != "calico-node":
            continue
        if found := pattern.search(event.message):
            node = event.node or picture.node_of_pod(event.object)
            yield Sighting(line=event.at, node=node, values=found.groupdict(), count=event.count)


def probe_failed_empty(picture: Picture) -> Iterator[Sighting]:
    """A probe that failed without a word: it was cut off by its time limit."""
    return _probe_events(picture, _EMPTY)


def probes_fail_seldom(picture: Picture) -> Iterator[Sighting]:
    """All that is told of failed probes are a few within days: a busy moment now and then, no limit too short."""
    sightings = list(_probe_events(picture, _ANY))
    lasting = {sighting.line: sighting for sighting in sightings}
    events = [event for event in picture.all(Event) if event.at in lasting]
    if events and all(event.over and event.over / event.count >= SELDOM for event in events):
        yield lasting[events[0].at]


def probe_timeout_one_second(picture: Picture) -> Iterator[Sighting]:
    """An exec probe of calico-node with the default limit of one second."""
    for probe in picture.all(Probe):
        if probe.timeout == 1 and probe.action == "exec" and "calico-node" in probe.target:
            yield Sighting(line=probe.at, node=picture.node_of_pod(probe.pod), values={"kind": probe.kind})


SIGNS = {
    "probe-failed-empty": probe_failed_empty,
    "probes-fail-seldom": probes_fail_seldom,
    "probe-timeout-one-second": probe_timeout_one_second,
}
