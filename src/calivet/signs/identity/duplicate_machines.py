"""Signs of machines that share what should be each one's own: addresses, names, machine ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from calivet.facts.calico import BgpPeer, NodeAddress, NodenameFile
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.host import Interface, MachineIdentity, Neighbour
from calivet.facts.kubernetes import Node
from calivet.facts.names import list_others
from calivet.facts.networks import parse_address
from calivet.facts.vocabulary.identifiers import TUNNELS
from calivet.signs.identity.node_records import collect_own_addresses, collect_records, strip_prefix_length
from calivet.signs.sighting import Sighting

_SINGLE = "/32"


def find_same_address_on_two_machines(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node's address is on a card of two machines; addresses that wander (/32) and bridges' own are no nodes'."""
    known = _collect_node_addresses(cluster)
    holders: dict[str, dict[str, Interface]] = defaultdict(dict)
    for card in cluster.all(Interface):
        node = cluster.names.find_node_or_host(card.host)
        for address in card.addresses:
            if (
                node
                and strip_prefix_length(address) in known
                and not address.endswith(_SINGLE)
                and card.up is not False
            ):
                holders[strip_prefix_length(address)][node] = card
    for address, cards in holders.items():
        if len(cards) > 1:
            values = {"nodes": ", ".join(cards), "address": address}
            yield from (Sighting(line=card.at, node=node, values=values) for node, card in cards.items())


