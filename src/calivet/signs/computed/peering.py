"""Signs in the BGP configuration: mesh, peers, selectors, AS numbers; and installations that run no BGP."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer
from calivet.facts.fact import Scalar, Variable
from calivet.facts.kubernetes import Node, Object, Probe, Row
from calivet.facts.picture import Picture, once
from calivet.facts.selectors import Selection
from calivet.signs.sighting import Sighting

_NO_PEERS = "No IPv4 peers found"
_NO_BIRD_BACKENDS = ("vxlan", "none")
_BACKEND = expression(r"CALICO_NETWORKING_BACKEND[\"']?\s{0,2}[:=]\s{0,24}[\"']?(?P<backend>vxlan|none)\b")
_ASKS_FOR_PEERS = expression(r"\bget\s+bgppeers?\b")
_BIRD_PROBE = expression(r"(?:Liveness|Readiness):\s+exec \[.*-bird-(?:live|ready)")
_SHORT = 400
_DEFAULT_AS = "64512"


def no_bird_by_design(picture: Picture) -> Iterator[Sighting]:
    """The installation is set to run without BGP."""
    for variable in picture.all(Variable):
        if variable.name == "CALICO_NETWORKING_BACKEND" and variable.value in _NO_BIRD_BACKENDS:
            yield Sighting(line=variable.at, values={"backend": variable.value})
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if (path.endswith("calicoNetwork.bgp") or path == "bgp") and value == "Disabled":
                yield Sighting(line=thing.at, values={"backend": "none"})
            if path.endswith("calico_backend") and value in _NO_BIRD_BACKENDS:
                yield Sighting(line=thing.at, values={"backend": str(value)})
    for line, found in _written(picture, _BACKEND):
        yield Sighting(line=line, values={"backend": found["backend"]})


def probe_without_bird(picture: Picture) -> Iterator[Sighting]:
    """A probe that asks for BIRD where none is meant to run."""
    backend = next((seen.values["backend"] for seen in no_bird_by_design(picture)), None)
    if backend is None:
        return
    for probe in picture.all(Probe):
        if "-bird-" in probe.target:
            yield Sighting(line=probe.at, node=picture.node_of_pod(probe.pod), values={"backend": backend})
    for line, _ in _written(picture, _BIRD_PROBE):
        yield Sighting(line=line, values={"backend": backend})


def mesh_off_without_peers(picture: Picture) -> Iterator[Sighting]:
    """The mesh is switched off and a node has no peer at all."""
    if _mesh_off(picture):
        yield from _without_peers(picture)


def no_peers_among_several(picture: Picture) -> Iterator[Sighting]:
    """A node without any peer in a cluster of several nodes."""
    if len(picture.names.nodes) > 1 and not any(no_bird_by_design(picture)):
        yield from _without_peers(picture)


def mesh_off_routers_only(picture: Picture) -> Iterator[Sighting]:
    """The mesh is off, and the only sessions are those with configured peers."""
    peers = picture.all(BgpPeer)
    line = _mesh_off(picture)
    if line and peers and all(peer.established and "mesh" not in (peer.type or "") for peer in peers):
        yield Sighting(line=line)


def node_selected_by_none(picture: Picture) -> Iterator[Sighting]:
    """The mesh is off, and a node's labels fit the selector of no peering."""
    selectors = [selector for _, selector in _peer_selectors(picture)]
    if not _mesh_off(picture) or not selectors:
        return
    labelled = {node.name: node for node in picture.all(Node) if node.labels}
    selection = Selection({name: node.labels for name, node in labelled.items()})
    chosen = {name for selector in set(selectors) for name in selection.of(selector)}
    for name, node in labelled.items():
        if name not in chosen:
            yield Sighting(line=node.at, node=name, values={"node": name, "selector": ", ".join(selectors[:3])})


def selector_matches_none(picture: Picture) -> Iterator[Sighting]:
    """A peering whose selector fits no node that was listed with its labels."""
    nodes = {str(place): node.labels for place, node in enumerate(picture.all(Node)) if node.labels}
    selection = Selection(nodes)
    for thing, selector in _peer_selectors(picture) if nodes else ():
        if next(iter(selection.of(selector)), None) is None:
            yield Sighting(line=thing.at, values={"name": thing.name or "", "selector": selector})


