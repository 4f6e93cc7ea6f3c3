"""Other networks than Calico: the pods, plugins, devices and chains they are known by, and how people call them.

Devices and chains that several of them make are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from calivet.messages.words import Words
from calivet.search.expressions import expression


class OtherNetwork(Struct, frozen=True):
    """One of them; each sign of it is an expression, and empty where nothing of that kind is its own."""

    name: str
    title: str
    """As it is called in a sentence."""
    pod: str
    plugin: str
    """The program that a CNI configuration calls."""
    file: str = ""
    """Its own CNI configuration."""
    said: str = ""
    """How authors write of it, in any case of letters."""
    device: str = ""
    chain: str = ""
    title_zh: str = ""
    """Where that is not a name alone."""


# The first that fits names it.
_NETWORKS = (
    OtherNetwork(
        "cilium",
        "Cilium",
        pod=r"cilium-(?:operator-.+|[a-z0-9]{5})",
        plugin=r"cilium-cni",
        file="05-cilium",
        said=r"cilium",
        device=r"cilium_\w+",
        chain=r"(?:OLD_)?CILIUM_\w+",
    ),
    OtherNetwork(
        "flannel",
        "flannel",
        pod=r"kube-flannel(?:-ds)?.*-[a-z0-9]{5}",
        plugin=r"flannel",
        file="10-flannel",
        said=r"flannel",
        device=r"flannel(?:-v6)?\.\d+|cni0",
        chain=r"FLANNEL-\w+",
    ),
    OtherNetwork(
        "weave",
        "Weave Net",
        pod=r"weave-net-[a-z0-9]{5}",
        plugin=r"weave-net",
        file="10-weave",
        said=r"weave",
        device=r"weave|vethwe-\w+|vxlan-6784",
        chain=r"WEAVE(?:-\w+)*",
    ),
    OtherNetwork(
        "antrea",
        "Antrea",
        pod=r"antrea-(?:agent|controller)-.+",
        plugin=r"antrea",
        file="10-antrea",
        said=r"antrea",
        device=r"antrea-gw\d+",
        chain=r"ANTREA-\w+",
    ),
    OtherNetwork(
        "kube-ovn",
        "Kube-OVN",
        pod=r"kube-ovn-(?:cni|controller|pinger)-.+|ovs-ovn-.+",
        plugin=r"kube-ovn",
        file="01-kube-ovn",
        said=r"kube-?ovn",
    ),
    OtherNetwork(
        "ovn-kubernetes",
        "OVN-Kubernetes",
        pod=r"ovnkube-(?:node|master|control-plane)-.+",
        plugin=r"ovn-k8s-cni-overlay",
        file="10-ovn-kubernetes",
        said=r"\bov[ns]\b|ovn[-0]",
        device=r"ovn-k8s-mp\d+",
    ),
    OtherNetwork("openshift-sdn", "OpenShift SDN", pod=r"sdn-(?:controller-)?[a-z0-9]{5}", plugin=r"openshift-sdn"),
    OtherNetwork(
        "kindnet", "kindnet", pod=r"kindnet-[a-z0-9]{5}", plugin=r"kindnet", file="10-kindnet", said=r"kindnet"
    ),
    OtherNetwork(
        "aws-vpc-cni",
        "the AWS VPC CNI",
        pod=r"aws-node-[a-z0-9]{5}",
        plugin=r"aws-cni|vpc-bridge",
        file="10-aws",
        title_zh="AWS VPC CNI",
    ),
    OtherNetwork("azure-cni", "Azure CNI", pod=r"azure-cn[si]-.*|azure-npm-.*", plugin=r"azure-vnet", file="10-azure"),
    OtherNetwork(
        "kube-router",
        "kube-router",
        pod=r"kube-router-[a-z0-9]{5}",
        plugin=r"kube-router",
        said=r"kube-router",
        device=r"kube-bridge|kube-dummy-if",
        chain=r"KUBE-ROUTER-\w+|KUBE-NWPLCY-\w+",
    ),
    OtherNetwork(
        "gke",
        "GKE's own network",
        pod=r"netd-[a-z0-9]{5}|anetd-[a-z0-9]{5}",
        plugin=r"gke",
        title_zh="GKE 自带的网络",
    ),
    OtherNetwork("terway", "Terway", pod=r"terway(?:-eniip)?-[a-z0-9]{5}", plugin=r"terway", said=r"terway"),
)
Owners = tuple[tuple[str, re.Pattern[str]], ...]
_BY_POD: Owners = tuple((one.name, expression(one.pod)) for one in _NETWORKS)
_BY_PLUGIN: Owners = tuple((one.name, expression(one.plugin)) for one in _NETWORKS)
_BY_DEVICE: Owners = tuple((one.name, expression(one.device)) for one in _NETWORKS if one.device)
_BY_CHAIN: Owners = tuple((one.name, expression(one.chain)) for one in _NETWORKS if one.chain)
FILES = {one.name: f"{one.file}.conflist" for one in _NETWORKS if one.file}
"""The CNI configuration that each brings."""
_BY_FILE = {one.file: one.name for one in _NETWORKS if one.file}
_CALLED = expression(
    rf"plugin type=\\{{0,2}}\"(?P<plugin>{'|'.join(one.plugin for one in _NETWORKS)})\\{{0,2}}\""
    rf"|\b(?P<file>{'|'.join(_BY_FILE)})\.conf(?:list)?\b"
)
_SAID = expression(f"(?i:{'|'.join(one.said for one in _NETWORKS if one.said)})")
_BY_NAME: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (one.name, expression(rf"(?i:(?<![a-z])(?:{one.said}))")) for one in _NETWORKS if one.said
)
TITLES = {one.name: Words(one.title, one.title_zh or one.title) for one in _NETWORKS}
"""As each is called in a sentence."""
# Chains of the kernel itself: a jump from here is what gives another network's chain its effect.
_HOOKS = ("INPUT", "FORWARD", "OUTPUT", "PREROUTING", "POSTROUTING")
_JUMP = expression(r"(?:^|\s)(?:-j|-g|jump|goto) (?P<chain>[A-Z][\w-]*)")


def is_other_network_named(text: str) -> bool:
    """Whether an author's words name one of them."""
    return _SAID.search(text) is not None


