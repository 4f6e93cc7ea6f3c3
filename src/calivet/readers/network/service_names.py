"""Ports that tools print as names; a machine's own list of them would make results differ."""

from __future__ import annotations

_PORTS = {
    "bgp": 179,
    "domain": 53,
    "http": 80,
    "http-alt": 8080,
    "https": 443,
    "hostmon": 5355,
    "jetdirect": 9100,
    "pcsync-https": 8443,
    "postgresql": 5432,
    "ssh": 22,
    "sun-sr-https": 6443,
    "vxlan": 4789,
    "webcache": 8080,
    "apani1": 9160,
    "etcd-client": 2379,
    "etcd-server": 2380,
}


def port_number(text: str) -> int | None:
    """The port, written as a number or as a known name."""
    if text.isdecimal() and text.isascii() and len(text) <= 5:
        return int(text)
    return _PORTS.get(text)
