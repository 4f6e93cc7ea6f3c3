"""Signs in the BGP configuration: mesh, peers, selectors, AS numbers, the port; and installations that run no BGP."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer, BirdProbe, NetworkingBackend, NoBgpPeers, Pool, PortLoopFailure
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.cluster_network import list_counted, list_latest_sessions, list_waiting_sessions
from calivet.facts.fact import Command, EmptySearch, Reach, Scalar, Variable
from calivet.facts.host import CommandRun, EmptyCapture, Interface, Socket
from calivet.facts.kubernetes import Node, Object, Probe, Row
from calivet.facts.networks import is_inside, parse_network
from calivet.facts.security import CloudRules
from calivet.facts.selectors import Selection
from calivet.facts.vocabulary.commands import lists_bgp_peers, lists_bgp_settings
from calivet.forecast.nodes import list_node_names
from calivet.forecast.peering import list_lone_nodes
from calivet.signs.sighting import Sighting

_NO_BIRD_BACKENDS = ("vxlan", "none")
_DEFAULT_AS = "64512"
_AS_COLUMN = "AS"
_AS_PATHS = ("projectcalico.org/ASNumber", "bgp.asNumber")
_NO_WAY = ("Host is unreachable", "No route to host")


def find_no_bird_by_design(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The installation is set to run without BGP."""
    for variable in cluster.all(Variable):
        if variable.name == "CALICO_NETWORKING_BACKEND" and variable.value in _NO_BIRD_BACKENDS:
            yield Sighting(line=variable.at, values={"backend": variable.value})
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            if (path.endswith("calicoNetwork.bgp") or path == "bgp") and value == "Disabled":
                yield Sighting(line=thing.at, values={"backend": "none"})
            if path.endswith("calico_backend") and value in _NO_BIRD_BACKENDS:
                yield Sighting(line=thing.at, values={"backend": str(value)})
    for told in cluster.all(NetworkingBackend):
        yield Sighting(line=told.at, values={"backend": told.backend})


