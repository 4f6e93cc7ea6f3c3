"""Packets that the operator captured with tcpdump."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Fact
from calivet.facts.host import ArpMessage, Capture, EmptyCapture, Packet
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}"
_FLOW = expression(rf"(?<![\d.])({_ADDRESS})(?:\.(\d+|[a-z][\w-]*))? > ({_ADDRESS})(?:\.(\d+|[a-z][\w-]*))?: (.*)")
_TIME = expression(r"\s*\d\d:\d\d:\d\d[.,]\d")
_LENGTH = expression(r"\blength (\d+)")
_SEQUENCE = expression(r"\bseq (\d+:\d+)")
_INTERFACE = expression(r"-\w*i\s+([\w.@-]+)")
_ARP = expression(rf"who-has (?P<asked>{_ADDRESS}) tell (?P<asker>[\d.]+)|(?P<told>{_ADDRESS}) is-at")
_OF_BGP = expression(r"\btcpdump\b.*(?:\bport\s+179\b|\bport\s+bgp\b)")
_TUNNEL_PORTS = {"4789": "VXLAN", "8472": "VXLAN", "51820": "WireGuard", "51821": "WireGuard"}
# Captures that people paste are short; a longer text that merely mentions tcpdump is not searched.
_LONGEST = 5000


def _read(artifact: Artifact, _: list[int]) -> Iterator[Fact]:
    command = artifact.command or ""
    if _OF_BGP.search(command):
        for index, text in enumerate(artifact.lines):
            if text.strip().startswith("0 packets captured"):
                yield EmptyCapture(at=artifact.at(index), host=artifact.host, bgp=True)
    if len(artifact.lines) > _LONGEST:
        return
    interface = _INTERFACE.search(command)
    yield Capture(at=artifact.at(0), host=artifact.host, interface=interface[1] if interface else "")
    yield from _read_packets(artifact)
    for index, text in enumerate(artifact.lines):
        if found := _ARP.search(text):
            address = found["asked"] or found["told"]
            yield ArpMessage(
                at=artifact.at(index),
                host=artifact.host,
                capture=artifact.at(0),
                address=address,
                asker=found["asker"],
            )


def _read_packets(artifact: Artifact) -> Iterator[Packet]:
    """The packets; what stands under a VXLAN packet without a time of its own is its content."""
    inside = False
    for index, text in enumerate(artifact.lines):
        found = _FLOW.search(text)
        if not found:
            continue
        if inside and not _TIME.match(text):
            inside = False
            continue
        packet = _build_packet(artifact.at(index), artifact, found)
        inside = packet.tunnel == "VXLAN"
        yield packet


def _build_packet(line: Line, artifact: Artifact, found: re.Match[str]) -> Packet:
    source, source_port, target, target_port, rest = found.groups()
    length = _LENGTH.findall(rest)
    sequence = _SEQUENCE.search(rest)
    return Packet(
        at=line,
        host=artifact.host,
        capture=artifact.at(0),
        source=source,
        target=target,
        tunnel=_find_tunnel(source_port, target_port, rest),
        length=int(length[-1]) if length else 0,
        sequence=sequence[1] if sequence else None,
    )


def _find_tunnel(source_port: str | None, target_port: str | None, rest: str) -> str | None:
    if "ipip-proto-4" in rest or (rest.startswith("IP ") and _FLOW.search(rest)):
        return "IP-in-IP"
    if "VXLAN" in rest or "OTV" in rest:
        return "VXLAN"
    return _TUNNEL_PORTS.get(target_port or "") or _TUNNEL_PORTS.get(source_port or "")


READER = read_statements(_read, command=expression(r"tcpdump"))
