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
    return all(_well_since(last_sign, node, picture) for node in found.nodes)


def _well_since(moment: Moment, node: str, picture: Picture) -> bool:
    """Whether something was seen of the node later on, and the last state of everything that was is good."""
    latest = {what: (when, good) for what, when, good in sorted(_states(node, picture), key=lambda state: state[1])}
    later = [good for when, good in latest.values() if when > moment]
    return bool(later) and all(good for _, good in latest.values())


def _states(node: str, picture: Picture) -> Iterator[tuple[str, Moment, bool]]:
    """(what, when, good) for every statement about the health of the node, its calico-node and its sessions."""
    for fact in picture.all(Node):
        if fact.name == node and fact.ready is not None:
            yield "node", picture.order(fact.at), fact.ready
    for pod in picture.all(Pod):
        if pod.node == node and role(pod) == "calico-node" and (is_sick(pod) or is_healthy(pod)):
            yield "calico-node", picture.order(pod.at), is_healthy(pod)
    for peer in picture.all(BgpPeer):
        if (picture.names.node(peer.host) or peer.host) == node:
            yield peer.address, picture.order(peer.at), peer.established