def find_bird_probe_without_bird(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A probe that asks for BIRD where none is meant to run."""
    without = {seen.line.artifact: seen.values["backend"] for seen in find_no_bird_by_design(cluster)}
    asking = [(probe.at, probe.pod) for probe in cluster.all(Probe) if "-bird-" in probe.target]
    asking += [(asked.at, None) for asked in cluster.all(BirdProbe)]
    is_one = not _sets_bird(cluster)
    for at, pod in asking if without else ():
        # Manifests of several installations, side by side: each speaks of its own probes.
        backend = next(iter(without.values())) if is_one else without.get(at.artifact)
        if backend:
            yield Sighting(line=at, node=cluster.find_node_of_pod(pod), values={"backend": backend})


def _sets_bird(cluster: ClusterFacts) -> bool:
    """Whether an installation is set to run BIRD."""
    values = [
        value for thing in cluster.all(Object) for path, value in thing.values.items() if "calico_backend" in path
    ]
    values += [one.value for one in cluster.all(Variable) if one.name == "CALICO_NETWORKING_BACKEND"]
    return "bird" in values


def find_mesh_off_without_peers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The mesh is switched off and a node has no peer at all."""
    if _find_disabled_mesh(cluster):
        yield from _find_nodes_without_peers(cluster)


def find_mesh_off_and_no_peer_exists(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The mesh is switched off, the list of peers was read and is empty, and routes between nodes come from BGP."""
    mesh = _find_disabled_mesh(cluster)
    if mesh and _needs_bgp(cluster) and len(cluster.names.nodes) > 1 and any(find_no_bgp_peer_resources(cluster)):
        yield Sighting(line=mesh)


def find_lone_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The mesh is off, and among all peerings there is none for a node that runs calico-node."""
    mesh = _find_disabled_mesh(cluster)
    listed = any(lists_bgp_peers(one.line) for one in cluster.all(Command))
    peered = any(thing.kind == "BGPPeer" and not thing.partial for thing in cluster.all(Object))
    agents = {pod.node for pod in cluster.list_latest_pods("calico-node")}
    if mesh and listed and peered and _needs_bgp(cluster) and not any(find_no_bird_by_design(cluster)):
        for node in list_lone_nodes(cluster, list_node_names(cluster)):
            if node in agents:
                yield Sighting(line=mesh, node=node, values={"node": node})


def _needs_bgp(cluster: ClusterFacts) -> bool:
    """Whether a pool was seen whose routes BIRD has to exchange."""
    return any((pool.vxlan or "Never") != "Always" for pool in cluster.all(Pool) if pool.disabled is not True)


def find_no_peers_among_several_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node without any peer in a cluster of several nodes."""
    if len(cluster.names.nodes) > 1 and not any(find_no_bird_by_design(cluster)):
        yield from _find_nodes_without_peers(cluster)


def find_mesh_off_routers_only(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The mesh is off, and the only sessions are those with configured peers."""
    peers = cluster.all(BgpPeer)
    line = _find_disabled_mesh(cluster)
    if line and peers and all(peer.established and "mesh" not in (peer.type or "") for peer in peers):
        yield Sighting(line=line)


def find_node_selected_by_no_peer(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The mesh is off, and a node's labels fit the selector of no peering."""
    selectors = [selector for _, selector in _list_peer_selectors(cluster)]
    if not _find_disabled_mesh(cluster) or not selectors:
        return
    labelled = {node.name: node for node in cluster.all(Node) if node.labels}
    selection = Selection({name: node.labels for name, node in labelled.items()})
    chosen = {name for selector in set(selectors) for name in selection.of(selector)}
    for name, node in labelled.items():
        if name not in chosen:
            yield Sighting(line=node.at, node=name, values={"node": name, "selector": ", ".join(selectors[:3])})


def find_peer_selector_matches_no_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A peering whose selector fits no node that was listed with its labels."""
    nodes = {str(place): node.labels for place, node in enumerate(cluster.all(Node)) if node.labels}
    selection = Selection(nodes)
    for thing, selector in _list_peer_selectors(cluster) if nodes else ():
        if next(iter(selection.of(selector)), None) is None:
            yield Sighting(line=thing.at, values={"name": thing.name or "", "selector": selector})


def find_no_bgp_peer_resources(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator asked for BGPPeers and there are none, unless nobody needs them: the mesh is on, or all is well."""
    pods = cluster.list_latest_pods("calico-node")
    is_well = bool(pods) and not any(map(is_sick, pods))
    is_mesh_known = any(lists_bgp_settings(one.line) for one in cluster.all(Command))
    is_needed = _find_disabled_mesh(cluster) or not (is_well or is_mesh_known)
    for search in cluster.all(EmptySearch):
        if search.what == "bgp-peers" and is_needed:
            yield Sighting(line=search.at)


@once
def _list_peer_selectors(cluster: ClusterFacts) -> list[tuple[Object, str]]:
    """Selectors of BGPPeers, also of those that stand in a list or have lost their head."""
    return [
        (thing, str(value))
        for thing in cluster.all(Object)
        for path, value in thing.values.items()
        if path.endswith(("nodeSelector", "peerSelector")) and (thing.kind == "BGPPeer" or _is_peering(thing, path))
    ]


def _is_peering(thing: Object, path: str) -> bool:
    stem = path.rpartition(".")[0]
    return any(f"{stem}.{name}" in thing.values for name in ("peerIP", "peerSelector", "asNumber"))


def find_peer_as_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two nodes' own peering whose expected AS number is not the one the nodes have."""
    own = _read_global_as(cluster)
    for thing in cluster.all(Object):
        expected = thing.values.get("spec.asNumber")
        peer = str(thing.values.get("spec.peerIP", ""))
        node = cluster.names.node(peer)
        if thing.kind == "BGPPeer" and expected and node and str(expected) != _read_own_as(cluster, node, own):
            yield Sighting(line=thing.at, values={"expected": str(expected), "actual": own})


def find_peer_as_surely_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same where everything was read that could give a node another AS number."""
    listed = any(lists_bgp_settings(one.line) for one in cluster.all(Command))
    nodes = {row.name for row in cluster.all(Row) if _AS_COLUMN in row.cells}
    if listed and len(nodes) > 1:
        yield from find_peer_as_differs(cluster)


def _read_own_as(cluster: ClusterFacts, node: str, common: str) -> str:
    """A node may have an AS number of its own."""
    told = [row.cells[_AS_COLUMN] for row in cluster.all(Row) if row.name == node and row.cells.get(_AS_COLUMN)]
    for thing in cluster.all(Object):
        if thing.kind == "Node" and cluster.names.node(thing.name or "") == node:
            told += [str(value) for path, value in thing.values.items() if path.endswith(_AS_PATHS)]
    return next((one for one in reversed(told) if one != "<none>"), common)


def _find_nodes_without_peers(cluster: ClusterFacts) -> Iterator[Sighting]:
    yield from _find_statuses_without_peers(cluster)
    for status in cluster.all(NoBgpPeers):
        node = cluster.names.find_node_or_host(status.host)
        yield Sighting(line=status.at, node=node, values={"node": node or ""})


def _find_statuses_without_peers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A CalicoNodeStatus that counts no session, up or down."""
    for thing in cluster.all(Object):
        counts = [thing.values.get(f"status.bgp.number{state}V4") for state in ("Established", "NotEstablished")]
        if counts == [0, 0]:
            node = str(thing.values.get("spec.node", "")) or thing.name
            yield Sighting(line=thing.at, node=node, values={"node": node or ""})


def find_peer_without_way(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A session of which the network itself says that the other machine is not there."""
    for peer in list_latest_sessions(cluster):
        if not peer.established and any(words in (peer.info or "") for words in _NO_WAY):
            yield Sighting(line=peer.at, values={"peer": peer.address})


@once
def _find_disabled_mesh(cluster: ClusterFacts) -> Line | None:
    for thing in cluster.all(Object):
        if any(path.endswith("nodeToNodeMeshEnabled") and _is_false(value) for path, value in thing.values.items()):
            return thing.at
    return next((row.at for row in cluster.all(Row) if _is_false(row.cells.get("MESHENABLED"))), None)


def _read_global_as(cluster: ClusterFacts) -> str:
    for thing in cluster.all(Object):
        if thing.kind == "BGPConfiguration" and thing.values.get("spec.asNumber"):
            return str(thing.values["spec.asNumber"])
    return _DEFAULT_AS


def _is_false(value: Scalar) -> bool:
    return str(value).lower() == "false"


BGP_PORT = 179


def find_bgp_port_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test of the BGP port without an answer, of a machine that is not silent altogether."""
    dead = _list_dead_machines(cluster)
    for reach in _list_port_tests(cluster):
        if reach.outcome == "timeout" and (reach.host, reach.target) not in dead:
            yield build_test_sighting(reach, cluster)


def find_bgp_port_answers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test of the BGP port that connected, of a machine whose port stayed silent for nobody else."""
    silent = {reach.target for reach in _list_port_tests(cluster) if reach.outcome == "timeout"}
    looped = " ".join(loop.command for loop in cluster.all(PortLoopFailure))
    for reach in _list_port_tests(cluster):
        if reach.outcome == "ok" and reach.target not in silent and reach.target not in looped:
            yield build_test_sighting(reach, cluster)


def find_only_bgp_port_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Another port of a machine answers while its BGP port stays silent."""
    silent = {reach.target for reach in _list_port_tests(cluster) if reach.outcome == "timeout"}
    for reach in cluster.all(Reach):
        if reach.target in silent and reach.port not in (None, BGP_PORT) and reach.outcome == "ok":
            yield build_test_sighting(reach, cluster)


def find_port_loop_fails_at_bgp(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A loop over several ports that fails at the BGP port alone."""
    for loop in cluster.all(PortLoopFailure):
        yield Sighting(line=loop.at, node=cluster.names.find_node_or_host(loop.host))


def find_bgp_capture_empty(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A capture for the BGP port in which nothing arrives."""
    for capture in cluster.all(EmptyCapture):
        if capture.bgp:
            yield Sighting(line=capture.at, node=cluster.names.find_node_or_host(capture.host))


def find_cloud_rules_without_bgp(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A cloud's list of allowed ports that lacks the BGP port."""
    for rules in cluster.all(CloudRules):
        if not rules.does_let_through(BGP_PORT):
            yield Sighting(line=rules.at)


def find_bird_listens_at_both_ends(cluster: ClusterFacts) -> Iterator[Sighting]:
    """BIRD listens on two machines, and still sessions are down."""
    listening = {
        socket.host: socket
        for socket in cluster.all(Socket)
        if socket.port == BGP_PORT and (socket.state or "").upper().startswith("LISTEN") and socket.host
    }
    if len(listening) > 1 and list_waiting_sessions(cluster):
        yield Sighting(line=next(iter(listening.values())).at)


def find_bgp_dialled_from_other_card(cluster: ClusterFacts) -> Iterator[Sighting]:
    """BIRD's connection waits for an answer to an address of another card than the one that reaches the peer."""
    reached = {(reach.host, reach.target) for reach in _list_port_tests(cluster) if reach.outcome == "ok"}
    for socket in cluster.all(Socket):
        peer, _, port = (socket.peer or "").rpartition(":")
        if socket.state != "SYN_SENT" or port != str(BGP_PORT) or (socket.host, peer) not in reached:
            continue
        near = _find_card_to(cluster, socket.host, peer)
        if near and socket.address not in _list_own_addresses(near):
            values = {"address": socket.address, "peer": peer, "card": near.name}
            yield Sighting(line=socket.at, node=cluster.names.find_node_or_host(socket.host), values=values)


def _find_card_to(cluster: ClusterFacts, host: str | None, address: str) -> Interface | None:
    """The card whose own network holds the address."""
    for card in cluster.on(host, Interface):
        networks = (parse_network(own) for own in card.addresses)
        if any(network and network.num_addresses > 1 and is_inside(address, network) for network in networks):
            return card
    return None


def _list_own_addresses(card: Interface) -> list[str]:
    return [own.partition("/")[0] for own in card.addresses]


def _list_dead_machines(cluster: ClusterFacts) -> set[tuple[str | None, str]]:
    """Those that a node's probe pinged in vain, and from where; a network without any ping tells nothing."""
    pinging = {reach.host for reach in cluster.all(Reach) if reach.protocol == "icmp" and reach.outcome == "ok"}
    runs = [run for run in cluster.all(CommandRun) if run.host in pinging]
    return {(run.host, run.found_dead) for run in runs if run.found_dead}


def _list_port_tests(cluster: ClusterFacts) -> list[Reach]:
    return [reach for reach in cluster.all(Reach) if reach.port == BGP_PORT]


def build_test_sighting(reach: Reach, cluster: ClusterFacts) -> Sighting:
    """A test of a peer, on the node it was made from."""
    node = cluster.names.find_node_or_host(reach.host)
    return Sighting(line=reach.at, node=node, values={"peer": reach.target})


def find_signed_segments_dropped(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A machine has dropped segments over their signature, and a session of its own is not up; both ends are named."""
    for counter in list_counted(cluster):
        node = cluster.names.find_node_or_host(counter.host)
        down = [peer for peer in cluster.on(counter.host, BgpPeer) if not peer.established]
        if not counter.name.startswith("TCPMD5") or not counter.value or not down:
            continue
        values = {"count": str(counter.value), "peer": ", ".join(sorted({peer.address for peer in down}))}
        others = {cluster.names.node(peer.address) for peer in down} - {None, node}
        for end in (node, *sorted(filter(None, others))):
            yield Sighting(line=counter.at, node=end, values=values)


SIGNS = {
    "peer-without-way": find_peer_without_way,
    "no-bird-by-design": find_no_bird_by_design,
    "bird-probe-without-bird": find_bird_probe_without_bird,
    "mesh-off-without-peers": find_mesh_off_without_peers,
    "mesh-off-and-no-peer-exists": find_mesh_off_and_no_peer_exists,
    "lone-nodes": find_lone_nodes,
    "no-peers-among-several-nodes": find_no_peers_among_several_nodes,
    "mesh-off-routers-only": find_mesh_off_routers_only,
    "peer-selector-matches-no-node": find_peer_selector_matches_no_node,
    "node-selected-by-no-peer": find_node_selected_by_no_peer,
    "no-bgp-peer-resources": find_no_bgp_peer_resources,
    "peer-as-differs": find_peer_as_differs,
    "peer-as-surely-differs": find_peer_as_surely_differs,
    "bgp-port-unanswered": find_bgp_port_unanswered,
    "bgp-port-answers": find_bgp_port_answers,
    "only-bgp-port-unanswered": find_only_bgp_port_unanswered,
    "port-loop-fails-at-bgp": find_port_loop_fails_at_bgp,
    "bgp-capture-empty": find_bgp_capture_empty,
    "cloud-rules-without-bgp": find_cloud_rules_without_bgp,
    "bird-listens-at-both-ends": find_bird_listens_at_both_ends,
    "bgp-dialled-from-other-card": find_bgp_dialled_from_other_card,
    "signed-segments-dropped": find_signed_segments_dropped,
}
