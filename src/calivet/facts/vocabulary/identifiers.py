"""What devices, paths, endpoints and URLs tell by how they are written."""

from __future__ import annotations

import re

from calivet.search.expressions import expression

# Whose a network device is, told by its name.
TUNNELS = ("tunl0", "vxlan.calico", "vxlan-v6.calico", "wireguard.cali", "wg-v6.cali")
"""Calico's own."""
_FOREIGN_DEVICE = expression(
    r"(?:tun\d|tap\d|ppp\d|wg\d|tailscale|zt|docker|br-|virbr|lxcbr|lxdbr|podman|cni\d|flannel|cilium|weave|nerdctl|vpn)"
)
_FOREIGN_BRIDGE = expression(r"docker|virbr|lxdbr|br-|cni0|podman|tun\d|tap|wg\d|zt|ppp")


def is_foreign_device(name: str | None) -> bool:
    """Whether it is a bridge, a VPN's or another network plugin's."""
    return _FOREIGN_DEVICE.match(name or "") is not None


def is_foreign_bridge(name: str) -> bool:
    """Whether it is a bridge or a tunnel that has an address of its own and is not Calico's."""
    return _FOREIGN_BRIDGE.match(name) is not None


# Names of devices that carry a node's own traffic, and the patterns by which eBPF is told of them.
_NO_CARD = expression(r"lo$|cali|tunl|vxlan|wireguard|wg-|docker|veth|bpf|kube-|dummy|nodelocal|cilium|flannel|cni")
_REPEATED_GROUP = expression(r"\)[*+{]")
# A device's name has at most 15 characters, so that no pattern this short without repeated groups takes long.
_LONGEST_PATTERN = 400


def is_card(name: str) -> bool:
    """Whether a node's own traffic may go through it: none of a pod's, a tunnel's or a runtime's."""
    return _NO_CARD.match(name) is None


def may_pattern_fit(pattern: str, name: str) -> bool:
    """Whether somebody's pattern finds the device; one that cannot be tried here is taken to find it."""
    if len(pattern) > _LONGEST_PATTERN or _REPEATED_GROUP.search(pattern):
        return True
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return True


# Paths of CNI's configurations and programs, wherever a distribution keeps them.
_CNI_CONFIG = expression(
    r"/cni/net\.d/(?P<name>[^/]+\.(?:conf|conflist|json))$|/cni-network/(?P<snap>[^/]+\.conflist)$"
)
_CNI_PROGRAM = expression(r"(?P<folder>.*/(?:cni/bin|libexec/cni|lib/cni))/(?P<name>[^/]+)$")
_CALICO_CNI_NAME = expression(r"calico|canal|multus", re.IGNORECASE)


def find_cni_config_name(path: str) -> str | None:
    """The name of a configuration; None for other files."""
    found = _CNI_CONFIG.search(path)
    return (found["name"] or found["snap"]) if found else None


def split_cni_program_path(path: str) -> tuple[str, str] | None:
    """The folder and the name of a plugin's program; None for other files."""
    found = _CNI_PROGRAM.match(path)
    return (found["folder"], found["name"]) if found else None


def is_calico_cni_name(name: str) -> bool:
    """Whether a configuration or a plugin of this name is Calico's, or hands on to it."""
    return _CALICO_CNI_NAME.search(name) is not None


# Addresses of etcd as they are written for its clients.
_ETCD_HOST = expression(r"https?://(?P<host>[\w.-]+|\[[0-9a-f:]+\]):2379\b")
_ENDPOINT_WITHOUT_SCHEME = expression(r"[\w.-]+\.[\w.-]+:\d{4,5}/?")


def find_etcd_hosts(endpoints: str) -> list[str]:
    """The machines that a list of endpoints names."""
    return _ETCD_HOST.findall(endpoints)


def find_endpoints_without_scheme(endpoints: str) -> list[str]:
    """Those that lack http:// or https://, without which Calico's client cannot use them."""
    return [one.strip() for one in endpoints.split(",") if _ENDPOINT_WITHOUT_SCHEME.fullmatch(one.strip())]


# Addresses in URLs.
_URL = expression(r"https?://\[?(?P<address>\d{1,3}(?:\.\d{1,3}){3})\]?[:/]")


def find_url_addresses(text: str) -> list[str]:
    """The IPv4 addresses that URLs in the text lead to."""
    return _URL.findall(text)
