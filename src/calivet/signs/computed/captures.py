"""Signs in captured packets: what leaves a node and never arrives at the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from calivet.facts.host import Route
from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture, once
from calivet.signs.computed.network_table import NetworkTable
from calivet.signs.computed.networks import network, node_addresses, pools
from calivet.signs.computed.packets import Capture, Packet, captures
from calivet.signs.computed.paths import TUNNELS
from calivet.signs.sighting import Sighting

# One packet may be chance; the same way twice without an answer is not, nor one beside an empty capture.
ONCE, TWICE = 1, 2


def encapsulated_unanswered(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel go out and none comes back."""
    yield from _tunnelled_unanswered(picture, TWICE)


def tunnel_target_foreign(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel go to an address that no node has for itself: the fault is in the address."""
    for capture in captures(picture):
        for packet in capture.packets:
            if packet.tunnel and _foreign(packet, picture):
                yield Sighting(line=packet.line, node=capture.node(picture), values={"target": packet.target})
                break


def encapsulated_never_arrives(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel go out, and the capture on another node stays empty."""
    for sighting, empty in _with_empty_capture(picture, list(_tunnelled_unanswered(picture, ONCE))):
        yield Sighting(line=empty.artifact.at(0), node=sighting.node, values=sighting.values)


def encapsulated_arrives(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel are seen on the node they are for."""
    for capture in captures(picture):
        for packet in capture.packets:
            if packet.tunnel and _received_here(capture, packet, picture):
                node = picture.names.node(packet.target)
                yield Sighting(line=packet.line, node=node, values={"source": packet.source, "node": str(node)})
                break


def arrives_but_not_out_of_tunnel(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel reach the card of their node, and the tunnel device there shows nothing."""
    silent = _first_empty(picture, only=TUNNELS)
    for seen in encapsulated_arrives(picture):
        if capture := silent.get(seen.node):
            values = {"node": str(seen.node), "device": capture.interface}
            yield Sighting(line=capture.artifact.at(0), node=seen.node, values=values)


def pod_packets_unanswered(picture: Picture) -> Iterator[Sighting]:
    """Packets with pod addresses leave through the node's card as they are, and none comes back."""
    yield from _bare_unanswered(picture, TWICE)


def pod_packets_never_arrive(picture: Picture) -> Iterator[Sighting]:
    """Such packets leave, and the capture on another node stays empty."""
    for sighting, empty in _with_empty_capture(picture, list(_bare_unanswered(picture, ONCE))):
        yield Sighting(line=empty.artifact.at(0), node=sighting.node, values=sighting.values)


def pod_packets_never_leave(picture: Picture) -> Iterator[Sighting]:
    """Packets of pods are captured on one interface of a node, and nothing on another of the same node."""
    empty = _first_empty(picture)
    for capture in captures(picture):
        node = capture.node(picture)
        silent = empty.get(node) if node else None
        if silent and any(not packet.tunnel for packet in capture.packets) and silent.interface != capture.interface:
            yield Sighting(line=silent.artifact.at(0), node=node, values={"node": str(node)})


def _tunnelled_unanswered(picture: Picture, least: int) -> Iterator[Sighting]:
    for capture in captures(picture):
        for packet in _unanswered(capture, [packet for packet in capture.packets if packet.tunnel], least):
            if not _received_here(capture, packet, picture) and not _foreign(packet, picture):
                yield _sighting(capture, packet, picture)


def _bare_unanswered(picture: Picture, least: int) -> Iterator[Sighting]:
    for capture in captures(picture):
        if capture.interface.startswith(("cali", "tunl", "vxlan", "wireguard", "any")):
            continue
        bare = [packet for packet in capture.packets if not packet.tunnel and _between_pods(packet, picture)]
        for packet in _unanswered(capture, bare, least):
            yield _sighting(capture, packet, picture)


def _unanswered(capture: Capture, packets: list[Packet], least: int) -> Iterator[Packet]:
    """The first packet of each way that was gone so often without anything coming back."""
    times = Counter((packet.source, packet.target) for packet in packets)
    for packet in packets:
        if times.pop((packet.source, packet.target), 0) >= least and not capture.answered(packet):
            yield packet


def _with_empty_capture(picture: Picture, sightings: list[Sighting]) -> Iterator[tuple[Sighting, Capture]]:
    empty = [(node, capture) for node, capture in _first_empty(picture).items() if node][:2]
    for sighting in sightings:
        if elsewhere := next((capture for node, capture in empty if node != sighting.node), None):
            yield sighting, elsewhere


def _first_empty(picture: Picture, only: tuple[str, ...] = ()) -> dict[str | None, Capture]:
    """The first capture of each node, on these interfaces or on any, in which nothing was seen."""
    found: dict[str | None, Capture] = {}
    for capture in captures(picture):
        if not capture.packets and (not only or capture.interface in only):
            found.setdefault(capture.node(picture), capture)
    return found


def _received_here(capture: Capture, packet: Packet, picture: Picture) -> bool:
    owner = picture.names.node(packet.target)
    return owner is not None and owner == capture.node(picture)


def _foreign(packet: Packet, picture: Picture) -> bool:
    known = _own_addresses(picture)
    return len(known) > 1 and packet.target not in known


def _between_pods(packet: Packet, picture: Picture) -> bool:
    """Whether it goes to a pod, and not from a node's own address."""
    nodes = _own_addresses(picture)
    if packet.source in nodes or packet.target in nodes:
        return False
    return packet.target in _pod_addresses(picture) or bool(_pod_ranges(picture).holding(packet.target))


@once
def _own_addresses(picture: Picture) -> set[str]:
    return set(node_addresses(picture).values())


@once
def _pod_addresses(picture: Picture) -> set[str | None]:
    return {pod.ip for pod in picture.all(Pod)}


@once
def _pod_ranges(picture: Picture) -> NetworkTable[None]:
    """The pools, and whatever lies behind another node."""
    nodes = _own_addresses(picture)
    ranges = [pool.network for pool in pools(picture)]
    ranges += [where for route in picture.all(Route) if route.via in nodes and (where := network(route.destination))]
    return NetworkTable((where, None) for where in ranges if where.prefixlen)


def _sighting(capture: Capture, packet: Packet, picture: Picture) -> Sighting:
    values = {"source": packet.source, "target": packet.target, "peer": packet.target}
    values["protocol"] = packet.tunnel or ""
    return Sighting(line=packet.line, node=capture.node(picture), values=values)


SIGNS = {
    "encapsulated-unanswered": encapsulated_unanswered,
    "tunnel-target-foreign": tunnel_target_foreign,
    "encapsulated-never-arrives": encapsulated_never_arrives,
    "encapsulated-arrives": encapsulated_arrives,
    "arrives-but-not-out-of-tunnel": arrives_but_not_out_of_tunnel,
    "pod-packets-unanswered": pod_packets_unanswered,
    "pod-packets-never-arrive": pod_packets_never_arrive,
    "pod-packets-never-leave": pod_packets_never_leave,
}
