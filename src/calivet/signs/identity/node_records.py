"""Signs in Calico's node records: two with one address, one too many, one that does not fit, tunnels of the past."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer, NodeAddress
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Note
from calivet.facts.host import TunnelEntry
from calivet.facts.kubernetes import Node, Row
from calivet.facts.vocabulary.messages import find_virtual_addresses
from calivet.signs.sighting import Sighting

_HOST_ROLES = ("calico-node", "kube-proxy", "apiserver", "etcd")
_STORED = ("annotation", "resource")
"""Where an address is what Calico has for the node now."""
_ALIKE = 2
"""So many other nodes must agree before one counts as the odd one out."""


def find_same_calico_address_twice(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two node records hold one address."""
    holders: dict[str, dict[str, NodeAddress]] = defaultdict(dict)
    for record in collect_records(cluster).values():
        holders[strip_prefix_length(record.address)][str(record.node)] = record
    for address, sharing in holders.items():
        if len(sharing) > 1:
            values = {"nodes": ", ".join(sorted(sharing)), "address": address}
            yield from (Sighting(line=one.at, node=one.node, values=values) for one in sharing.values())


def find_recorded_with_address_of_another(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two records hold one address, and Kubernetes knows it as the address of one of the two nodes alone."""
    own = collect_own_addresses(cluster)
    records = {node: strip_prefix_length(one.address) for node, one in collect_records(cluster).items()}
    for node, record in collect_records(cluster).items():
        owner = next((one for one, address in own.items() if address == records[node]), node)
        is_taken = owner != node and records.get(owner) == records[node]
        if is_taken and own.get(node, records[node]) != records[node] and record.source in _STORED:
            values = {"node": node, "owner": owner, "address": records[node], "other": node}
            yield from (Sighting(line=record.at, node=sharer, values=values) for sharer in (owner, node))


def find_calico_address_odd_one_out(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One record is not the node's own address, while at least two others are.

    The address of another node is no wrong card: that is one address twice.
    """
    own = collect_own_addresses(cluster)
    pairs = [(record, own[node]) for node, record in collect_records(cluster).items() if node in own]
    wrong = [(record, address) for record, address in pairs if strip_prefix_length(record.address) != address]
    if len(pairs) - len(wrong) < _ALIKE or len(wrong) >= len(pairs) - len(wrong):
        return
    known = set(own.values())
    for record, address in wrong:
        if strip_prefix_length(record.address) in known:
            continue
        values = {"address": record.address, "own": address, "node": str(record.node)}
        yield Sighting(line=record.at, node=record.node, values=values)


def find_calico_address_matches_everywhere(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every record that can be compared is the node's own address."""
    own = collect_own_addresses(cluster)
    pairs = [(record, own[node]) for node, record in collect_records(cluster).items() if node in own]
    if len(pairs) >= _ALIKE and all(strip_prefix_length(record.address) == address for record, address in pairs):
        yield Sighting(line=pairs[0][0].at)


def find_calico_address_odd_prefix(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One record is a single address (/32) where the others have a network: an address that wanders, not a card's."""
    known = [record for record in collect_records(cluster).values() if "/" in record.address]
    singles = [record for record in known if record.address.endswith("/32")]
    if len(known) - len(singles) < _ALIKE or len(singles) > len(known) // 3:
        return
    for record in singles:
        yield Sighting(line=record.at, node=record.node, values={"node": str(record.node), "address": record.address})


def find_record_without_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A record whose name and address belong to no Kubernetes node, where the other records do."""
    nodes = {node.name.lower() for node in cluster.all(Node)}
    addresses = {node.internal_ip for node in cluster.all(Node)} | set(collect_own_addresses(cluster).values())
    known = [record for record in collect_records(cluster).values() if record.source == "resource" and record.node]
    strangers = [record for record in known if str(record.node).lower() not in nodes]
    if len(known) - len(strangers) < _ALIKE:
        return
    for record in strangers:
        if strip_prefix_length(record.address) not in addresses:
            yield Sighting(
                line=record.at, values={"record": str(record.node), "address": strip_prefix_length(record.address)}
            )


def find_blocks_of_missing_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A block is held by a machine that the list of nodes does not show, while others are held by nodes in it."""
    nodes = {node.name.lower() for node in cluster.all(Node)}
    held: dict[str, list[Row]] = defaultdict(list)
    for row in cluster.all(Row):
        if row.resource == "blockaffinity" and row.cells.get("NODE"):
            held[row.cells["NODE"].lower()].append(row)
    if len(held.keys() & nodes) < _ALIKE:
        return
    for name in sorted(held.keys() - nodes):
        yield Sighting(line=held[name][0].at, values={"record": name, "blocks": str(len(held[name]))})


def find_peer_beyond_all_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node has sessions with all the others, and waits for one more that no live node stands behind."""
    own = collect_own_addresses(cluster)
    known = set(own.values())
    for host, peers in _list_meshes(cluster):
        others = {address for node, address in own.items() if node != host}
        # A list of nodes shows them all; where the host is not known, its own address is the one that is missing.
        enough = 1 if len(cluster.all(Node)) > 1 else _ALIKE
        strangers = [peer for address, peer in peers.items() if peer.established and address not in known]
        if strangers or len(others) < enough or len(others - peers.keys()) > (0 if host else 1):
            continue
        for address, peer in peers.items():
            if not peer.established and address not in known:
                yield Sighting(line=peer.at, node=host or None, values={"host": host or "one node", "address": address})


def find_peer_in_place_of_a_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Of the nodes of a mesh one is missing among the peers, and one peer is no node's own address: it is that node."""
    own = collect_own_addresses(cluster)
    known = set(own.values())
    for host, peers in _list_meshes(cluster):
        missing = [node for node, address in own.items() if node != host and address not in peers]
        strangers = [peer for address, peer in peers.items() if address not in known]
        is_exchange = len(missing) == len(strangers) == 1 and len(peers) >= _ALIKE
        if host in own and is_exchange and not strangers[0].established:
            values = {"host": host, "node": missing[0], "own": own[missing[0]], "address": strangers[0].address}
            yield Sighting(line=strangers[0].at, node=missing[0], values=values)


@once
def _list_meshes(cluster: ClusterFacts) -> list[tuple[str, dict[str, BgpPeer]]]:
    """What each node shows of the mesh; two tables of nodes that nobody names are not mixed."""
    seen: dict[tuple[str, tuple[str, int] | None], dict[str, BgpPeer]] = defaultdict(dict)
    for peer in cluster.all(BgpPeer):
        if "mesh" not in (peer.type or "mesh"):
            continue
        node = cluster.names.find_node_or_host(peer.host) or cluster.find_node_of_pod(peer.pod) or ""
        shown = None if node else cluster.artifact(peer.at)
        seen[node, (shown.name, shown.first) if shown else None][peer.address] = peer
    return [(node, peers) for (node, _), peers in seen.items()]


def find_two_tunnel_entries(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The forwarding table of the VXLAN device has two hardware addresses for one node."""
    first: dict[tuple[Line, str], str] = {}
    for entry in cluster.all(TunnelEntry):
        known = first.setdefault((entry.table, entry.address), entry.hardware)
        if known != entry.hardware:
            values = {"address": entry.address, "first": known, "second": entry.hardware}
            yield Sighting(line=entry.at, node=cluster.names.find_node_or_host(entry.host), values=values)


@once
def collect_records(cluster: ClusterFacts) -> dict[str, NodeAddress]:
    """The last IPv4 record of each node. Where the node is well, what is stored counts more than what a start took."""
    facts = (record for record in cluster.all(NodeAddress) if "." in record.address)
    named = [(cluster.names.find_node_or_host(record.node), record) for record in facts]
    named.sort(key=lambda one: one[1].source in _STORED and one[0] not in cluster.sick_nodes)
    return {node: record for node, record in named if node}


@once
def list_stored(cluster: ClusterFacts) -> list[NodeAddress]:
    """The records of all nodes, also those of which nobody knows whose they are."""
    nameless = [one for one in cluster.all(NodeAddress) if one.node is None and one.host is None and "." in one.address]
    return [*collect_records(cluster).values(), *(one for one in nameless if one.source == "annotation")]


@once
def collect_own_addresses(cluster: ClusterFacts) -> dict[str, str]:
    """Each node's own address: that of its host-network pods, better its InternalIP."""
    found = {
        pod.node: pod.ip for kind in _HOST_ROLES for pod in cluster.pods(kind) if pod.node and pod.ip and "." in pod.ip
    }
    return found | {node.name: node.internal_ip for node in cluster.all(Node) if node.internal_ip}


def strip_prefix_length(address: str) -> str:
    """The address without its prefix length."""
    return address.split("/", maxsplit=1)[0]


_ENOUGH = 2


def find_record_called_virtual(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An address that the author calls virtual is what Calico has for a node."""
    stored = {strip_prefix_length(record.address): record for record in collect_records(cluster).values()}
    for note in cluster.all(Note):
        for address in find_virtual_addresses(note.text):
            if record := stored.get(address):
                values = {"address": address, "node": str(record.node)}
                yield Sighting(line=record.at, node=record.node, values=values)


def find_peer_called_virtual(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An address that the author calls virtual is a peer in the mesh, where every peer is the address of a node."""
    meshed = {peer.address: peer for peer in cluster.all(BgpPeer) if peer.type and "mesh" in peer.type}
    for note in cluster.all(Note):
        for address in find_virtual_addresses(note.text):
            if peer := meshed.get(address):
                yield Sighting(line=peer.at, values={"address": address})


def find_own_address_unrecorded(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node runs at an address that no record has, though there is a record for every pod and most agree."""
    stored = {strip_prefix_length(record.address) for record in list_stored(cluster)}
    pods = [pod for pod in cluster.list_latest_pods("calico-node") if pod.ip and "." in pod.ip]
    missing = [pod for pod in pods if pod.ip not in stored]
    if len(stored) < len(pods) or len(pods) - len(missing) < _ENOUGH or len(missing) > len(pods) // 2:
        return
    for pod in missing:
        yield Sighting(line=pod.at, node=pod.node, values={"address": str(pod.ip)})


def find_autodetected_own_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every address that was seen autodetected is the node's own, so the choice of the card is right."""
    own = collect_own_addresses(cluster)
    found = [
        (fact, own[node])
        for fact in cluster.all(NodeAddress)
        if fact.source == "autodetected" and (node := cluster.names.node(fact.node or fact.host)) in own
    ]
    if found and all(strip_prefix_length(fact.address) == address for fact, address in found):
        yield Sighting(line=found[0][0].at)


SIGNS = {
    "same-calico-address-twice": find_same_calico_address_twice,
    "recorded-with-address-of-another": find_recorded_with_address_of_another,
    "blocks-of-missing-node": find_blocks_of_missing_node,
    "calico-address-odd-one-out": find_calico_address_odd_one_out,
    "calico-address-matches-everywhere": find_calico_address_matches_everywhere,
    "calico-address-odd-prefix": find_calico_address_odd_prefix,
    "record-without-node": find_record_without_node,
    "peer-beyond-all-nodes": find_peer_beyond_all_nodes,
    "peer-in-place-of-a-node": find_peer_in_place_of_a_node,
    "two-tunnel-entries": find_two_tunnel_entries,
    "record-called-virtual": find_record_called_virtual,
    "peer-called-virtual": find_peer_called_virtual,
    "own-address-unrecorded": find_own_address_unrecorded,
    "autodetected-own-address": find_autodetected_own_address,
}
