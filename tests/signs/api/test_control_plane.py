"""Tests of the signs in what Calico depends on."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.calico import CniConfig
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Variable
from calivet.facts.kubernetes import Pod
from calivet.signs.api.control_plane import SIGNS

AT = Line("pods.txt", 3, "a line")


def pod(name: str, status: str = "Running", ready: int = 1, node: str = "m1") -> Pod:
    return Pod(at=AT, name=name, node=node, status=status, ready=ready, containers=1)


def values(sign: str, *facts: Fact) -> list[dict[str, str]]:
    return [sighting.values for sighting in SIGNS[sign](ClusterFacts([], facts))]


def test_sick_parts_are_named_with_their_state() -> None:
    assert values("apiserver-sick", pod("kube-apiserver-m1", "CrashLoopBackOff", 0)) == [
        {"pod": "kube-apiserver-m1", "status": "CrashLoopBackOff"}
    ]
    assert values("etcd-sick", pod("etcd-m1", "Running", 0)) == [{"pod": "etcd-m1", "status": "Running 0/1"}]
    assert values("etcd-sick", pod("etcd-m1")) == []


def test_typha_counts_as_gone_only_where_none_was_ever_ready() -> None:
    sick = pod("calico-typha-6d8f8c8b7d-aaaaa", "Pending", 0)
    assert values("typha-none-ready", sick) == [{"pod": sick.name, "status": "Pending"}]
    assert values("typha-none-ready", sick, pod("calico-typha-6d8f8c8b7d-bbbbb")) == []
    assert values("typha-none-ready") == []


def test_some_nodes_well_needs_both_kinds() -> None:
    sick, well = pod("calico-node-aaaaa", "CrashLoopBackOff", 0, "w1"), pod("calico-node-bbbbb", node="w2")
    assert values("some-calico-nodes-healthy", sick, well) == [{"healthy": "w2"}]
    assert values("some-calico-nodes-healthy", well) == []
    assert values("some-calico-nodes-healthy", sick) == []


def test_datastore_by_variable_or_cni_configuration() -> None:
    assert values("calico-etcd-mode", Variable(at=AT, name="DATASTORE_TYPE", value="etcdv3"))
    assert values("calico-etcd-mode", Variable(at=AT, name="ETCD_ENDPOINTS", value="https://10.7.8.20:2379"))
    assert values("calico-etcd-mode", CniConfig(at=AT, datastore="etcdv3"))
    kubernetes = Variable(at=AT, name="DATASTORE_TYPE", value="kubernetes")
    assert values("calico-etcd-mode", kubernetes, Variable(at=AT, name="ETCD_ENDPOINTS", value="")) == []
    assert values("calico-kubernetes-mode", kubernetes) == [{}]
