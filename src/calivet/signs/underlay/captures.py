"""Signs in captured packets: what leaves a node and never arrives, and what is sent again and again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import list_pools, map_node_addresses
from calivet.facts.host import ArpMessage, Capture, Packet, Route
from calivet.facts.kubernetes import Pod
from calivet.facts.networks import NetworkTable, parse_network
from calivet.facts.vocabulary.identifiers import TUNNELS
from calivet.signs.sighting import Sighting

# One packet may be chance; the same way twice without an answer is not, nor one beside an empty capture.
ONCE, TWICE = 1, 2


class _Capture(Struct, frozen=True):
    """A run of tcpdump with all that it saw."""

    at: Line
    host: str | None
    interface: str
    packets: list[Packet]

    def find_node(self, cluster: ClusterFacts) -> str | None:
        """The node it was made on."""
        return cluster.names.find_node_or_host(self.host)

    def has_answer(self, packet: Packet) -> bool:
        """Whether anything came back from where the packet went."""
        return any(
            other.source == packet.target and other.target == packet.source and other.tunnel == packet.tunnel
            for other in self.packets
        )


@once
def _collect_captures(cluster: ClusterFacts) -> list[_Capture]:
    """Every run of tcpdump in the evidence, the empty ones too."""
    packets: dict[Line, list[Packet]] = defaultdict(list)
    for packet in cluster.all(Packet):
        packets[packet.capture].append(packet)
    return [_Capture(run.at, run.host, run.interface, packets[run.at]) for run in cluster.all(Capture)]


def find_encapsulated_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets in a tunnel go out and none comes back."""
    yield from _find_unanswered_in_tunnel(cluster, TWICE)


