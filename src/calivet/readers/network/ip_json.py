"""`ip -j addr`, `ip -j link` and `ip -j route`: what ip prints for other programs, laid out (-p) or on one line."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Fact
from calivet.facts.host import Interface, Route
from calivet.readers.inside import Machines
from calivet.readers.kubectl.flow import parse_flow
from calivet.readers.kubectl.tree import Branch
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(r'^[\s\[{,]*"(?:ifindex|dst)": ?(?:\d|")')
_OPENING = expression(r"^\s*\[\s*(?:\{|$)")
_LEAD = 3


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Each list once, from the bracket that opens it."""
    reading = Reading()
    machines = Machines(artifact, network=True)
    for anchor in anchors:
        if anchor in reading.claimed:
            continue
        start = next((index for index in range(anchor, max(-1, anchor - _LEAD), -1) if _opens(artifact, index)), anchor)
        text = "\n".join(artifact.lines[start:])
        root, behind = parse_flow(text, start)
        reading.claim(start, start + text.count("\n", 0, behind) + 1)
        for item in root.children.values():
            host = machines.at(item.index)
            reading.facts += _interface(artifact, item, host) if item.at("ifindex") else _route(artifact, item, host)
    return reading


def _opens(artifact: Artifact, index: int) -> bool:
    return _OPENING.match(artifact.lines[index]) is not None


def _interface(artifact: Artifact, item: Branch, host: str | None) -> Iterator[Fact]:
    if name := item.text("ifname"):
        flags = tuple(str(flag.value) for flag in item.below("flags"))
        state = item.text("operstate")
        addresses = [(each.text("local"), each.text("prefixlen")) for each in item.below("addr_info")]
        yield Interface(
            at=artifact.at((item.at("ifname") or item).index),
            host=host,
            name=name,
            addresses=tuple(f"{address}/{length}" for address, length in addresses if address and length),
            up=state == "UP" if state not in (None, "UNKNOWN") else "UP" in flags,
            mtu=item.number("mtu"),
            flags=flags,
        )


def _route(artifact: Artifact, item: Branch, host: str | None) -> Iterator[Fact]:
    if destination := item.text("dst"):
        yield Route(
            at=artifact.at((item.at("dst") or item).index),
            host=host,
            destination=destination,
            via=item.text("gateway"),
            device=item.text("dev"),
            protocol=item.text("protocol"),
            source=item.text("prefsrc"),
            kind=item.text("type") or "unicast",
            metric=item.number("metric"),
            table=item.text("table"),
        )


READER = Reader(kind="ip-json", anchor=_ANCHOR, read=read)
