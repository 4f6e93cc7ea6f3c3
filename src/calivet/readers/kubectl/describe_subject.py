"""What a describe page is about."""

from __future__ import annotations

from msgspec import Struct

from calivet.readers.kubectl.tree import Branch

_OF_A_NODE = ("Roles", "Role", "Taints", "Unschedulable", "System Info", "Addresses", "PodCIDR", "Non-terminated Pods")
_OF_A_POD = ("Containers", "Init Containers", "QoS Class", "Start Time", "Node")


class Subject(Struct, frozen=True):
    """The object of a page, as far as what is left of the page tells."""

    kind: str | None = None
    """pod, node, or None for other things and for pages that do not tell."""
    name: str | None = None
    namespace: str | None = None
    node: str | None = None
    """The node that it runs on, or is."""


def subject(page: Branch) -> Subject:
    """Told by the sections that only pods or only nodes have."""
    name, namespace = page.text("Name"), page.text("Namespace")
    if any(page.at(key) for key in _OF_A_NODE):
        return Subject("node", name, None, name)
    if any(page.at(key) for key in _OF_A_POD) and page.at("Pod Template") is None:
        node = (page.text("Node") or "").partition("/")[0]
        return Subject("pod", name, namespace, None if node in ("", "<none>") else node)
    return Subject(None, name, namespace)