def find_tunnel_target_foreign(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets in a tunnel go to an address that no node has for itself: the fault is in the address."""
    for capture in _collect_captures(cluster):
        for packet in capture.packets:
            if packet.tunnel and _is_foreign(packet, cluster):
                yield Sighting(line=packet.at, node=capture.find_node(cluster), values={"target": packet.target})
                break


def find_encapsulated_never_arrives(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets in a tunnel go out, and the capture on another node stays empty."""
    for sighting, empty in _match_empty_captures(cluster, list(_find_unanswered_in_tunnel(cluster, ONCE))):
        yield Sighting(line=empty.at, node=sighting.node, values=sighting.values)


def find_encapsulated_arrives(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets in a tunnel are seen on the node they are for."""
    for capture in _collect_captures(cluster):
        for packet in capture.packets:
            if packet.tunnel and _is_received_here(capture, packet, cluster):
                node = cluster.names.node(packet.target)
                yield Sighting(line=packet.at, node=node, values={"source": packet.source, "node": str(node)})
                break


def find_arrives_but_not_out_of_tunnel(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets in a tunnel reach the card of their node, and the tunnel device there shows nothing."""
    silent = _collect_empty_captures(cluster, only=TUNNELS)
    for seen in find_encapsulated_arrives(cluster):
        if capture := silent.get(seen.node):
            values = {"node": str(seen.node), "device": capture.interface}
            yield Sighting(line=capture.at, node=seen.node, values=values)


def find_pod_packets_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets with pod addresses leave through the node's card as they are, and none comes back."""
    yield from _find_unanswered_outside_tunnel(cluster, TWICE)


def find_pod_packets_never_arrive(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Such packets leave, and the capture on another node stays empty."""
    for sighting, empty in _match_empty_captures(cluster, list(_find_unanswered_outside_tunnel(cluster, ONCE))):
        yield Sighting(line=empty.at, node=sighting.node, values=sighting.values)


def find_pod_packets_never_leave(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Packets of pods are captured on one interface of a node, and nothing on another of the same node."""
    empty = _collect_empty_captures(cluster)
    for capture in _collect_captures(cluster):
        node = capture.find_node(cluster)
        silent = empty.get(node) if node else None
        if silent and any(not packet.tunnel for packet in capture.packets) and silent.interface != capture.interface:
            yield Sighting(line=silent.at, node=node, values={"node": str(node)})


def _find_unanswered_in_tunnel(cluster: ClusterFacts, least: int) -> Iterator[Sighting]:
    for capture in _collect_captures(cluster):
        for packet in _list_unanswered(capture, [packet for packet in capture.packets if packet.tunnel], least):
            if not _is_received_here(capture, packet, cluster) and not _is_foreign(packet, cluster):
                yield _build_sighting(capture, packet, cluster)


def _find_unanswered_outside_tunnel(cluster: ClusterFacts, least: int) -> Iterator[Sighting]:
    for capture in _collect_captures(cluster):
        if capture.interface.startswith(("cali", "tunl", "vxlan", "wireguard", "any")):
            continue
        bare = [packet for packet in capture.packets if not packet.tunnel and _is_between_pods(packet, cluster)]
        for packet in _list_unanswered(capture, bare, least):
            yield _build_sighting(capture, packet, cluster)


def _list_unanswered(capture: _Capture, packets: list[Packet], least: int) -> Iterator[Packet]:
    """The first packet of each way that was gone so often without anything coming back."""
    times = Counter((packet.source, packet.target) for packet in packets)
    for packet in packets:
        if times.pop((packet.source, packet.target), 0) >= least and not capture.has_answer(packet):
            yield packet


def _match_empty_captures(cluster: ClusterFacts, sightings: list[Sighting]) -> Iterator[tuple[Sighting, _Capture]]:
    empty = [(node, capture) for node, capture in _collect_empty_captures(cluster).items() if node][:2]
    for sighting in sightings:
        if elsewhere := next((capture for node, capture in empty if node != sighting.node), None):
            yield sighting, elsewhere


def _collect_empty_captures(cluster: ClusterFacts, only: tuple[str, ...] = ()) -> dict[str | None, _Capture]:
    """The first capture of each node, on these interfaces or on any, in which nothing was seen."""
    found: dict[str | None, _Capture] = {}
    for capture in _collect_captures(cluster):
        if not capture.packets and (not only or capture.interface in only):
            found.setdefault(capture.find_node(cluster), capture)
    return found


def _is_received_here(capture: _Capture, packet: Packet, cluster: ClusterFacts) -> bool:
    owner = cluster.names.node(packet.target)
    return owner is not None and owner == capture.find_node(cluster)


def _is_foreign(packet: Packet, cluster: ClusterFacts) -> bool:
    known = _collect_node_addresses(cluster)
    return len(known) > 1 and packet.target not in known


def _is_between_pods(packet: Packet, cluster: ClusterFacts) -> bool:
    """Whether it goes to a pod, and not from a node's own address."""
    nodes = _collect_node_addresses(cluster)
    if packet.source in nodes or packet.target in nodes:
        return False
    return packet.target in _collect_pod_addresses(cluster) or bool(
        _build_pod_ranges(cluster).find_holding(packet.target)
    )


@once
def _collect_node_addresses(cluster: ClusterFacts) -> set[str]:
    return set(map_node_addresses(cluster).values())


@once
def _collect_pod_addresses(cluster: ClusterFacts) -> set[str | None]:
    return {pod.ip for pod in cluster.all(Pod)}


@once
def _build_pod_ranges(cluster: ClusterFacts) -> NetworkTable[None]:
    """The pools, and whatever lies behind another node."""
    nodes = _collect_node_addresses(cluster)
    ranges = [pool.network for pool in list_pools(cluster)]
    ranges += [
        where for route in cluster.all(Route) if route.via in nodes and (where := parse_network(route.destination))
    ]
    return NetworkTable((where, None) for where in ranges if where.prefixlen)


def _build_sighting(capture: _Capture, packet: Packet, cluster: ClusterFacts) -> Sighting:
    values = {"source": packet.source, "target": packet.target, "peer": packet.target}
    values["protocol"] = packet.tunnel or ""
    return Sighting(line=packet.at, node=capture.find_node(cluster), values=values)


# Packets of this size are full ones on any usual network.
LARGE = 1200
REPEATED = 3
ASKED_AGAIN = 2
_GATEWAY = "169.254.1.1"


def find_large_segments_repeated(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A full segment is sent again and again while small packets go both ways."""
    for capture in _collect_captures(cluster):
        times = Counter((packet.source, packet.target, packet.sequence) for packet in _list_large(capture))
        for packet in _list_large(capture):
            if times.pop((packet.source, packet.target, packet.sequence), 0) >= REPEATED and capture.has_answer(packet):
                values = {"target": packet.target, "length": str(packet.length)}
                yield Sighting(line=packet.at, node=capture.find_node(cluster), values=values)


def find_gateway_arp_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod asks for its gateway again and again, and the host does not answer."""
    messages: dict[Line, list[ArpMessage]] = defaultdict(list)
    for message in cluster.all(ArpMessage):
        if message.address == _GATEWAY:
            messages[message.capture].append(message)
    for seen in messages.values():
        if len(seen) >= ASKED_AGAIN and all(message.asker for message in seen):
            node = cluster.names.find_node_or_host(seen[0].host)
            yield Sighting(line=seen[0].at, node=node, values={"source": str(seen[0].asker)})


def _list_large(capture: _Capture) -> list[Packet]:
    return [packet for packet in capture.packets if packet.sequence and packet.length >= LARGE]


SIGNS = {
    "encapsulated-unanswered": find_encapsulated_unanswered,
    "tunnel-target-foreign": find_tunnel_target_foreign,
    "encapsulated-never-arrives": find_encapsulated_never_arrives,
    "encapsulated-arrives": find_encapsulated_arrives,
    "arrives-but-not-out-of-tunnel": find_arrives_but_not_out_of_tunnel,
    "pod-packets-unanswered": find_pod_packets_unanswered,
    "pod-packets-never-arrive": find_pod_packets_never_arrive,
    "pod-packets-never-leave": find_pod_packets_never_leave,
    "large-segments-repeated": find_large_segments_repeated,
    "gateway-arp-unanswered": find_gateway_arp_unanswered,
}
