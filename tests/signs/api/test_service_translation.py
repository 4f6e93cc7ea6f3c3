"""Tests of the signs of who translates the service address."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Fact
from calivet.facts.host import FirewallRule, VirtualServer
from calivet.facts.kubernetes import Object, Pod, Row
from calivet.signs.api.api_server import SIGNS
from tests.signs.made_pictures import picture as made_picture

AT = Line("session.txt", 3, "a line")
SICK = Pod(at=AT, name="calico-node-x2x2x", node="w9", status="CrashLoopBackOff", ready=0, containers=1)
WELL = Pod(at=AT, name="calico-node-y3y3y", node="w1", status="Running", ready=1, containers=1)
OFF = Row(at=AT, resource="daemonset", name="kube-proxy", cells={"DESIRED": "0"})
EBPF = Object(at=AT, kind="Installation", values={"spec.calicoNetwork.linuxDataplane": "BPF"})


def rule(host: str | None) -> FirewallRule:
    text = '-A KUBE-SERVICES -d 10.99.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -j X'
    return FirewallRule(at=AT, host=host, rule=text)


def config_map(name: str) -> Row:
    return Row(at=AT, resource="configmap", namespace="tigera-operator", name=name)


def seen(sign: str, *facts: Fact, artifacts: tuple[Artifact, ...] = ()) -> list[str | None]:
    return [sighting.node for sighting in SIGNS[sign](made_picture(*facts, artifacts=list(artifacts)))]


def test_rule_on_the_node_in_trouble() -> None:
    assert seen("service-rule-present", SICK, WELL, rule("w9")) == ["w9"]
    assert seen("service-rule-present", SICK, WELL, rule(None)) == [None]
    server = VirtualServer(at=AT, host="w9", address="10.99.0.1", port="443", backends=("10.7.8.20:6443",))
    assert seen("service-rule-present", SICK, server) == ["w9"]


def test_rule_on_another_node_tells_nothing() -> None:
    assert seen("service-rule-present", SICK, WELL, rule("w1")) == []
    empty = VirtualServer(at=AT, host="w9", address="10.99.0.1", port="443")
    assert seen("service-rule-present", SICK, empty) == []


def test_rules_counted_to_none() -> None:
    command = "iptables-save -t nat | grep -c KUBE-SVC"
    counted = Artifact("session.txt", 1, [f"[root@w9 ~]# {command}", "0"], host="w9", command=command)
    assert seen("service-rule-present", rule("w9"), artifacts=(counted,)) == []


def test_kube_proxy_switched_off() -> None:
    assert len(seen("kube-proxy-wanted-nowhere", OFF)) == 1
    assert seen("kube-proxy-wanted-nowhere", Row(at=AT, name="kube-proxy", cells={"DESIRED": "3"})) == []


def test_config_map_with_the_real_address() -> None:
    sign = "services-endpoint-missing"
    whole = config_map("kube-root-ca.crt")
    assert len(seen(sign, OFF, whole)) == len(seen(sign, EBPF, whole)) == 1
    assert seen(sign, OFF, whole, config_map("kubernetes-services-endpoint")) == []
    assert seen(sign, OFF) == seen(sign, whole) == []
    by_itself = Object(at=AT, kind="Installation", values={"spec.calicoNetwork.bpfNetworkBootstrap": "Enabled"})
    assert seen(sign, OFF, whole, by_itself) == []
