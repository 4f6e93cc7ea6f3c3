"""Tests of the signs in the container runtime."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.calico import HealthReport
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Note, Setting
from calivet.facts.host import Unit
from calivet.facts.kubernetes import Event, Node, Pod
from calivet.signs.runtime.runtime_service import SIGNS

AT = Line("host.txt", 3, "a line")


def values(sign: str, *facts: Fact) -> list[dict[str, str]]:
    return [sighting.values for sighting in SIGNS[sign](ClusterFacts([], facts))]


def test_failed_runtime_service() -> None:
    failed = Unit(at=AT, host="w9", name="containerd", active="failed", sub="failed")
    assert values("runtime-unit-down", failed) == [{"unit": "containerd", "state": "failed (failed)"}]
    assert values("runtime-unit-down", Unit(at=AT, name="firewalld", active="failed")) == []


def test_stopped_docker_matters_only_where_it_is_the_runtime() -> None:
    stopped = Unit(at=AT, host="w9", name="docker", active="inactive", sub="dead")
    assert values("runtime-unit-down", stopped, Node(at=AT, name="w9", runtime="docker://20.10.8"))
    assert values("runtime-unit-down", stopped, Node(at=AT, name="w9", runtime="containerd://1.6.8")) == []


def test_sandbox_of_a_host_network_pod_replaced_often() -> None:
    def changed(name: str | None, count: int) -> Event:
        return Event(at=AT, reason="SandboxChanged", message="Pod sandbox changed", object=name, count=count)

    assert values("host-pod-sandbox-changed-often", changed("calico-node-aaaaa", 55)) == [
        {"pod": "calico-node-aaaaa", "count": "55"}
    ]
    assert values("host-pod-sandbox-changed-often", changed("etcd-m1", 22))
    assert values("host-pod-sandbox-changed-often", changed("calico-node-aaaaa", 1)) == [], "once after a reboot"
    assert values("host-pod-sandbox-changed-often", changed("coredns-5dd5756b68-aaaaa", 55)) == []


def test_neighbours_that_restart_too() -> None:
    def pod(name: str, restarts: int) -> Pod:
        return Pod(at=AT, name=name, node="w9", status="Running", restarts=restarts)

    calico = pod("calico-node-aaaaa", 58)
    assert values("node-pods-all-restart", calico, pod("kube-proxy-bbbbb", 61)) == [
        {"node": "w9", "pods": "kube-proxy-bbbbb"}
    ]
    assert values("node-pods-all-restart", calico, pod("kube-proxy-bbbbb", 0)) == []


def test_healthy_report_beside_an_author_who_sees_restarts() -> None:
    healthy = HealthReport(at=AT, live=True, ready=True)
    told = Note(at=AT, text="calico-node 一直重启")
    assert len(values("healthy-though-restarts-told", healthy, told)) == 1
    assert values("healthy-though-restarts-told", healthy) == []
    assert values("healthy-though-restarts-told", HealthReport(at=AT, live=True, ready=False), told) == []


def test_cni_directory_where_calico_does_not_install() -> None:
    def setting(value: str) -> Setting:
        return Setting(at=AT, host="w9", program="containerd", key="bin_dir", value=value)

    assert values("cni-directory-differs", setting("/usr/lib/cni")) == [{"directory": "/usr/lib/cni"}]
    assert values("cni-directory-differs", setting("/opt/cni/bin/")) == []
    assert values("cni-directory-differs", setting("/var/lib/rancher/k3s/data/current/bin")) == []


def test_a_runtime_that_was_stopped_by_a_signal() -> None:
    def state(program: str, letter: str) -> Setting:
        return Setting(at=AT, host="w9", program=program, key="state", value=letter)

    assert values("runtime-process-stopped", state("containerd", "T")) == [{"program": "containerd"}]
    assert values("runtime-process-stopped", state("containerd", "D"), state("kube-proxy", "T")) == []
