"""Routes and neighbours as `ip` and older tools list them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.host import Neighbour, Route, TunnelEntry
from calivet.facts.networks import count_prefix_bits
from calivet.readers.command import Machines
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

_NEAR = r"(?P<address>\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]*:[\da-fA-F:.]*)"
_MAC = r"(?P<hardware>(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2})"
_STATES = "REACHABLE|STALE|DELAY|PROBE|FAILED|INCOMPLETE|PERMANENT|NOARP|NONE"
_IP = expression(
    rf"^\s*{_NEAR} dev (?P<device>\S+)\s+(?:lladdr {_MAC} )?(?:(?:router|proxy|extern_learn|managed) )*"
    rf"(?P<state>{_STATES})\b"
)
_ARP = expression(rf"^\s*{_NEAR}\s+(?:ether\s+{_MAC}\s+(?P<flags>[CMP]+)|\(incomplete\))\s+(?P<device>\S+)\s*$")


def _read_neighbours(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        line = artifact.lines[index]
        found = _IP.match(line) or _ARP.match(line)
        if not found:
            continue
        reading.claim(index, index + 1)
        hardware = found["hardware"]
        known = "REACHABLE" if hardware else "INCOMPLETE"
        reading.facts.append(
            Neighbour(
                at=artifact.at(index),
                host=machines.at(index),
                address=found["address"],
                device=found["device"],
                hardware=hardware.lower() if hardware else None,
                state=found.groupdict().get("state") or known,
            )
        )
    return reading


NEIGHBOURS_READER = Reader(
    kind="ip-neigh",
    anchor=expression(
        rf"^\s*[\da-fA-F.:]+ dev \S+\s+(?:lladdr |.*\b(?:{_STATES})\b)"
        r"|^\s*[\da-fA-F.:]+\s+(?:ether\s+[\da-fA-F]|\(incomplete\))"
    ),
    read=_read_neighbours,
)


# Forwarding tables of VXLAN devices: `bridge fdb`.
_ENTRY = expression(
    r"^\s*(?P<mac>(?:[0-9a-f]{2}:){5}[0-9a-f]{2}) (?:dev vxlan\S+ )?dst (?P<address>[\da-f.:]+)\b", re.IGNORECASE
)
_ASKS_FOR_FORWARDING = expression(r"\bbridge\b.*\bfdb\b")


def _read_forwarding(artifact: Artifact, anchors: list[int]) -> Iterator[TunnelEntry]:
    for index in anchors if _ASKS_FOR_FORWARDING.search(artifact.command or artifact.name) else ():
        if found := _ENTRY.match(artifact.lines[index]):
            yield TunnelEntry(
                at=artifact.at(index),
                host=artifact.host,
                table=artifact.at(0),
                hardware=found["mac"],
                address=found["address"],
            )


FORWARDING_READER = read_statements(
    _read_forwarding,
    anchor=expression(r"^\s*(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2} (?:dev vxlan\S+ )?dst [\da-fA-F]"),
    notes=True,
)


_ADDRESS = r"(?:default|\d{1,3}(?:\.\d{1,3}){3}(?:/\d+)?|[\da-fA-F]*:[\da-fA-F:.]*(?:/\d+)?)"
_KINDS = "unicast|blackhole|unreachable|prohibit|throw|local|broadcast|multicast|anycast|nat"
_WORDS = "via|dev|proto|scope|src|metric|onlink|table|from|nhid|encap|mtu|error"
_IP_ROUTE = expression(rf"^\s*(?:(?P<kind>{_KINDS})\s+)?(?P<destination>{_ADDRESS})(?P<rest>\s+(?:{_WORDS})\s.*)?\s*$")
_NEXT_HOP = expression(r"^\s+nexthop (?P<rest>.*)$")
_MASKED = expression(
    r"^\s*(?P<destination>default|\d+\.\d+\.\d+\.\d+)\s+(?P<gateway>\S+)\s+(?P<mask>\d+\.\d+\.\d+\.\d+)\s+"
    r"(?P<flags>!?[UGHRDMAC!]*)\s{1,40}(?P<metric>\d+)\s+\S+\s+\S+\s+(?P<device>\S+)\s*$"
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


def _read_routes(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        line = artifact.lines[index]
        host = machines.at(index)
        if found := _MASKED.match(line):
            reading.facts.append(_parse_masked_route(artifact, index, found, host))
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


def _parse_masked_route(artifact: Artifact, index: int, found: re.Match[str], host: str | None) -> Route:
    gateway = found["gateway"]
    destination = "default" if found["mask"] == "0.0.0.0" else found["destination"]
    return Route(
        at=artifact.at(index),
        host=host,
        destination=destination
        if destination == "default"
        else f"{destination}/{count_prefix_bits(found['mask']) or 32}",
        via=None if gateway in _NO_GATEWAY else gateway,
        device=None if found["device"] in ("-", "*") else found["device"],
        kind="blackhole" if "!" in found["flags"] else "unicast",
        metric=_number(found["metric"]),
    )


def _number(written: str | None) -> int | None:
    return int(written) if written and written.isdecimal() and len(written) <= _LONGEST_NUMBER else None


ROUTES_READER = Reader(kind="ip-route", anchor=_ANCHOR, read=_read_routes)


# Routing rules: `ip rule`. They are known, and nothing is concluded from them yet.
_RULE = expression(r"^\s*\d{1,10}:\s+(?:not )?from \S.*?\s+(?:lookup|table) \S+")


def _read_rules(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    for index in anchors:
        if _RULE.match(artifact.lines[index]):
            reading.claim(index, index + 1)
    return reading


RULES_READER = Reader(
    kind="ip-rule", anchor=expression(r"^\s*\d+:\s+(?:not )?from \S.* (?:lookup|table) \S"), read=_read_rules
)
