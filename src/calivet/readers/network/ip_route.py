"""The routing table: `ip route`, `route -n`, `netstat -rn`; and `ip route get`, which is a look into it."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Route
from calivet.readers.inside import Machines
from calivet.readers.network.netmask import prefix_length
from calivet.readers.reader import Reader, Reading

_ADDRESS = r"(?:default|\d{1,3}(?:\.\d{1,3}){3}(?:/\d+)?|[\da-fA-F]*:[\da-fA-F:.]*(?:/\d+)?)"
_KINDS = "unicast|blackhole|unreachable|prohibit|throw|local|broadcast|multicast|anycast|nat"
_WORDS = "via|dev|proto|scope|src|metric|onlink|table|from|nhid|encap|mtu|error"
_IP_ROUTE = expression(rf"^\s*(?:(?P<kind>{_KINDS})\s+)?(?P<destination>{_ADDRESS})(?P<rest>\s+(?:{_WORDS})\s.*)?\s*$")
_NEXT_HOP = expression(r"^\s+nexthop (?P<rest>.*)$")
_MASKED = expression(
    r"^\s*(?P<destination>default|\d+\.\d+\.\d+\.\d+)\s+(?P<gateway>\S+)\s+(?P<mask>\d+\.\d+\.\d+\.\d+)\s+"
    r"(?P<flags>!?[UGHRDMAC!]*)\s+(?P<metric>\d+)\s+\S+\s+\S+\s+(?P<device>\S+)\s*$"
)
_ANCHOR = expression(
    rf"^\s*(?:(?:{_KINDS})\s+[\da-fd]|{_ADDRESS}\s+(?:{_WORDS})\s|(?:default|\d+\.\d+\.\d+\.\d+)\s+\S+\s+\d+\.\d+\.\d+\.\d+\s)"
)
_PAIR = expression(r"\b(via(?: inet6)?|dev|proto|src|metric|table)\s+(\S+)")
_DEAD_ENDS = ("blackhole", "unreachable", "prohibit", "throw")
_WAY = expression(r"\s(?:dev|via)\s")
_NEIGHBOUR = expression(r"\b(?:lladdr|FAILED|REACHABLE|STALE|DELAY|PROBE|INCOMPLETE|PERMANENT|NOARP)\b")
_HARDWARE = expression(r"(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2}$")
_LOOKED_UP = expression(r"\broute\s+get\b")
_NO_GATEWAY = ("0.0.0.0", "*", "-", "link#")
_LONGEST_NUMBER = 10


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        line = artifact.lines[index]
        host = machines.at(index)
        if found := _MASKED.match(line):
            reading.facts.append(_masked(artifact, index, found, host))
            reading.claim(index, index + 1)
        elif (found := _IP_ROUTE.match(line)) and _is_route(found, artifact.lines[index + 1 : index + 2]):
            _add(artifact, index, found, host, reading)
    return reading


def _is_route(found: re.Match[str], below: list[str]) -> bool:
    """Neighbours, forwarding entries and the paths of a router are written much like routes."""
    rest = found["rest"] or ""
    if _NEIGHBOUR.search(rest) or _HARDWARE.match(found["destination"]):
        return False
    return found["kind"] in _DEAD_ENDS or bool(_WAY.search(rest)) or any(_NEXT_HOP.match(line) for line in below)


def _add(artifact: Artifact, index: int, found: re.Match[str], host: str | None, reading: Reading) -> None:
    """The route, or one for each of its next hops."""
    stop = index + 1
    rests = []
    while stop < len(artifact.lines) and (hop := _NEXT_HOP.match(artifact.lines[stop])):
        rests.append(hop["rest"])
        stop += 1
    kind = found["kind"] or "unicast"
    if _is_lookup(artifact, index):
        kind = "lookup"
        stop = min(stop + 1, len(artifact.lines))
    for rest in rests or [""]:
        words = dict(_PAIR.findall(f"{rest} {found['rest'] or ''}"))
        reading.facts.append(
            Route(
                at=artifact.at(index),
                host=host,
                destination=found["destination"],
                via=words.get("via") or words.get("via inet6"),
                device=words.get("dev"),
                protocol=words.get("proto"),
                source=words.get("src"),
                kind=kind,
                metric=_number(words.get("metric")),
                table=words.get("table"),
            )
        )
    reading.claim(index, stop)


def _is_lookup(artifact: Artifact, index: int) -> bool:
    """Whether the kernel was asked for one address; its answer is no line of the table."""
    below = artifact.lines[index + 1].split() if index + 1 < len(artifact.lines) else []
    return bool(_LOOKED_UP.search(artifact.command or "")) or below[:1] == ["cache"]


def _masked(artifact: Artifact, index: int, found: re.Match[str], host: str | None) -> Route:
    gateway = found["gateway"]
    destination = "default" if found["mask"] == "0.0.0.0" else found["destination"]
    return Route(
        at=artifact.at(index),
        host=host,
        destination=destination if destination == "default" else f"{destination}/{prefix_length(found['mask']) or 32}",
        via=None if gateway in _NO_GATEWAY else gateway,
        device=None if found["device"] in ("-", "*") else found["device"],
        kind="blackhole" if "!" in found["flags"] else "unicast",
        metric=_number(found["metric"]),
    )


def _number(written: str | None) -> int | None:
    return int(written) if written and written.isdecimal() and len(written) <= _LONGEST_NUMBER else None


READER = Reader(kind="ip-route", anchor=_ANCHOR, read=_read)
