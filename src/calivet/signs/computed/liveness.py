"""Signs that tell a machine that is gone from one that is alive and refuses."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Event, Node, Pod
from calivet.facts.picture import Picture, is_healthy
from calivet.facts.sessions import waiting_sessions
from calivet.signs.sighting import Sighting

_NO_ROUTE = "No route to host"
_LOST = ("loss", "timeout", "no-route")
_BIRD_LINE = expression(
    r"Mesh_(?P<peer>\d+_\d+_\d+_\d+): .{0,200}?(?P<error>No route to host|Connection timed out|Hold timer expired)"
)
_UNREACHED = expression(r"BGP not established with (?P<peers>[\d., ]+)")
_ADDRESS = expression(r"\d{1,3}(?:\.\d{1,3}){3}")
# The operator's own way to a machine may be closed: that is no fault of the cluster's.
_SSH = 22
# BIRD repeats itself; the first stretch of a log says it as well as the whole.
_ENOUGH = 5000


class _Complaint(Struct, frozen=True):
    """Somebody's BGP with this peer failed like this."""

    line: Line
    peer: str
    error: str


def rejected_by_live_host(picture: Picture) -> Iterator[Sighting]:
    """A connection is answered with "no route to host" by a machine that is known to be alive."""
    pinged = {reach.target for reach in picture.all(Reach) if reach.protocol == "icmp" and reach.outcome == "ok"}
    for reach in _rejected(picture):
        owner = picture.names.node(reach.target)
        if reach.target in pinged or owner in picture.healthy_nodes:
            yield Sighting(line=reach.at, node=owner, values={"target": _target(reach)})


def rejected_by_live_pod(picture: Picture) -> Iterator[Sighting]:
    """A connection to a pod that is ready is answered with "no route to host"."""
    alive = {pod.ip: pod.node for pod in picture.all(Pod) if pod.ip and is_healthy(pod)}
    for reach in _rejected(picture):
        if reach.target in alive and not picture.names.node(reach.target):
            yield Sighting(line=reach.at, node=alive[reach.target], values={"target": _target(reach)})


def bgp_rejected_by_live_node(picture: Picture) -> Iterator[Sighting]:
    """BGP with a node that is Ready ends with "no route to host"."""
    for complaint in _complaints(picture):
        owner = picture.names.node(complaint.peer)
        if complaint.error == _NO_ROUTE and owner in picture.healthy_nodes:
            values = {"peer": complaint.peer, "other": str(owner)}
            yield Sighting(line=complaint.line, node=owner, values=values)


def bgp_lost_silent_node(picture: Picture) -> Iterator[Sighting]:
    """BGP with a node is lost, and its kubelet is silent too."""
    silent = _silent(picture)
    for complaint in _complaints(picture):
        owner = picture.names.node(complaint.peer)
        if owner in silent:
            values = {"peer": complaint.peer, "other": str(owner), "error": complaint.error}
            yield Sighting(line=complaint.line, node=owner, values=values)


def silent_node_unreachable(picture: Picture) -> Iterator[Sighting]:
    """A NotReady node does not answer at its address."""
    for reach, node in _tests_of_silent(picture):
        if reach.outcome in _LOST:
            values = {"node": node, "address": reach.target, "outcome": reach.outcome}
            yield Sighting(line=reach.at, node=node, values=values)


def silent_node_answers(picture: Picture) -> Iterator[Sighting]:
    """A NotReady node answers at its address: only its kubelet is silent."""
    for reach, node in _tests_of_silent(picture):
        if reach.outcome in ("ok", "refused"):
            yield Sighting(line=reach.at, node=node, values={"node": node, "address": reach.target})


def output_from_silent_node(picture: Picture) -> Iterator[Sighting]:
    """Somebody was logged in on a NotReady node."""
    silent = _silent(picture)
    for artifact in picture.artifacts:
        node = picture.names.node(artifact.host)
        if node in silent and not artifact.prose:
            yield Sighting(line=artifact.at(0), node=node, order=artifact.order, values={"node": str(node)})


def _complaints(picture: Picture) -> Iterator[_Complaint]:
    for peer in waiting_sessions(picture):
        error = _NO_ROUTE if _NO_ROUTE in (peer.info or "") else peer.info or peer.state
        yield _Complaint(peer.at, peer.address, error)
    for event in picture.all(Event):
        if found := _UNREACHED.search(event.message):
            for address in _ADDRESS.findall(found["peers"]):
                yield _Complaint(event.at, address, "not established")
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines[:_ENOUGH]):
            if "Mesh_" in text and (found := _BIRD_LINE.search(text)):
                yield _Complaint(artifact.at(index), found["peer"].replace("_", "."), found["error"])


def _tests_of_silent(picture: Picture) -> Iterator[tuple[Reach, str]]:
    silent = _silent(picture)
    for reach in picture.all(Reach):
        node = picture.names.node(reach.target)
        if node in silent and not reach.pod:
            yield reach, str(node)


def _silent(picture: Picture) -> set[str]:
    """Nodes that were last seen NotReady."""
    return {node.name for node in {node.name: node for node in picture.all(Node)}.values() if node.ready is False}


def _rejected(picture: Picture) -> Iterator[Reach]:
    tests = (reach for reach in picture.all(Reach) if reach.protocol in ("tcp", "http") and reach.port != _SSH)
    return (reach for reach in tests if reach.outcome == "no-route")


def _target(reach: Reach) -> str:
    return f"{reach.target}:{reach.port}" if reach.port else reach.target


SIGNS = {
    "rejected-by-live-host": rejected_by_live_host,
    "rejected-by-live-pod": rejected_by_live_pod,
    "bgp-rejected-by-live-node": bgp_rejected_by_live_node,
    "bgp-lost-silent-node": bgp_lost_silent_node,
    "silent-node-unreachable": silent_node_unreachable,
    "silent-node-answers": silent_node_answers,
    "output-from-silent-node": output_from_silent_node,
}