def find_network_named(text: str) -> str | None:
    """The first of them that a text names."""
    if not _SAID.search(text):
        return None
    return next((name for name, shape in _BY_NAME if shape.search(text)), None)


def find_owner_of_pod(name: str) -> str | None:
    """The network that a pod of this name belongs to."""
    return _find_owner(name, _BY_POD)


def find_owners_of_plugins(plugins: Iterable[str]) -> list[str]:
    """The networks whose plugins are among these programs."""
    called = list(plugins)
    return [owner for owner, shape in _BY_PLUGIN if any(map(shape.fullmatch, called))]


def find_network_called(line: str) -> str | None:
    """The network whose plugin this line shows called, or whose CNI configuration it names."""
    found = _CALLED.search(line)
    if found is None:
        return None
    return _BY_FILE[found["file"]] if found["file"] else _find_owner(found["plugin"], _BY_PLUGIN)


def find_owner_of_device(name: str | None) -> str | None:
    """The network that makes a device of this name."""
    return _find_owner(name, _BY_DEVICE)


def find_chain_entered(hook: str | None, target: str | None, rule: str) -> tuple[str, str] | None:
    """The other network whose chain a rule of the kernel's own chains leads into, and that chain."""
    if (hook or "").upper() not in _HOOKS:
        return None
    jump = _JUMP.search(rule)
    chain = jump["chain"] if jump else target or ""
    owner = _find_owner(chain, _BY_CHAIN)
    return (owner, chain) if owner else None


def _find_owner(name: str | None, owners: Owners) -> str | None:
    return next((owner for owner, shape in owners if name and shape.fullmatch(name)), None)
