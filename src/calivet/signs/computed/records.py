"""Signs in Calico's node records: two with one address, one too many, one that does not fit, tunnels of the past."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer, NodeAddress
from calivet.facts.kubernetes import Node
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

_HOST_ROLES = ("calico-node", "kube-proxy", "apiserver", "etcd")
_FDB = expression(
    r"^\s*(?P<mac>(?:[0-9a-f]{2}:){5}[0-9a-f]{2}) (?:dev vxlan\S+ )?dst (?P<address>[\da-f.:]+)\b", re.IGNORECASE
)
_ASKS_FOR_FDB = expression(r"\bbridge\b.*\bfdb\b")
_ALIKE = 2
"""So many other nodes must agree before one counts as the odd one out."""


def same_calico_address_twice(picture: Picture) -> Iterator[Sighting]:
    """Two node records hold one address."""
    holders: dict[str, dict[str, NodeAddress]] = defaultdict(dict)
    for record in records(picture).values():
        holders[bare(record.address)][str(record.node)] = record
    for address, sharing in holders.items():
        if len(sharing) > 1:
            first = next(iter(sharing.values()))
            values = {"nodes": ", ".join(sharing), "address": address}
            yield Sighting(line=first.at, node=first.node, values=values)


def calico_address_odd_one_out(picture: Picture) -> Iterator[Sighting]:
    """One record is not the node's own address, while at least two others are.

    The address of another node is no wrong card: that is one address twice.
    """
    own = own_addresses(picture)
    pairs = [(record, own[node]) for node, record in records(picture).items() if node in own]
    wrong = [(record, address) for record, address in pairs if bare(record.address) != address]
    if len(pairs) - len(wrong) < _ALIKE or len(wrong) >= len(pairs) - len(wrong):
        return
    known = set(own.values())
    for record, address in wrong:
        if bare(record.address) in known:
            continue
        values = {"address": record.address, "own": address, "node": str(record.node)}
        yield Sighting(line=record.at, node=record.node, values=values)


def calico_address_matches_everywhere(picture: Picture) -> Iterator[Sighting]:
    """Every record that can be compared is the node's own address."""
    own = own_addresses(picture)
    pairs = [(record, own[node]) for node, record in records(picture).items() if node in own]
    if len(pairs) >= _ALIKE and all(bare(record.address) == address for record, address in pairs):
        yield Sighting(line=pairs[0][0].at)


def calico_address_odd_prefix(picture: Picture) -> Iterator[Sighting]:
    """One record is a single address (/32) where the others have a network: an address that wanders, not a card's."""
    known = [record for record in records(picture).values() if "/" in record.address]
    singles = [record for record in known if record.address.endswith("/32")]
    if len(known) - len(singles) < _ALIKE or len(singles) > len(known) // 3:
        return
    for record in singles:
        yield Sighting(line=record.at, node=record.node, values={"node": str(record.node), "address": record.address})


def record_without_node(picture: Picture) -> Iterator[Sighting]:
    """A record whose name and address belong to no Kubernetes node, where the other records do."""
    nodes = {node.name.lower() for node in picture.all(Node)}
    addresses = {node.internal_ip for node in picture.all(Node)} | set(own_addresses(picture).values())
    known = [record for record in records(picture).values() if record.source == "resource" and record.node]
    strangers = [record for record in known if str(record.node).lower() not in nodes]
    if len(known) - len(strangers) < _ALIKE:
        return
    for record in strangers:
        if bare(record.address) not in addresses:
            yield Sighting(line=record.at, values={"record": str(record.node), "address": bare(record.address)})


def peer_beyond_all_nodes(picture: Picture) -> Iterator[Sighting]:
    """A node has sessions with all the others, and waits for one more that no live node stands behind."""
    own = own_addresses(picture)
    known = set(own.values())
    seen: dict[str, dict[str, BgpPeer]] = defaultdict(dict)
    for peer in picture.all(BgpPeer):
        if "mesh" in (peer.type or "mesh"):
            seen[picture.names.node(peer.host) or peer.host or ""][peer.address] = peer
    for host, peers in seen.items():
        others = {address for node, address in own.items() if node != host}
        # A list of nodes shows them all; where the host is not known, its own address is the one that is missing.
        enough = 1 if len(picture.all(Node)) > 1 else _ALIKE
        strangers = [peer for address, peer in peers.items() if peer.established and address not in known]
        if strangers or len(others) < enough or len(others - peers.keys()) > (0 if host else 1):
            continue
        for address, peer in peers.items():
            if not peer.established and address not in known:
                yield Sighting(line=peer.at, node=host or None, values={"host": host or "one node", "address": address})


def two_tunnel_entries(picture: Picture) -> Iterator[Sighting]:
    """The forwarding table of the VXLAN device has two hardware addresses for one node."""
    for artifact in picture.artifacts:
        if not _ASKS_FOR_FDB.search(artifact.command or artifact.name):
            continue
        first: dict[str, str] = {}
        for index, line in enumerate(artifact.lines):
            found = _FDB.match(line)
            if not found or first.setdefault(found["address"], found["mac"]) == found["mac"]:
                continue
            values = {"address": found["address"], "first": first[found["address"]], "second": found["mac"]}
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(index), node=node, values=values)


@once
def records(picture: Picture) -> dict[str, NodeAddress]:
    """The last IPv4 record of each node."""
    facts = (record for record in picture.all(NodeAddress) if "." in record.address)
    named = ((picture.names.node(record.node) or record.node, record) for record in facts)
    return {node: record for node, record in named if node}


@once
def own_addresses(picture: Picture) -> dict[str, str]:
    """Each node's own address: that of its host-network pods, better its InternalIP."""
    found = {
        pod.node: pod.ip for kind in _HOST_ROLES for pod in picture.pods(kind) if pod.node and pod.ip and "." in pod.ip
    }
    return found | {node.name: node.internal_ip for node in picture.all(Node) if node.internal_ip}


def bare(address: str) -> str:
    """The address without its prefix length."""
    return address.split("/", maxsplit=1)[0]


SIGNS = {
    "same-calico-address-twice": same_calico_address_twice,
    "calico-address-odd-one-out": calico_address_odd_one_out,
    "calico-address-matches-everywhere": calico_address_matches_everywhere,
    "calico-address-odd-prefix": calico_address_odd_prefix,
    "record-without-node": record_without_node,
    "peer-beyond-all-nodes": peer_beyond_all_nodes,
    "two-tunnel-entries": two_tunnel_entries,
}
