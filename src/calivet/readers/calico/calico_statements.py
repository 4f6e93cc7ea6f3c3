"""What single Calico log messages state: the node's name and address, versions, health."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import HealthReport, NodeAddress
from calivet.facts.fact import Fact, Version
from calivet.facts.times import parse_time


class Place(Struct, frozen=True):
    """The line that makes a statement, and whose log it stands in."""

    at: Line
    written: str
    """The line's own time."""
    node: str | None
    pod: str | None


class Statement(Struct, frozen=True):
    """A message of which a fact can be made once the log's node is known."""

    text: str
    make: Callable[[Place], Fact]


_Maker = Callable[[re.Match[str], Place], Fact]

_OPENING = expression(
    r"Using |IPv[46] address |Starting node|Felix starting|Typha build|CNI plugin version"
    r"|Overall health|Health|Reporter "
)
_NODE = expression(
    r"(?:(?:Determined|Using) node name:|Starting node|Auto-assign \d+ ipv4, \d+ ipv6 addrs for host"
    r'|Found felix environment variable: "felixhostname"='
    r"|Creating internal dataplane driver\. config=intdataplane\.Config\{Hostname:)"
    r"\s*[\"']?(?P<node>[^\s\"']+)"
)


def node_named(line: str, start: int) -> str | None:
    """The node whose log this is, where the message that begins there tells."""
    found = _NODE.match(line, start)
    return found["node"] if found else None


def statement(line: str, start: int) -> Statement | None:
    """The statement of the message that begins there; most messages make none."""
    if not _OPENING.match(line, start):
        return None
    for shape, make in _shapes():
        if found := shape.match(line, start):
            return Statement(found[0], partial(make, found))
    return None


def _detected(found: re.Match[str], place: Place) -> Fact:
    return _node_address(found, place, "autodetected")


def _given(found: re.Match[str], place: Place) -> Fact:
    return _node_address(found, place, "environment")


def _node_address(found: re.Match[str], place: Place, source: str) -> Fact:
    return NodeAddress(
        at=place.at,
        host=place.node,
        node=place.node,
        address=found["address"],
        interface=found.groupdict().get("interface"),
        source=source,
    )


def _version(program: str) -> _Maker:
    def make(found: re.Match[str], place: Place) -> Fact:
        return Version(at=place.at, host=place.node, program=program, version=found["version"], owner=place.pod)

    return make


def _health(found: re.Match[str], place: Place) -> Fact:
    known = found.groupdict()
    what = known.get("what") or ""
    return HealthReport(
        at=place.at,
        host=place.node,
        component=known.get("component"),
        live=False if what.startswith("live") else _truth(known.get("live")),
        ready=False if what.startswith("read") else _truth(known.get("ready")),
        timed_out="timed out" in (known.get("reason") or ""),
        detail=known.get("detail") or None,
        time=parse_time(place.written),
    )


def _truth(word: str | None) -> bool | None:
    return {"true": True, "false": False}.get(word or "")


_ADDRESS = r"(?P<address>[\da-fA-F.:]+(?:/\d+)?)"
_REPORT = r"health\.HealthReport\{Live:(?P<live>\w+), Ready:(?P<ready>\w+)(?:, Detail:\"(?P<detail>[^\"]*)\")?"
_COMPONENT = r".{0,400}?name=\"(?P<component>[^\"]+)\""
_VERSION = r".*?\bversion=\"(?P<version>[^\"]+)\""

_TABLE: tuple[tuple[str, _Maker], ...] = (
    (rf"Using auto-?detected IPv[46] address on interface (?P<interface>\S+?):? {_ADDRESS}", _detected),
    (rf"Using auto-?detected IPv[46] address {_ADDRESS} on (?:matching )?interface (?P<interface>\S+)", _detected),
    (rf"Using auto-?detected IPv[46] address {_ADDRESS}, detected by", _detected),
    (rf"Using IPv[46] address from environment: IP6?={_ADDRESS}", _given),
    (rf"IPv[46] address {_ADDRESS} discovered on interface (?P<interface>\S+)", _given),
    (r"Starting node \S+ with version (?P<version>\S+)", _version("calico-node")),
    (rf"Felix starting up {_VERSION}", _version("calico-node")),
    (rf"Typha build information {_VERSION}", _version("typha")),
    (r"CNI plugin version: (?P<version>v\d\S*)", _version("calico-cni")),
    (rf"Overall health status changed newStatus=&?{_REPORT}", _health),
    (r"Overall health status changed: live=(?P<live>\w+) ready=(?P<ready>\w+)", _health),
    (rf"Health of component changed {_COMPONENT}.{{0,400}}? newReport=&?{_REPORT}", _health),
    (r"Health: not (?P<what>ready|live)\b", _health),
    (rf"Reporter is not (?P<what>ready|live)(?:: (?P<reason>[^.]*))?\. {_COMPONENT}", _health),
    (rf"Reporter failed (?P<what>readiness|liveness) checks {_COMPONENT}", _health),
)


@cache
def _shapes() -> tuple[tuple[re.Pattern[str], _Maker], ...]:
    """Compiled when the first statement turns up, not with every start."""
    return tuple((expression(shape), make) for shape, make in _TABLE)
