"""Signs that tell a machine that is gone from one that is alive and refuses."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpComplaint
from calivet.facts.cluster_facts import ClusterFacts, is_healthy
from calivet.facts.cluster_network import list_waiting_sessions
from calivet.facts.fact import Reach
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Event, Node, Pod
from calivet.facts.vocabulary.identifiers import is_card, is_foreign_bridge
from calivet.facts.vocabulary.messages import find_listed_peers
from calivet.signs.sighting import Sighting

_NO_ROUTE = "No route to host"
_LOST = ("loss", "timeout", "no-route")
# The operator's own way to a machine may be closed: that is no fault of the cluster's.
_SSH = 22


class _FailedPeer(Struct, frozen=True):
    """Somebody's BGP with this peer failed like this."""

    line: Line
    peer: str
    error: str


def find_every_card_down(cluster: ClusterFacts) -> Iterator[Sighting]:
    """In a whole list of a machine's devices, with the loopback in it, every card that has an address is down."""
    whole = {device.host for device in cluster.all(Interface) if device.name == "lo"}
    cards: dict[str | None, dict[str, Interface]] = {}
    for device in cluster.all(Interface):
        if device.addresses and is_card(device.name) and not is_foreign_bridge(device.name):
            cards.setdefault(device.host, {})[device.name] = device
    for host, found in cards.items():
        if host and host in whole and all(_is_cut_off(card) for card in found.values()):
            card = next(iter(found.values()))
            node = cluster.names.find_node_or_host(host)
            yield Sighting(line=card.at, node=node, values={"card": card.name})


def _is_cut_off(card: Interface) -> bool:
    return bool(card.flags) and ("UP" not in card.flags or "NO-CARRIER" in card.flags)


def find_rejected_by_live_host(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A connection is answered with "no route to host" by a machine that is known to be alive."""
    pinged = {reach.target for reach in cluster.all(Reach) if reach.protocol == "icmp" and reach.outcome == "ok"}
    for reach in _list_rejected_tests(cluster):
        owner = cluster.names.node(reach.target)
        if reach.target in pinged or owner in cluster.healthy_nodes:
            yield Sighting(line=reach.at, node=owner, values={"target": _format_target(reach)})


def find_rejected_by_live_pod(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A connection to a pod that is ready is answered with "no route to host"."""
    alive = {pod.ip: pod.node for pod in cluster.all(Pod) if pod.ip and is_healthy(pod)}
    for reach in _list_rejected_tests(cluster):
        if reach.target in alive and not cluster.names.node(reach.target):
            yield Sighting(line=reach.at, node=alive[reach.target], values={"target": _format_target(reach)})


def find_bgp_rejected_by_live_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """BGP with a node that is Ready ends with "no route to host"."""
    for complaint in _list_failed_peers(cluster):
        owner = cluster.names.node(complaint.peer)
        if complaint.error == _NO_ROUTE and owner in cluster.healthy_nodes:
            values = {"peer": complaint.peer, "other": str(owner)}
            yield Sighting(line=complaint.line, node=owner, values=values)


def find_bgp_lost_silent_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """BGP with a node is lost, and its kubelet is silent too."""
    silent = _list_silent_nodes(cluster)
    for complaint in _list_failed_peers(cluster):
        owner = cluster.names.node(complaint.peer)
        if owner in silent:
            values = {"peer": complaint.peer, "other": str(owner), "error": complaint.error}
            yield Sighting(line=complaint.line, node=owner, values=values)


def find_silent_node_unreachable(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A NotReady node does not answer at its address."""
    for reach, node in _list_tests_of_silent_nodes(cluster):
        if reach.outcome in _LOST:
            values = {"node": node, "address": reach.target, "outcome": reach.outcome}
            yield Sighting(line=reach.at, node=node, values=values)


def find_silent_node_answers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A NotReady node answers at its address: only its kubelet is silent."""
    for reach, node in _list_tests_of_silent_nodes(cluster):
        if reach.outcome in ("ok", "refused"):
            yield Sighting(line=reach.at, node=node, values={"node": node, "address": reach.target})


def find_output_from_silent_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Somebody was logged in on a NotReady node."""
    silent = _list_silent_nodes(cluster)
    for artifact in cluster.artifacts:
        node = cluster.names.node(artifact.host)
        if node in silent and not artifact.prose:
            yield Sighting(line=artifact.at(0), node=node, values={"node": str(node)})


def _list_failed_peers(cluster: ClusterFacts) -> Iterator[_FailedPeer]:
    for peer in list_waiting_sessions(cluster):
        error = _NO_ROUTE if _NO_ROUTE in (peer.info or "") else peer.info or peer.state
        yield _FailedPeer(peer.at, peer.address, error)
    for event in cluster.all(Event):
        for address in find_listed_peers(event.message):
            yield _FailedPeer(event.at, address, "not established")
    for told in cluster.all(BgpComplaint):
        yield _FailedPeer(told.at, told.peer, told.error)


def _list_tests_of_silent_nodes(cluster: ClusterFacts) -> Iterator[tuple[Reach, str]]:
    silent = _list_silent_nodes(cluster)
    for reach in cluster.all(Reach):
        node = cluster.names.node(reach.target)
        if node in silent and not reach.pod:
            yield reach, str(node)


def _list_silent_nodes(cluster: ClusterFacts) -> set[str]:
    """Nodes that were last seen NotReady."""
    return {node.name for node in {node.name: node for node in cluster.all(Node)}.values() if node.ready is False}


def _list_rejected_tests(cluster: ClusterFacts) -> Iterator[Reach]:
    tests = (reach for reach in cluster.all(Reach) if reach.protocol in ("tcp", "http") and reach.port != _SSH)
    return (reach for reach in tests if reach.outcome == "no-route")


def _format_target(reach: Reach) -> str:
    return f"{reach.target}:{reach.port}" if reach.port else reach.target


SIGNS = {
    "every-card-down": find_every_card_down,
    "rejected-by-live-host": find_rejected_by_live_host,
    "rejected-by-live-pod": find_rejected_by_live_pod,
    "bgp-rejected-by-live-node": find_bgp_rejected_by_live_node,
    "bgp-lost-silent-node": find_bgp_lost_silent_node,
    "silent-node-unreachable": find_silent_node_unreachable,
    "silent-node-answers": find_silent_node_answers,
    "output-from-silent-node": find_output_from_silent_node,
}
