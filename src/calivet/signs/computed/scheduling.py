"""Signs in the scheduler's events about pods of calico-node."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.facts.roles import role_of_name
from calivet.signs.computed.daemonset import only_without_calico
from calivet.signs.sighting import Sighting

# Each of these pods is meant for one node, so that the other nodes do not match tells nothing where more is told.
_OBSTACLE = expression(
    r"Insufficient [\w./-]*\w|untolerated taint(?:\(s\))?(?: \{[^}]*\})?|had taints?(?: \{[^}]*\})?|Too many pods"
    r"|were unschedulable|didn't have free ports"
)
_NO_MATCH = expression(r"didn't (?:match|satisfy) (?:Pod's )?(?:node|plugin)[^,.]{0,40}")


def pod_cannot_be_placed(picture: Picture) -> Iterator[Sighting]:
    """The scheduler turned a calico-node pod away, and it was not placed afterwards."""
    pods = picture.pods("calico-node")
    placed = {event.object for event in picture.all(Event) if event.reason == "Scheduled"}
    placed |= {pod.name for pod in pods if pod.node}
    for event in picture.all(Event):
        if event.reason != "FailedScheduling" or role_of_name(event.object or "") != "calico-node":
            continue
        why = _OBSTACLE.search(event.message) or _NO_MATCH.search(event.message)
        if why and event.object not in placed:
            node = only_without_calico(picture)
            yield Sighting(line=event.at, node=node, values={"pod": str(event.object), "why": why[0]})


SIGNS = {"calico-pod-cannot-be-placed": pod_cannot_be_placed}
