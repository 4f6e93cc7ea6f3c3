"""Tests of the signs that calico-node is kept off nodes."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Node, Object, Pod, Row
from calivet.signs.kubelet.daemonset import SIGNS

AT = Line("session.txt", 3, "a line")


def row(name: str, desired: int, current: int | None = None) -> Row:
    cells = {"DESIRED": str(desired), "CURRENT": str(desired if current is None else current)}
    return Row(at=AT, resource="daemonset", name=name, cells=cells)


def node(name: str, ready: bool = True, **more: object) -> Node:
    return Node(at=AT, name=name, ready=ready, **more)  # type: ignore[arg-type]


def pod(name: str, on: str) -> Pod:
    return Pod(at=AT, name=name, node=on, status="Running", ready=1, containers=1)


def values(sign: str, *facts: Fact) -> list[dict[str, str]]:
    return [sighting.values for sighting in SIGNS[sign](ClusterFacts([], facts))]


NODES = [node("m1"), node("w1"), node("w2", ready=False)]


def test_fewer_pods_wanted_than_there_are_nodes() -> None:
    assert values("daemonset-short-of-nodes", *NODES, row("calico-node", 2)) == [
        {"owner": "calico-node", "desired": "2", "nodes": "3"}
    ]
    assert values("daemonset-short-of-nodes", *NODES, row("calico-node", 3)) == []
    assert values("daemonset-short-of-nodes", *NODES, row("node-exporter", 2)) == []


def test_nodes_where_no_linux_pod_belongs_do_not_count() -> None:
    windows = node("win1", os="Windows Server 2022 Datacenter")
    fargate = node("fargate-ip-10-7-8-9.example")
    assert values("daemonset-short-of-nodes", node("m1"), node("w1"), windows, fargate, row("calico-node", 2)) == []


def test_kube_proxy_is_wanted_on_more_nodes() -> None:
    found = values("daemonset-fewer-than-kube-proxy", row("canal", 2), row("kube-proxy", 3))
    assert found == [{"owner": "canal", "desired": "2", "others": "3"}]
    assert values("daemonset-fewer-than-kube-proxy", row("canal", 3), row("kube-proxy", 3)) == []


def test_not_ready_node_with_kube_proxy_but_no_calico_node() -> None:
    others = [pod("calico-node-aaaaa", "w1"), pod("kube-proxy-bbbbb", "w1"), pod("kube-proxy-ccccc", "w2")]
    assert values("not-ready-node-without-calico", *NODES, *others) == [{"node": "w2"}]
    assert values("not-ready-node-without-calico", *NODES, *others, pod("calico-node-ddddd", "w2")) == []


def test_taint_that_no_toleration_covers() -> None:
    tainted = node("w2", ready=False, taints=("dedicated=gpu:NoSchedule", "node.kubernetes.io/not-ready:NoSchedule"))
    narrow = Object(at=AT, values={"tolerations[0].key": "CriticalAddonsOnly", "tolerations[0].operator": "Exists"})
    wide = Object(at=AT, values={"spec.tolerations[0].operator": "Exists", "spec.tolerations[0].effect": "NoSchedule"})
    assert values("taint-not-tolerated", tainted, narrow) == [{"taint": "dedicated=gpu:NoSchedule"}]
    assert values("taint-not-tolerated", tainted, wide) == []
    assert values("taint-not-tolerated", tainted) == [], "tolerations were not seen"
    assert values("taint-not-tolerated", tainted, narrow, pod("calico-node-aaaaa", "w2")) == []


def test_pods_wanted_and_none_created() -> None:
    found = values("daemonset-creates-none", row("replicaset.apps/tigera-operator-5c4b3a2d1f", 1, 0))
    assert found == [{"owner": "tigera-operator-5c4b3a2d1f", "desired": "1", "current": "0"}]
    assert values("daemonset-creates-none", row("calico-node", 3, 3), row("web", 3, 0)) == []


def test_fewer_pods_than_wanted() -> None:
    assert values("daemonset-lacks-pods", row("calico-node", 5, 4)) == [
        {"owner": "calico-node", "desired": "5", "current": "4"}
    ]
    assert values("daemonset-lacks-pods", row("calico-node", 5), row("csi-node-driver", 5, 4)) == []


def test_the_node_that_lacks_it_is_named() -> None:
    proxies = [pod("kube-proxy-x2x2x", "w1"), pod("kube-proxy-y3y3y", "w2")]
    facts = [*proxies, pod("calico-node-x2x2x", "w1"), row("calico-node", 2, 1)]
    assert [one.node for one in SIGNS["daemonset-lacks-pods"](ClusterFacts([], facts))] == ["w2"]
