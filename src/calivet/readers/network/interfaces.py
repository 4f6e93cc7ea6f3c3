"""Network interfaces and their addresses: ip addr, ip link, their JSON, and ifconfig."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.host import Interface, Route, VxlanDevice
from calivet.facts.networks import count_prefix_bits
from calivet.readers.command import Machines
from calivet.readers.objects.flow import parse_flow
from calivet.readers.objects.tree import Branch
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

_JSON = expression(r'^[\s\[{,]*"(?:ifindex|dst)": ?(?:\d|")')
_OPENING = expression(r"^\s*\[\s*(?:\{|$)")
_LEAD = 3


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Each list once, from the bracket that opens it."""
    reading = Reading()
    machines = Machines(artifact, network=True)
    for anchor in anchors:
        if anchor in reading.claimed:
            continue
        start = next(
            (index for index in range(anchor, max(-1, anchor - _LEAD), -1) if _is_opening(artifact, index)), anchor
        )
        text = "\n".join(artifact.lines[start:])
        root, behind = parse_flow(text, start)
        reading.claim(start, start + text.count("\n", 0, behind) + 1)
        for item in root.children.values():
            host = machines.at(item.index)
            reading.facts += (
                _read_interface(artifact, item, host) if item.at("ifindex") else _read_route(artifact, item, host)
            )
    return reading


def _is_opening(artifact: Artifact, index: int) -> bool:
    return _OPENING.match(artifact.lines[index]) is not None


def _read_interface(artifact: Artifact, item: Branch, host: str | None) -> Iterator[Fact]:
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


def _read_route(artifact: Artifact, item: Branch, host: str | None) -> Iterator[Fact]:
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


IP_JSON_READER = Reader(kind="ip-json", anchor=_JSON, read=read)


_NEW = expression(r"^\s*(?P<name>[\w.@-]+(?::\d+)?): flags=\w+<(?P<flags>[^>]*)>\s+mtu (?P<mtu>\d{1,9})")
_OLD = expression(r"^\s*(?P<name>[\w.@-]+(?::\d+)?)\s+(?:Link encap|链接封装)")
_IFCONFIG = expression(r"^\s*[\w.@-]+(?::\d+)?(?:: flags=\w+<|\s+(?:Link encap|链接封装))")
_IPV4 = expression(
    r"^\s+inet (?:(?:addr|地址):\s?)?(?P<address>\d+\.\d+\.\d+\.\d+)"
    r"(?:.*?(?:netmask |Mask:|掩码:)(?P<mask>[\da-fx.]+))?"
)
_IPV6 = expression(
    r"^\s+inet6 (?:(?:addr|地址):\s?)?(?P<address>[\da-fA-F:]+)(?:%\S+)?"
    r"(?:/(?P<short>\d+)|\s+prefixlen (?P<length>\d+))?"
)
_OLD_FLAGS = expression(r"^\s+(?P<flags>[A-Z][A-Z ]*?)\s+(?:MTU|最大传输单元):\s?(?P<mtu>\d{1,9})")


class _Details(Struct):
    """What the lines below an interface's first say."""

    stop: int
    addresses: list[str] = field(default_factory=list)
    flags: str = ""
    mtu: str | None = None


def _read_ifconfig(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        head = _NEW.match(artifact.lines[index]) or _OLD.match(artifact.lines[index])
        if not head:
            continue
        known, details = head.groupdict(), _read_details(artifact.lines, index + 1)
        reading.claim(index, details.stop)
        flags = tuple((known.get("flags") or details.flags).replace(",", " ").split())
        mtu = known.get("mtu") or details.mtu
        reading.facts.append(
            Interface(
                at=artifact.at(index),
                host=machines.at(index),
                name=known["name"],
                addresses=tuple(details.addresses),
                up="UP" in flags if flags else None,
                mtu=int(mtu) if mtu else None,
                flags=flags,
            )
        )
    return reading


def _read_details(lines: list[str], start: int) -> _Details:
    details = _Details(start)
    for line in lines[start:]:
        if not line[:1].isspace() or not line.strip() or _IFCONFIG.match(line):
            break
        details.stop += 1
        details.addresses += _parse_addresses(line)
        if found := _OLD_FLAGS.match(line):
            details.flags, details.mtu = found["flags"], found["mtu"]
    return details


def _parse_addresses(line: str) -> list[str]:
    if found := _IPV4.match(line):
        return [found["address"] + _format_prefix(found["mask"])]
    if found := _IPV6.match(line):
        length = found["short"] or found["length"]
        return [f"{found['address']}/{length}" if length else found["address"]]
    return []


def _format_prefix(mask: str | None) -> str:
    length = count_prefix_bits(mask) if mask else None
    return "" if length is None else f"/{length}"


IFCONFIG_READER = Reader(kind="ifconfig", anchor=_IFCONFIG, read=_read_ifconfig)


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
_IP_ADDR = expression(
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


def _read_ip_addr(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for device in _find_devices(artifact.lines, anchors, reading):
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


def _find_devices(lines: list[str], anchors: list[int], reading: Reading) -> list[_Device]:
    devices: list[_Device] = []
    end = -1
    for index in anchors:
        found = _parse_device(lines[index], index)
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


def _parse_device(line: str, index: int) -> _Device | None:
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


IP_ADDR_READER = Reader(kind="ip-addr", anchor=_IP_ADDR, read=_read_ip_addr)


# What `ip -d link` tells of a VXLAN device, on a line of its own below the device's name or behind it.
_VXLAN = expression(r"\bvxlan (?P<external>external )?id (?P<vni>\d{1,8}) .{0,200}?\bdstport (?P<port>\d{1,5})\b")
_ABOVE = 4


def _read_vxlan_devices(artifact: Artifact, anchors: list[int]) -> Iterator[VxlanDevice]:
    machines = Machines(artifact, network=True)
    for index in anchors:
        found = _VXLAN.search(artifact.lines[index])
        name = _find_device_above(artifact.lines, index)
        if found and name:
            yield VxlanDevice(
                at=artifact.at(index),
                host=machines.at(index),
                name=name,
                vni=int(found["vni"]),
                port=int(found["port"]),
                external=found["external"] is not None,
            )


def _find_device_above(lines: list[str], index: int) -> str | None:
    """The device whose details stand here."""
    for line in reversed(lines[max(0, index - _ABOVE) : index + 1]):
        if device := _DEVICE.match(line):
            return device["name"]
    return None


VXLAN_READER = read_statements(_read_vxlan_devices, anchor=expression(r"\bvxlan (?:external )?id \d"))
