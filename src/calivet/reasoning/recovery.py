"""Whether the evidence shows the fault and, later on, the same node in good health."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.picture import Picture, is_healthy, is_sick, once
from calivet.facts.roles import role
from calivet.reasoning.weigh import Judged

Moment = tuple[int, int]
State = tuple[Moment, bool]
"""When, and whether it was good."""


def later_healthy(found: Judged, picture: Picture) -> bool:
    """The last state seen after the fault's last sign is good on every node concerned."""
    if not found.nodes:
        return False
    last_sign = max(picture.order(sighting.line) for seen in found.speaking_for for sighting in seen.sightings)
    latest = _latest(picture)
    return all(_well_since(last_sign, latest.get(node, {})) for node in found.nodes)


def _well_since(moment: Moment, latest: Mapping[str, State]) -> bool:
    """Whether something was seen of a node later on, and the last state of everything that was is good."""
    later = any(when > moment for when, _ in latest.values())
    return later and all(good for _, good in latest.values())


@once
def _latest(picture: Picture) -> dict[str, dict[str, State]]:
    """The last state of everything of each node."""
    latest: dict[str, dict[str, State]] = defaultdict(dict)
    for node, what, line, good in _states(picture):
        when = picture.order(line)
        if what not in latest[node] or latest[node][what][0] <= when:
            latest[node][what] = when, good
    return latest


def _states(picture: Picture) -> Iterator[tuple[str, str, Line, bool]]:
    """Every statement about the health of a node, its calico-node and its sessions."""
    for fact in picture.all(Node):
        if fact.ready is not None:
            yield fact.name, "node", fact.at, fact.ready
    for pod in picture.all(Pod):
        if pod.node and role(pod) == "calico-node" and (is_sick(pod) or is_healthy(pod)):
            yield pod.node, "calico-node", pod.at, is_healthy(pod)
    for peer in picture.all(BgpPeer):
        if node := picture.names.node(peer.host) or peer.host:
            yield node, peer.address, peer.at, peer.established
