"""Signs in captured packets: what leaves and never arrives, what is sent again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture
from calivet.signs.computed.networks import inside, node_addresses, pools
from calivet.signs.computed.packets import Capture, Packet, captures
from calivet.signs.sighting import Sighting

# One packet may be chance; the same way twice without an answer is not, nor one beside an empty capture.
ONCE, TWICE = 1, 2
# Packets of this size are full ones on any usual network.
LARGE = 1200
REPEATED = 3
_ASKS_GATEWAY = re.compile(r"who-has 169\.254\.1\.1 tell (?P<source>[\d.]+)")
_GATEWAY_ANSWERS = "169.254.1.1 is-at"


def encapsulated_unanswered(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel go out and none comes back."""
    yield from _tunnelled_unanswered(picture, TWICE)


def tunnel_target_foreign(picture: Picture) -> Iterator[Sighting]:
    """Packets in a tunnel go to an address that no node has for itself: the fault is in the address."""
    for capture in captures(picture):
        for packet in capture.packets:
            if packet.tunnel and _foreign(packet, picture):
                yield Sighting(line=packet.line, node=_node(capture, picture), values={"target": packet.target})
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


def pod_packets_unanswered(picture: Picture) -> Iterator[Sighting]:
    """Packets with pod addresses leave through the node's card as they are, and none comes back."""
    yield from _bare_unanswered(picture, TWICE)


def pod_packets_never_arrive(picture: Picture) -> Iterator[Sighting]:
    """Such packets leave, and the capture on another node stays empty."""
    for sighting, empty in _with_empty_capture(picture, list(_bare_unanswered(picture, ONCE))):
        yield Sighting(line=empty.artifact.at(0), node=sighting.node, values=sighting.values)


def large_segments_repeated(picture: Picture) -> Iterator[Sighting]:
    """A full segment is sent again and again while small packets go both ways."""
    for capture in captures(picture):
        times = Counter((packet.source, packet.target, packet.sequence) for packet in _large(capture))
        for packet in _large(capture):
            if times.pop((packet.source, packet.target, packet.sequence), 0) >= REPEATED and capture.answered(packet):
                values = {"target": packet.target, "length": str(packet.length)}
                yield Sighting(line=packet.line, node=_node(capture, picture), values=values)


def gateway_arp_unanswered(picture: Picture) -> Iterator[Sighting]:
    """A pod asks for its gateway again and again, and the host does not answer."""
    for capture in captures(picture):
        lines = capture.artifact.lines
        asked = [(index, found) for index, text in enumerate(lines) if (found := _ASKS_GATEWAY.search(text))]
        if len(asked) >= TWICE and not any(_GATEWAY_ANSWERS in text for text in lines):
            index, found = asked[0]
            yield Sighting(
                line=capture.artifact.at(index), node=_node(capture, picture), values={"source": found["source"]}
            )


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
    empty = [capture for capture in captures(picture) if not capture.packets and _node(capture, picture)]
    for sighting in sightings:
        for capture in empty:
            if _node(capture, picture) != sighting.node:
                yield sighting, capture
                break


def _received_here(capture: Capture, packet: Packet, picture: Picture) -> bool:
    owner = picture.names.node(packet.target)
    return owner is not None and owner == _node(capture, picture)


def _foreign(packet: Packet, picture: Picture) -> bool:
    known = set(node_addresses(picture).values())
    return len(known) > 1 and packet.target not in known


def _between_pods(packet: Packet, picture: Picture) -> bool:
    nodes = set(node_addresses(picture).values())
    pods = {pod.ip for pod in picture.all(Pod) if pod.ip and pod.ip not in nodes}
    ranges = [pool.network for pool in pools(picture)]
    return all(
        end in pods or (end not in nodes and any(inside(end, pool) for pool in ranges))
        for end in (packet.source, packet.target)
    )


def _large(capture: Capture) -> list[Packet]:
    return [packet for packet in capture.packets if packet.sequence and packet.length >= LARGE]


def _sighting(capture: Capture, packet: Packet, picture: Picture) -> Sighting:
    values = {"source": packet.source, "target": packet.target, "peer": packet.target}
    values["protocol"] = packet.tunnel or ""
    return Sighting(line=packet.line, node=_node(capture, picture), values=values)


def _node(capture: Capture, picture: Picture) -> str | None:
    return picture.names.node(capture.artifact.host) or capture.artifact.host


SIGNS = {
    "encapsulated-unanswered": encapsulated_unanswered,
    "tunnel-target-foreign": tunnel_target_foreign,
    "encapsulated-never-arrives": encapsulated_never_arrives,
    "encapsulated-arrives": encapsulated_arrives,
    "pod-packets-unanswered": pod_packets_unanswered,
    "pod-packets-never-arrive": pod_packets_never_arrive,
    "large-segments-repeated": large_segments_repeated,
    "gateway-arp-unanswered": gateway_arp_unanswered,
}
