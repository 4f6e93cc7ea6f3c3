"""Signs that calico-node is kept off nodes: how many pods are wanted, for how many nodes, and what forbids them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Node, Object, Row
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

_CALICO_SETS = expression(r"(?:\w+-)?(?:calico-node|canal)$|^(?:tigera-operator|calico-typha|calico-kube-controllers)")
_NODE_SETS = expression(r"(?:\w+-)?(?:calico-node|canal)$")
# Taints that Kubernetes sets and lifts by itself; DaemonSet pods tolerate them.
_OWN_TAINTS = expression(r"node\.(?:kubernetes|cloudprovider)\.\w+/|node-role\.kubernetes\.io/")
_VIRTUAL = expression(r"fargate-|virtual-(?:node|kubelet)|vk-")
_TOLERATION = expression(r"tolerations\[(\d+)\]\.(key|operator)$")


def daemonset_short_of_nodes(picture: Picture) -> Iterator[Sighting]:
    """The DaemonSet wants fewer pods than there are nodes."""
    nodes = {node.name for node in picture.all(Node) if not _elsewhere(node)}
    for row in _daemonsets(picture):
        desired = _number(row, "DESIRED")
        if desired is not None and 0 <= desired < len(nodes):
            values = {"owner": str(row.name), "desired": str(desired), "nodes": str(len(nodes))}
            yield Sighting(line=row.at, values=values)


def daemonset_fewer_than_kube_proxy(picture: Picture) -> Iterator[Sighting]:
    """kube-proxy is wanted on more nodes than calico-node."""
    proxies = [
        (_number(row, "DESIRED") or 0, row) for row in picture.all(Row) if (row.name or "").endswith("kube-proxy")
    ]
    most, proxy = max(proxies, key=lambda pair: pair[0], default=(0, None))
    for row in _daemonsets(picture):
        desired = _number(row, "DESIRED")
        if proxy and desired is not None and desired < most:
            values = {"owner": str(row.name), "desired": str(desired), "others": str(most)}
            yield Sighting(line=proxy.at, values=values)


def not_ready_node_without_calico(picture: Picture) -> Iterator[Sighting]:
    """A NotReady node without calico-node, where a list shows both calico-node on others and other pods on it."""
    with_calico = {pod.node for pod in picture.pods("calico-node") if pod.node}
    with_proxy = {pod.node for pod in picture.pods("kube-proxy") if pod.node and pod.status == "Running"}
    without = with_proxy - with_calico if with_calico else set()
    for node in picture.all(Node):
        if node.ready is False and node.name in without:
            yield Sighting(line=node.at, node=node.name, values={"node": node.name})


def taint_not_tolerated(picture: Picture) -> Iterator[Sighting]:
    """A node's own taint that the DaemonSet's tolerations, as shown, do not cover."""
    tolerated = [keys for one in picture.all(Object) if (keys := _tolerated_keys(one))]
    if not tolerated or any("*" in keys for keys in tolerated):
        return
    covered = {key for keys in tolerated for key in keys}
    with_calico = {pod.node for pod in picture.pods("calico-node") if pod.node}
    for node in picture.all(Node):
        for taint in node.taints:
            key = re.split(r"[=:]", taint)[0]
            if key not in covered and not _OWN_TAINTS.match(key) and node.name not in with_calico:
                yield Sighting(line=node.at, node=node.name, values={"taint": taint})


def daemonset_creates_none(picture: Picture) -> Iterator[Sighting]:
    """Pods are wanted and none exists: something refuses to create them."""
    for row in picture.all(Row):
        name = (row.name or "").split("/")[-1]
        desired, current = _number(row, "DESIRED"), _number(row, "CURRENT")
        if _CALICO_SETS.search(name) and desired and current == 0:
            yield Sighting(line=row.at, values={"owner": name, "desired": str(desired), "current": "0"})


def daemonset_lacks_pods(picture: Picture) -> Iterator[Sighting]:
    """Fewer pods of calico-node exist than are wanted."""
    for row in _daemonsets(picture):
        desired, current = _number(row, "DESIRED"), _number(row, "CURRENT")
        if desired is not None and current is not None and current < desired:
            values = {"owner": str(row.name), "desired": str(desired), "current": str(current)}
            yield Sighting(line=row.at, node=only_without_calico(picture), values=values)


@once
def only_without_calico(picture: Picture) -> str | None:
    """The one node that is known and has no calico-node pod."""
    known = {node.name for node in picture.all(Node)} | {pod.node for pod in picture.pods("kube-proxy") if pod.node}
    without = known - {pod.node for pod in picture.pods("calico-node")}
    return without.pop() if len(without) == 1 else None


def _daemonsets(picture: Picture) -> Iterator[Row]:
    for row in picture.all(Row):
        name = (row.name or "").split("/")[-1]
        if _NODE_SETS.fullmatch(name) and "DESIRED" in row.cells and "windows" not in str(row.cells):
            yield row


def _elsewhere(node: Node) -> bool:
    """Nodes on which no Linux DaemonSet is meant to run: Windows, and those that are none."""
    return "windows" in f"{node.os} {node.labels.get('kubernetes.io/os')}".lower() or bool(_VIRTUAL.match(node.name))


def _tolerated_keys(document: Object) -> set[str]:
    """The keys that are tolerated; `*` for a toleration of everything, which has an operator but no key."""
    parts: dict[str, dict[str, str]] = {}
    for path, value in document.values.items():
        if found := _TOLERATION.search(path):
            parts.setdefault(found[1], {})[found[2]] = str(value)
    return {part.get("key", "*") for part in parts.values()}


def _number(row: Row, column: str) -> int | None:
    text = row.cells.get(column, "")
    return int(text) if text.isdigit() else None


SIGNS = {
    "daemonset-short-of-nodes": daemonset_short_of_nodes,
    "daemonset-fewer-than-kube-proxy": daemonset_fewer_than_kube_proxy,
    "not-ready-node-without-calico": not_ready_node_without_calico,
    "taint-not-tolerated": taint_not_tolerated,
    "daemonset-creates-none": daemonset_creates_none,
    "daemonset-lacks-pods": daemonset_lacks_pods,
}
