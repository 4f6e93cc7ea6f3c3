"""Devices and chains by which other networks are known on a host. Those that several of them make are left out."""

from __future__ import annotations

import re

from calivet.search.expressions import expression

# The network, its devices, its chains.
_TRACES = (
    ("flannel", r"flannel(?:-v6)?\.\d+|cni0", r"FLANNEL-\w+"),
    ("cilium", r"cilium_\w+", r"(?:OLD_)?CILIUM_\w+"),
    ("weave", r"weave|vethwe-\w+|vxlan-6784", r"WEAVE(?:-\w+)*"),
    ("kube-router", r"kube-bridge|kube-dummy-if", r"KUBE-ROUTER-\w+|KUBE-NWPLCY-\w+"),
    ("antrea", r"antrea-gw\d+", r"ANTREA-\w+"),
)
Owners = tuple[tuple[str, re.Pattern[str]], ...]
_BY_DEVICE: Owners = tuple((name, expression(device)) for name, device, _ in _TRACES)
_BY_CHAIN: Owners = tuple((name, expression(chain)) for name, _, chain in _TRACES)
# Chains of the kernel itself: a jump from here is what gives another network's chain its effect.
_HOOKS = ("INPUT", "FORWARD", "OUTPUT", "PREROUTING", "POSTROUTING")
_JUMP = expression(r"(?:^|\s)(?:-j|-g|jump|goto) (?P<chain>[A-Z][\w-]*)")


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
