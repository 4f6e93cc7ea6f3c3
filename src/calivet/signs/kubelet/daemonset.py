"""Signs that calico-node is kept off nodes: how many pods are wanted, where, and what the scheduler says."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.kubernetes import Event, Node, Object, Row
from calivet.facts.roles import find_role_of_name, is_calico_workload, is_node_daemonset
from calivet.facts.selectors import find_tolerated_keys, is_own_taint, is_virtual_node, parse_taint_key
from calivet.facts.vocabulary.messages import find_scheduling_obstacle
from calivet.signs.sighting import Sighting


def find_daemonset_short_of_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The DaemonSet wants fewer pods than there are nodes."""
    nodes = {node.name for node in cluster.all(Node) if not _is_elsewhere(node)}
    for row in _list_daemonsets(cluster):
        desired = _parse_number(row, "DESIRED")
        if desired is not None and 0 <= desired < len(nodes):
            values = {"owner": str(row.name), "desired": str(desired), "nodes": str(len(nodes))}
            yield Sighting(line=row.at, values=values)


def find_daemonset_fewer_than_kube_proxy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kube-proxy is wanted on more nodes than calico-node."""
    proxies = [
        (_parse_number(row, "DESIRED") or 0, row) for row in cluster.all(Row) if (row.name or "").endswith("kube-proxy")
    ]
    most, proxy = max(proxies, key=lambda pair: pair[0], default=(0, None))
    for row in _list_daemonsets(cluster):
        desired = _parse_number(row, "DESIRED")
        if proxy and desired is not None and desired < most:
            values = {"owner": str(row.name), "desired": str(desired), "others": str(most)}
            yield Sighting(line=proxy.at, values=values)


def find_not_ready_node_without_calico(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A NotReady node without calico-node, where a list shows both calico-node on others and other pods on it."""
    with_calico = {pod.node for pod in cluster.pods("calico-node") if pod.node}
    with_proxy = {pod.node for pod in cluster.pods("kube-proxy") if pod.node and pod.status == "Running"}
    without = with_proxy - with_calico if with_calico else set()
    for node in cluster.all(Node):
        if node.ready is False and node.name in without:
            yield Sighting(line=node.at, node=node.name, values={"node": node.name})


def find_taint_not_tolerated(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node's own taint that the DaemonSet's tolerations, as shown, do not cover."""
    tolerated = [keys for one in cluster.all(Object) if (keys := find_tolerated_keys(one))]
    if not tolerated or any("*" in keys for keys in tolerated):
        return
    covered = {key for keys in tolerated for key in keys}
    with_calico = {pod.node for pod in cluster.pods("calico-node") if pod.node}
    for node in cluster.all(Node):
        for taint in node.taints:
            key = parse_taint_key(taint)
            if key not in covered and not is_own_taint(key) and node.name not in with_calico:
                yield Sighting(line=node.at, node=node.name, values={"taint": taint})


def find_node_not_selected(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node that lacks a label which the DaemonSet asks for, and has no calico-node."""
    with_calico = {pod.node for pod in cluster.pods("calico-node") if pod.node}
    nodes = [node for node in cluster.all(Node) if node.labels and not _is_elsewhere(node)]
    for thing in cluster.all(Object) if with_calico else ():
        wanted = _read_node_selector(thing)
        for node in nodes if wanted else ():
            missing = [f"{key}={value}" for key, value in wanted.items() if node.labels.get(key) != value]
            if missing and node.name not in with_calico:
                values = {"node": node.name, "label": missing[0], "owner": str(thing.name)}
                yield Sighting(line=thing.at, node=node.name, values=values)


def _read_node_selector(thing: Object) -> dict[str, str]:
    head = "spec.template.spec.nodeSelector."
    if thing.kind != "DaemonSet" or not is_node_daemonset(thing.name or ""):
        return {}
    return {path.removeprefix(head): str(value) for path, value in thing.values.items() if path.startswith(head)}


def find_daemonset_creates_none(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods are wanted and none exists: something refuses to create them."""
    for row in cluster.all(Row):
        name = (row.name or "").split("/")[-1]
        desired, current = _parse_number(row, "DESIRED"), _parse_number(row, "CURRENT")
        if is_calico_workload(name) and desired and current == 0:
            yield Sighting(line=row.at, values={"owner": name, "desired": str(desired), "current": "0"})


def find_daemonset_lacks_pods(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Fewer pods of calico-node exist than are wanted."""
    for row in _list_daemonsets(cluster):
        desired, current = _parse_number(row, "DESIRED"), _parse_number(row, "CURRENT")
        if desired is not None and current is not None and current < desired:
            values = {"owner": str(row.name), "desired": str(desired), "current": str(current)}
            yield Sighting(line=row.at, node=find_only_node_without_calico(cluster), values=values)


@once
def find_only_node_without_calico(cluster: ClusterFacts) -> str | None:
    """The one node that is known and has no calico-node pod."""
    known = {node.name for node in cluster.all(Node)} | {pod.node for pod in cluster.pods("kube-proxy") if pod.node}
    without = known - {pod.node for pod in cluster.pods("calico-node")}
    return without.pop() if len(without) == 1 else None


def _list_daemonsets(cluster: ClusterFacts) -> Iterator[Row]:
    for row in cluster.all(Row):
        name = (row.name or "").split("/")[-1]
        if is_node_daemonset(name) and "DESIRED" in row.cells and "windows" not in str(row.cells):
            yield row


def _is_elsewhere(node: Node) -> bool:
    """Nodes on which no Linux DaemonSet is meant to run: Windows, and those that are none."""
    return "windows" in f"{node.os} {node.labels.get('kubernetes.io/os')}".lower() or is_virtual_node(node.name)


def _parse_number(row: Row, column: str) -> int | None:
    text = row.cells.get(column, "")
    return int(text) if text.isdigit() else None


def find_calico_pod_cannot_be_placed(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The scheduler turned a calico-node pod away, and it was not placed afterwards."""
    pods = cluster.pods("calico-node")
    placed = {event.object for event in cluster.all(Event) if event.reason == "Scheduled"}
    placed |= {pod.name for pod in pods if pod.node}
    for event in cluster.all(Event):
        if event.reason != "FailedScheduling" or find_role_of_name(event.object or "") != "calico-node":
            continue
        why = find_scheduling_obstacle(event.message)
        if why and event.object not in placed:
            node = find_only_node_without_calico(cluster)
            yield Sighting(line=event.at, node=node, values={"pod": str(event.object), "why": why})


SIGNS = {
    "daemonset-short-of-nodes": find_daemonset_short_of_nodes,
    "daemonset-fewer-than-kube-proxy": find_daemonset_fewer_than_kube_proxy,
    "not-ready-node-without-calico": find_not_ready_node_without_calico,
    "taint-not-tolerated": find_taint_not_tolerated,
    "node-not-selected-by-daemonset": find_node_not_selected,
    "daemonset-creates-none": find_daemonset_creates_none,
    "daemonset-lacks-pods": find_daemonset_lacks_pods,
    "calico-pod-cannot-be-placed": find_calico_pod_cannot_be_placed,
}
