"""What is chosen for a node and what is kept off it: Calico's label selectors, taints and tolerations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from calivet.facts.kubernetes import Object
from calivet.facts.label_selectors import Subject, find_required_label, fits
from calivet.search.expressions import expression

Labels = Mapping[str, str]

_POOL_NAME = expression(r"[\w.-]+(?:/\d+)?")


def does_select(selector: str, labels: Labels) -> bool:
    """Whether the selector fits these labels; one that is not understood is taken to fit."""
    return fits(selector, Subject(labels)) is not False


class Selection:
    """Finds the nodes that selectors fit: one that asks for a label's value need not look at all of them."""

    def __init__(self, nodes: Mapping[str, Labels]) -> None:
        """Take each node's labels."""
        self._nodes = nodes
        self._with: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, labels in nodes.items():
            for label in labels.items():
                self._with[label].append(name)

    def of(self, selector: str) -> Iterable[str]:
        """The nodes that it fits."""
        asked = find_required_label(selector)
        near = self._with.get(asked, ()) if asked else self._nodes
        return (name for name in near if does_select(selector, self._nodes[name]))


def parse_pool_annotation(written: str) -> list[str]:
    """The pools that the value of an annotation lists, by name or by range."""
    return _POOL_NAME.findall(written)


# Taints and tolerations: where pods are kept off nodes.
#
# Kubernetes sets and lifts these by itself; DaemonSet pods tolerate them.
_OWN_TAINTS = expression(r"node\.(?:kubernetes|cloudprovider)\.\w+/|node-role\.kubernetes\.io/")
_TOLERATION = expression(r"tolerations\[(\d+)\]\.(key|operator)$")
_VIRTUAL_NODES = ("fargate-", "virtual-node", "virtual-kubelet", "vk-")


def parse_taint_key(taint: str) -> str:
    """What stands before the value and the effect."""
    return taint.partition("=")[0].partition(":")[0]


def is_own_taint(key: str) -> bool:
    """Whether Kubernetes itself sets it."""
    return _OWN_TAINTS.match(key) is not None


def is_virtual_node(name: str) -> bool:
    """Whether no machine stands behind a node of this name."""
    return name.startswith(_VIRTUAL_NODES)


def find_tolerated_keys(document: Object) -> set[str]:
    """The keys that are tolerated; `*` for a toleration of everything, which has an operator but no key."""
    parts: dict[str, dict[str, str]] = {}
    for path, value in document.values.items():
        if found := _TOLERATION.search(path):
            parts.setdefault(found[1], {})[found[2]] = str(value)
    return {part.get("key", "*") for part in parts.values()}
