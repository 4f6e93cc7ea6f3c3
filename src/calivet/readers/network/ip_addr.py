"""`ip addr` and `ip link` in their long, brief and one-line forms, also grepped down to single lines."""

from __future__ import annotations

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Interface
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

_NAME = r"(?P<name>[^\s:@]+)(?:@[^\s:]+)?"
_ADDRESS = r"[\da-fA-F.:]+/\d+"
_STATES = "UP|DOWN|UNKNOWN|LOWERLAYERDOWN|DORMANT|NOTPRESENT|TESTING"
_DEVICE = expression(
    rf"^\s*\d+: {_NAME}: <(?P<flags>[^>]*)>(?:.*? mtu (?P<mtu>\d{{1,9}}))?(?:.*? state (?P<state>\w+))?"
)
_ONE_LINE = expression(rf"^\s*\d+: {_NAME}\s+inet6? (?P<address>[\da-fA-F.:]+(?:/\d+)?)\s")
_INET = expression(r"^\s*inet6? (?P<address>[\da-fA-F.:]+(?:/\d+)?) (?P<rest>.*\bscope .*)$")
_BRIEF = expression(
    rf"^\s*{_NAME}\s+(?P<state>{_STATES})(?P<addresses>(?:\s+{_ADDRESS})*)"
    r"(?:\s+(?:[\da-f]{2}:){5,}[\da-f]{2}\s+<(?P<flags>[^>]*)>)?\s*$"
)
_ABSENT = expression(r"^\s*Device \"(?P<name>[^\"]+)\" does not exist")
_ANCHOR = expression(
    rf"^\s*(?:\d+: [^\s:]+(?:: <|\s+inet)|inet6? [\da-fA-F.:]+[/ ]|Device \"|[^\s:]+\s+(?:{_STATES})(?:\s|$))"
)
_HARDWARE = expression(r"^\s+link/ether (?P<address>(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2})\b")
# What an address line may end with instead of a name.
_SCOPES = frozenset(
    "link global host site dynamic noprefixroute secondary deprecated tentative dadfailed nodad optimistic temporary"
    " mngtmpaddr stable-privacy home autojoin permanent".split()
)
# A row of nothing but name and state may be of any table.
_USUAL_NAME = expression(
    r"(?:lo$|eth|en[opsx]|wl|bond|team|vlan|br|docker|veth|virbr|cni|cali|tunl|vxlan|wireguard|flannel|kube|nodelocal|dummy|tun|tap)"
)
_DETAIL = expression(
    r"^\s+(?:link/|inet6? |valid_lft|veth|vxlan|ipip|bridge|bond|vlan|\S*altname|RX:|TX:|\d)|^\s*$|^--$"
)


class _Device(Struct):
    """An interface while its lines are read."""

    name: str
    index: int
    addresses: list[str] = field(default_factory=list)
    up: bool | None = None
    mtu: int | None = None
    flags: tuple[str, ...] = ()
    hardware: str | None = None
    exists: bool = True


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for device in _devices(artifact.lines, anchors, reading):
        reading.facts.append(
            Interface(
                at=artifact.at(device.index),
                host=machines.at(device.index),
                name=device.name,
                addresses=tuple(device.addresses),
                up=device.up,
                mtu=device.mtu,
                flags=device.flags,
                hardware=device.hardware,
                exists=device.exists,
            )
        )
    return reading


def _devices(lines: list[str], anchors: list[int], reading: Reading) -> list[_Device]:
    devices: list[_Device] = []
    end = -1
    for index in anchors:
        found = _device(lines[index], index)
        if not found:
            continue
        follows = bool(devices) and all(_DETAIL.match(line) for line in lines[end + 1 : index])
        reading.claim(end + 1 if follows else index, index + 1)
        end = index
        if follows and found.addresses and found.name in ("", devices[-1].name):
            devices[-1].addresses += found.addresses
        elif found.name:
            below = _HARDWARE.match(lines[index + 1]) if index + 1 < len(lines) else None
            found.hardware = below["address"].lower() if below else None
            devices.append(found)
    while devices and end + 1 < len(lines) and lines[end + 1].strip() and _DETAIL.match(lines[end + 1]):
        end += 1
        reading.claim(end, end + 1)
    return devices


def _device(line: str, index: int) -> _Device | None:
    """What the line says of an interface; an address of the interface above it has no name."""
    if found := _DEVICE.match(line):
        flags = tuple(flag for flag in found["flags"].split(",") if flag)
        mtu = int(found["mtu"]) if found["mtu"] else None
        return _Device(found["name"], index, up=_is_up(found["state"], flags), mtu=mtu, flags=flags)
    if found := _ONE_LINE.match(line):
        return _Device(found["name"], index, [found["address"]])
    if found := _INET.match(line):
        return _Device(_label(found["rest"]), index, [found["address"]])
    if (found := _BRIEF.match(line)) and (found["addresses"] or found["flags"] or _USUAL_NAME.match(line.strip())):
        flags = tuple((found["flags"] or "").split(",")) if found["flags"] else ()
        return _Device(found["name"], index, found["addresses"].split(), _is_up(found["state"], flags), flags=flags)
    if found := _ABSENT.match(line):
        return _Device(found["name"], index, exists=False)
    return None


def _is_up(state: str | None, flags: tuple[str, ...]) -> bool:
    """Tunnels and loopback have no state of their own; there the flag decides."""
    if state in (None, "UNKNOWN"):
        return "UP" in flags or not flags
    return state == "UP"


def _label(rest: str) -> str:
    """The interface that an IPv4 address line names last; IPv6 lines do not name it."""
    last = rest.partition("\\")[0].rsplit(maxsplit=1)[-1].partition(":")[0]
    return "" if last in _SCOPES else last


READER = Reader(kind="ip-addr", anchor=_ANCHOR, read=_read)
