"""Whether the evidence shows the fault and, later on, the same node in good health."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.picture import Picture, is_healthy, is_sick
from calivet.facts.roles import role
from calivet.reasoning.weigh import Judged

Moment = tuple[int, int]


def later_healthy(found: Judged, picture: Picture) -> bool:
    """The last state seen after the fault's last sign is good on every node concerned."""
    if not found.nodes:
        return False
    last_sign = max(picture.order(sighting.line) for seen in found.speaking_for for sighting in seen.sightings)
    states = [_last_state(node, picture) for node in found.nodes]
    return all(state is not None and state[1] and state[0] > last_sign for state in states)


def _last_state(node: str, picture: Picture) -> tuple[Moment, bool] | None:
    return max(_states(node, picture), default=None)


def _states(node: str, picture: Picture) -> Iterator[tuple[Moment, bool]]:
    """(when, good) for every statement about the node's or its calico-node's health."""
    for fact in picture.all(Node):
        if fact.name == node and fact.ready is not None:
            yield picture.order(fact.at), fact.ready
    for pod in picture.all(Pod):
        if pod.node == node and role(pod) == "calico-node" and (is_sick(pod) or is_healthy(pod)):
            yield picture.order(pod.at), is_healthy(pod)
    for peer in picture.all(BgpPeer):
        if picture.names.node(peer.host) == node:
            yield picture.order(peer.at), peer.established