def find_same_internal_address_twice(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two Kubernetes nodes report one InternalIP; what somebody masked is no address."""
    holders: dict[str, dict[str, Node]] = defaultdict(dict)
    for node in cluster.all(Node):
        if node.internal_ip and parse_address(node.internal_ip):
            holders[node.internal_ip][node.name] = node
    for address, nodes in holders.items():
        if len(nodes) > 1:
            values = {"nodes": ", ".join(nodes), "address": address}
            yield from (Sighting(line=node.at, node=name, values=values) for name, node in nodes.items())


def find_same_machine_id(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two nodes have one machine-id, by which DHCP knows them; boards may share their number for want of one."""
    holders: dict[str, dict[str, MachineIdentity]] = defaultdict(dict)
    for number in cluster.all(MachineIdentity):
        node = cluster.names.find_node_or_host(number.host)
        if node and number.name == "machine-id":
            holders[number.digest][node] = number
    for twins in holders.values():
        names = list(twins)
        for node, number in twins.items() if len(names) > 1 else ():
            yield Sighting(line=number.at, node=node, values={"clone": list_others(names, node)})


def _collect_node_addresses(cluster: ClusterFacts) -> set[str]:
    """By which nodes are known to each other: InternalIPs, Calico's records, the peers of BGP sessions."""
    stored = {strip_prefix_length(record.address) for record in collect_records(cluster).values()}
    return stored | set(collect_own_addresses(cluster).values()) | {peer.address for peer in cluster.all(BgpPeer)}


def find_address_answered_by_another(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An address of a machine that was looked at is, in a neighbour's eyes, that of a card which it does not have."""
    owners: dict[str, str] = {}
    cards: dict[str, set[str]] = defaultdict(set)
    for card in cluster.all(Interface):
        if card.host and card.hardware:
            cards[card.host].add(card.hardware)
            owners |= {strip_prefix_length(address): card.host for address in card.addresses}
    for entry in cluster.all(Neighbour):
        owner = owners.get(entry.address)
        if not owner or not entry.hardware or owner == entry.host or entry.hardware in cards[owner]:
            continue
        values = {"address": entry.address, "owner": owner, "hardware": entry.hardware}
        yield Sighting(line=entry.at, node=cluster.names.find_node_or_host(owner), values=values)


_HOST_NETWORK = ("calico-node", "kube-proxy")


def find_node_names_repeat(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The file with the node's name was read on several machines and says the same."""
    read: dict[str, list[Sighting]] = defaultdict(list)
    for seen in _find_nodename_files(cluster):
        read[seen.values["name"]].append(seen)
    for sightings in read.values():
        hosts = [seen.node for seen in sightings]
        distinct = len({host for host in hosts if host and not _is_nameless(host)})
        nameless = sum(1 for host in hosts if not host or _is_nameless(host))
        if distinct + nameless > 1:
            yield sightings[-1]


def find_nodename_of_another(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The file with the node's name holds the name of another machine."""
    known = {name.lower() for name in cluster.names.nodes}
    known |= {artifact.host.lower() for artifact in cluster.artifacts if artifact.host}
    for seen in _find_nodename_files(cluster):
        here, name = (seen.node or "").lower(), seen.values["name"]
        if here and not _is_nameless(here) and name in known and name.split(".")[0] != here.split(".")[0]:
            yield seen


def find_nodename_unknown(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The file with the node's name holds a name that no node of the cluster has."""
    nodes = {node.name.lower() for node in cluster.all(Node)}
    for seen in _find_nodename_files(cluster):
        node, name = cluster.names.node(seen.node), seen.values["name"]
        if node and node.lower() in nodes and name not in nodes:
            yield replace(seen, node=node, values={"name": name, "node": node})


def find_tunnel_address_shared(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two machines have the same address on their tunnel."""
    owners: dict[tuple[str, str], Interface] = {}
    for device in cluster.all(Interface):
        for address in device.addresses if device.name in TUNNELS else ():
            first = owners.setdefault((device.name, address), device)
            if first.host and device.host and first.host != device.host:
                values = {"address": address, "device": device.name}
                yield Sighting(line=device.at, node=cluster.names.find_node_or_host(device.host), values=values)


def find_node_address_flips(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node, or its pods in the host's network, is seen with two addresses: two machines answer to one name."""
    first: dict[str, str] = {}
    seen = [(node.name, node.internal_ip, node.at) for node in cluster.all(Node)]
    seen += [(pod.node or "", pod.ip, pod.at) for role in _HOST_NETWORK for pod in cluster.pods(role)]
    for name, address, line in seen:
        if name and address and first.setdefault(name, address) != address:
            yield Sighting(line=line, node=name, values={"name": name, "first": first[name], "second": address})


def find_two_names_one_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node that is gone and a younger one have the same address: the machine was renamed."""
    by_address: dict[str, list[Node]] = defaultdict(list)
    for node in {node.name: node for node in cluster.all(Node)}.values():
        by_address[node.internal_ip or ""].append(node)
    for address, sharing in by_address.items():
        youngest = min(sharing, key=lambda node: node.age or 0)
        gone = [node for node in sharing if node.ready is False and (node.age or 0) > (youngest.age or 0)]
        if address and gone:
            values = {"old": gone[0].name, "new": youngest.name, "address": address}
            yield Sighting(line=youngest.at, node=youngest.name, values=values)


def find_fewer_calico_nodes_than_machines(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calicoctl lists fewer nodes than machines that run calico-node."""
    records = [fact for fact in cluster.all(NodeAddress) if fact.source == "resource" and fact.node]
    known = {fact.node for fact in records}
    own = collect_own_addresses(cluster)
    held = {own[node] for node in known if node in own}
    running = {pod.node for pod in cluster.pods("calico-node") if pod.node}
    # A machine with the address of a recorded node gets no record of its own: that is one address twice.
    machines = {node for node in running if node in known or own.get(node) not in held}
    if len(known) > 1 and len(known) < len(machines):
        values = {"known": str(len(known)), "machines": str(len(machines))}
        yield Sighting(line=records[-1].at, values=values)


def _find_nodename_files(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Each time that the file with the node's name was printed, with the machine as its prompt names it."""
    for file in cluster.all(NodenameFile):
        if not file.alone:
            yield Sighting(line=file.at, node=file.host, values={"name": file.name})


def _is_nameless(host: str) -> bool:
    """A prompt with such a name says nothing about which machine it is."""
    return host in ("localhost", "ubuntu", "debian", "template") or host.startswith("localhost.")


SIGNS = {
    "same-address-on-two-machines": find_same_address_on_two_machines,
    "same-internal-address-twice": find_same_internal_address_twice,
    "same-machine-id": find_same_machine_id,
    "address-answered-by-another": find_address_answered_by_another,
    "node-names-repeat": find_node_names_repeat,
    "nodename-of-another": find_nodename_of_another,
    "nodename-unknown": find_nodename_unknown,
    "tunnel-address-shared": find_tunnel_address_shared,
    "node-address-flips": find_node_address_flips,
    "two-names-one-address": find_two_names_one_address,
    "fewer-calico-nodes-than-machines": find_fewer_calico_nodes_than_machines,
}
