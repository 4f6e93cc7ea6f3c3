"""Packets that the operator captured with tcpdump. Helpers, no signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact, Line
from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture, once

_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}"
_FLOW = expression(rf"(?<![\d.])({_ADDRESS})(?:\.(\d+|[a-z][\w-]*))? > ({_ADDRESS})(?:\.(\d+|[a-z][\w-]*))?: (.*)")
_TIME = expression(r"\s*\d\d:\d\d:\d\d[.,]\d")
_LENGTH = expression(r"\blength (\d+)")
_SEQUENCE = expression(r"\bseq (\d+:\d+)")
_INTERFACE = expression(r"-\w*i\s+([\w.@-]+)")
_TUNNEL_PORTS = {"4789": "VXLAN", "8472": "VXLAN", "51820": "WireGuard", "51821": "WireGuard"}
# Captures that people paste are short; a longer text that merely mentions tcpdump is not searched.
_LONGEST = 5000


class Packet(Struct, frozen=True):
    """One packet as tcpdump prints it; for a tunnel the outer packet."""

    line: Line
    source: str
    target: str
    tunnel: str | None = None
    """IP-in-IP, VXLAN, WireGuard; None for a packet as it is."""
    length: int = 0
    sequence: str | None = None


class Capture(Struct, frozen=True):
    """One run of tcpdump."""

    artifact: Artifact
    packets: list[Packet]

    @property
    def interface(self) -> str:
        """The interface that was listened on, empty where the command does not say."""
        found = _INTERFACE.search(self.artifact.command or "")
        return found[1] if found else ""

    def node(self, picture: Picture) -> str | None:
        """The node it was made on."""
        return picture.names.node(self.artifact.host) or self.artifact.host

    def answered(self, packet: Packet) -> bool:
        """Whether anything came back from where the packet went."""
        return any(
            other.source == packet.target and other.target == packet.source and other.tunnel == packet.tunnel
            for other in self.packets
        )


@once
def captures(picture: Picture) -> list[Capture]:
    """Every run of tcpdump in the evidence, the empty ones too."""
    return [
        Capture(artifact, list(_packets(artifact)))
        for artifact in picture.artifacts
        if not artifact.prose and "tcpdump" in (artifact.command or "") and len(artifact.lines) <= _LONGEST
    ]


def _packets(artifact: Artifact) -> Iterator[Packet]:
    """The packets; what stands under a VXLAN packet without a time of its own is its content."""
    inside = False
    for index, text in enumerate(artifact.lines):
        found = _FLOW.search(text)
        if not found:
            continue
        if inside and not _TIME.match(text):
            inside = False
            continue
        packet = _packet(artifact.at(index), found)
        inside = packet.tunnel == "VXLAN"
        yield packet


def _packet(line: Line, found: re.Match[str]) -> Packet:
    source, source_port, target, target_port, rest = found.groups()
    length = _LENGTH.findall(rest)
    sequence = _SEQUENCE.search(rest)
    return Packet(
        line=line,
        source=source,
        target=target,
        tunnel=_tunnel(source_port, target_port, rest),
        length=int(length[-1]) if length else 0,
        sequence=sequence[1] if sequence else None,
    )


def _tunnel(source_port: str | None, target_port: str | None, rest: str) -> str | None:
    if "ipip-proto-4" in rest or (rest.startswith("IP ") and _FLOW.search(rest)):
        return "IP-in-IP"
    if "VXLAN" in rest or "OTV" in rest:
        return "VXLAN"
    return _TUNNEL_PORTS.get(target_port or "") or _TUNNEL_PORTS.get(source_port or "")
