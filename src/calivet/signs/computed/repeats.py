"""Signs in what is sent again and again: full segments that do not get through, questions that nobody answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture
from calivet.signs.computed.packets import Capture, Packet, captures
from calivet.signs.sighting import Sighting

# Packets of this size are full ones on any usual network.
LARGE = 1200
REPEATED = 3
TWICE = 2
_ASKS_GATEWAY = expression(r"who-has 169\.254\.1\.1 tell (?P<source>[\d.]+)")
_GATEWAY_ANSWERS = "169.254.1.1 is-at"


def large_segments_repeated(picture: Picture) -> Iterator[Sighting]:
    """A full segment is sent again and again while small packets go both ways."""
    for capture in captures(picture):
        times = Counter((packet.source, packet.target, packet.sequence) for packet in _large(capture))
        for packet in _large(capture):
            if times.pop((packet.source, packet.target, packet.sequence), 0) >= REPEATED and capture.answered(packet):
                values = {"target": packet.target, "length": str(packet.length)}
                yield Sighting(line=packet.line, node=capture.node(picture), values=values)


def gateway_arp_unanswered(picture: Picture) -> Iterator[Sighting]:
    """A pod asks for its gateway again and again, and the host does not answer."""
    for capture in captures(picture):
        lines = capture.artifact.lines
        asked = [(index, found) for index, text in enumerate(lines) if (found := _ASKS_GATEWAY.search(text))]
        if len(asked) >= TWICE and not any(_GATEWAY_ANSWERS in text for text in lines):
            index, found = asked[0]
            yield Sighting(
                line=capture.artifact.at(index), node=capture.node(picture), values={"source": found["source"]}
            )


def _large(capture: Capture) -> list[Packet]:
    return [packet for packet in capture.packets if packet.sequence and packet.length >= LARGE]


SIGNS = {"large-segments-repeated": large_segments_repeated, "gateway-arp-unanswered": gateway_arp_unanswered}
