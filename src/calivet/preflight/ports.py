"""Ports that must be free for Calico, which runs in the node's own network."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.host import Socket, Unit
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import answered, not_read
from calivet.signs.computed.loopback import PORTS

BGP_PORT, VXLAN_PORT = 179, 4789
_LISTING = r"^(?:ss|netstat) -\w*l"
_UDP_LISTING = r"^(?:ss|netstat) -(?=\w*l)(?=\w*u)"
_LINKS = r"^ip -d link"
_LINK = expression(r"^\d+: (?P<name>[^:@\s]+)")
_OWN_NUMBER = expression(r"^vxlan id 4096 .*\bdstport 4789\b")
_OWN_DEVICES = ("vxlan.calico", "vxlan-v6.calico")
# Calico's own BIRD runs in a container, never as a service of the node.
_ROUTER = "bird"

ROUTER = Words("a BIRD of the node's own holds TCP 179", "节点自身的 BIRD 占用了 TCP 179")
NAMELESS = Words(
    "somebody listens on {port}; who it is only root sees, and the probe did not run as root",
    "{port} 已有程序监听；只有 root 能看到是谁，而探测不是以 root 运行的",
)
UDP_HELD = Words("{process} holds UDP 4789", "{process} 占用了 UDP 4789")
SAME_NUMBER = Words(
    "{device} has the number and port of Calico's VXLAN device", "{device} 的编号与端口和 Calico 的 VXLAN 设备相同"
)


def _tcp(host: Host) -> Result:
    for sighting in seen("calico-port-held-by-other", host.picture, host):
        return fails_by("calico-port-held-by-other", sighting)
    router = any(unit.name == _ROUTER and unit.active == "active" for unit in host.all(Unit))
    for socket in host.all(Socket):
        if socket.state != "LISTEN" or socket.protocol != "tcp":
            continue
        if socket.port == BGP_PORT and router:
            return fails(ROUTER, socket.at)
        if socket.port in PORTS and not socket.process and not host.is_root:
            return unchecked(NAMELESS, socket.at, port=f"TCP {socket.port}")
    listing = answered(host, _LISTING)
    return passes(listing.at) if listing else not_read(host, _LISTING)


def _vxlan(host: Host) -> Result:
    device, line = _device_with_own_number(host)
    if line:
        return fails(SAME_NUMBER, line, device=device)
    for socket in host.all(Socket):
        if socket.protocol != "udp" or socket.port != VXLAN_PORT:
            continue
        if socket.process:
            return fails(UDP_HELD, socket.at, process=socket.process)
        # The kernel's own socket, of a VXLAN device, has no process and may be shared.
        if not host.is_root:
            return unchecked(NAMELESS, socket.at, port=f"UDP {VXLAN_PORT}")
    listing, links = answered(host, _UDP_LISTING), answered(host, _LINKS)
    if not listing:
        return not_read(host, _UDP_LISTING)
    return passes(links.at) if links else not_read(host, _LINKS)


def _device_with_own_number(host: Host) -> tuple[str, Line | None]:
    device = ""
    for line in host.lines(_LINKS):
        if link := _LINK.match(line.text):
            device = link["name"]
        elif _OWN_NUMBER.match(line.text) and device not in _OWN_DEVICES:
            return device, line
    return "", None


REQUIREMENTS = (
    Requirement(
        "ports",
        Words("TCP ports 179, 5473, 9098 and 9099", "TCP 端口 179、5473、9098、9099"),
        "port-in-use",
        _tcp,
    ),
    Requirement(
        "vxlan-port",
        Words("UDP port 4789 (VXLAN)", "UDP 端口 4789（VXLAN）"),
        "port-in-use",
        _vxlan,
    ),
)