def no_peer_resources(picture: Picture) -> Iterator[Sighting]:
    """The operator asked for BGPPeers and there are none."""
    for artifact in picture.artifacts:
        if _ASKS_FOR_PEERS.search(artifact.command or ""):
            shown = [text for text in artifact.lines[1:] if text.strip()]
            if len(shown) <= 1 and not any("peerIP" in text for text in shown):
                yield Sighting(line=artifact.at(0), order=artifact.order)


@once
def _peer_selectors(picture: Picture) -> list[tuple[Object, str]]:
    """Selectors of BGPPeers, also of those that stand in a list or have lost their head."""
    return [
        (thing, str(value))
        for thing in picture.all(Object)
        for path, value in thing.values.items()
        if path.endswith(("nodeSelector", "peerSelector")) and (thing.kind == "BGPPeer" or _is_peering(thing, path))
    ]


def _is_peering(thing: Object, path: str) -> bool:
    stem = path.rpartition(".")[0]
    return any(f"{stem}.{name}" in thing.values for name in ("peerIP", "peerSelector", "asNumber"))


def peer_as_differs(picture: Picture) -> Iterator[Sighting]:
    """Two nodes' own peering whose expected AS number is not the one the nodes have."""
    own = _global_as(picture)
    for thing in picture.all(Object):
        expected = thing.values.get("spec.asNumber")
        peer = str(thing.values.get("spec.peerIP", ""))
        if thing.kind == "BGPPeer" and expected and picture.names.node(peer) and str(expected) != own:
            yield Sighting(line=thing.at, values={"expected": str(expected), "actual": own})


def _written(picture: Picture, wanted: re.Pattern[str]) -> Iterator[tuple[Line, re.Match[str]]]:
    """Where short outputs write it, whatever their format; cut-down output has no other facts."""
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines if artifact.length < _SHORT and not artifact.prose else []):
            if found := wanted.search(text):
                yield artifact.at(index), found


def _without_peers(picture: Picture) -> Iterator[Sighting]:
    yield from _status_without_peers(picture)
    for artifact in picture.artifacts:
        if "calicoctl-node-status" not in artifact.kinds and "node status" not in (artifact.command or ""):
            continue
        for index, text in enumerate(artifact.lines):
            if _NO_PEERS in text:
                node = picture.names.node(artifact.host) or artifact.host
                yield Sighting(line=artifact.at(index), node=node, order=artifact.order, values={"node": node or ""})


def _status_without_peers(picture: Picture) -> Iterator[Sighting]:
    """A CalicoNodeStatus that counts no session, up or down."""
    for thing in picture.all(Object):
        counts = [thing.values.get(f"status.bgp.number{state}V4") for state in ("Established", "NotEstablished")]
        if counts == [0, 0]:
            node = str(thing.values.get("spec.node", "")) or thing.name
            yield Sighting(line=thing.at, node=node, values={"node": node or ""})


@once
def _mesh_off(picture: Picture) -> Line | None:
    for thing in picture.all(Object):
        if any(path.endswith("nodeToNodeMeshEnabled") and _false(value) for path, value in thing.values.items()):
            return thing.at
    return next((row.at for row in picture.all(Row) if _false(row.cells.get("MESHENABLED"))), None)


def _global_as(picture: Picture) -> str:
    for thing in picture.all(Object):
        if thing.kind == "BGPConfiguration" and thing.values.get("spec.asNumber"):
            return str(thing.values["spec.asNumber"])
    return _DEFAULT_AS


def _false(value: Scalar) -> bool:
    return str(value).lower() == "false"


SIGNS = {
    "no-bird-by-design": no_bird_by_design,
    "bird-probe-without-bird": probe_without_bird,
    "mesh-off-without-peers": mesh_off_without_peers,
    "no-peers-among-several-nodes": no_peers_among_several,
    "mesh-off-routers-only": mesh_off_routers_only,
    "peer-selector-matches-no-node": selector_matches_none,
    "node-selected-by-no-peer": node_selected_by_none,
    "no-bgp-peer-resources": no_peer_resources,
    "peer-as-differs": peer_as_differs,
}
