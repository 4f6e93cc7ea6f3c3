"""Described nodes: whole, in parts, old and new."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import NodeAddress
from calivet.facts.kubernetes import Condition, Node, Pod
from calivet.readers.kubectl.kubectl_describe import NODE_READER as READER
from tests.readers.host_reading import facts_of, reading_of

WHOLE = """
Name:               fig-2
Roles:              <none>
Labels:             beta.kubernetes.io/arch=amd64
                    topology.kubernetes.io/zone=north-1a
Annotations:        kubeadm.alpha.kubernetes.io/cri-socket: /var/run/dockershim.sock
                    projectcalico.org/IPv4Address: 10.99.0.63/24
                    projectcalico.org/IPv4IPIPTunnelAddr: 10.101.97.64
CreationTimestamp:  Sat, 09 May 2020 18:35:16 +0000
Taints:             node.kubernetes.io/unreachable:NoExecute
                    node.kubernetes.io/unreachable:NoSchedule
Unschedulable:      true
Conditions:
  Type                 Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----                 ------    -----------------                 ------------------                ------              -------
  NetworkUnavailable   False     Sat, 09 May 2020 18:36:29 +0000   Sat, 09 May 2020 18:36:29 +0000   CalicoIsUp          Calico is running on this node
  Ready                Unknown   Wed, 20 May 2020 18:37:28 +0000   Thu, 21 May 2020 09:46:38 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
Addresses:
  InternalIP:  172.17.97.60
  Hostname:    fig-2
Capacity:
  cpu:                4
System Info:
  Machine ID:                 6a2886db0584
  Kernel Version:             4.14.148-server
  OS Image:                   Ubuntu 16.04.6 LTS
  Architecture:               amd64
  Container Runtime Version:  docker://18.9.7
  Kubelet Version:            v1.18.2
PodCIDR:                      10.244.1.0/24
Non-terminated Pods:          (2 in total)
  Namespace                   Name                 CPU Requests  CPU Limits  Memory Requests  Memory Limits  AGE
  ---------                   ----                 ------------  ----------  ---------------  -------------  ---
  kube-system                 calico-node-x7k2p    250m (6%)     0 (0%)      0 (0%)           0 (0%)         17d
  kube-system                 kube-proxy-4n5z8     0 (0%)        0 (0%)      0 (0%)           0 (0%)         17d
Allocated resources:
  Resource           Requests   Limits
  cpu                250m (6%)  0 (0%)
Events:              <none>
"""


def only(facts: list, kind: type) -> list:
    return [fact for fact in facts if isinstance(fact, kind)]


def test_the_node() -> None:
    (node,) = only(facts_of(READER, WHOLE), Node)
    assert (node.name, node.host, node.ready, node.status) == ("fig-2", "fig-2", False, "NotReady,SchedulingDisabled")
    assert (node.internal_ip, node.pod_cidr, node.roles) == ("172.17.97.60", "10.244.1.0/24", None)
    assert (node.kernel, node.os, node.runtime) == ("4.14.148-server", "Ubuntu 16.04.6 LTS", "docker://18.9.7")
    assert (node.version, node.arch) == ("v1.18.2", "amd64")
    assert node.taints == ("node.kubernetes.io/unreachable:NoExecute", "node.kubernetes.io/unreachable:NoSchedule")
    assert node.labels["topology.kubernetes.io/zone"] == "north-1a"
    assert node.annotations["kubeadm.alpha.kubernetes.io/cri-socket"] == "/var/run/dockershim.sock"
    assert node.annotations["projectcalico.org/IPv4IPIPTunnelAddr"] == "10.101.97.64"


def test_the_conditions() -> None:
    network, ready = only(facts_of(READER, WHOLE), Condition)
    assert (network.kind, network.object, network.type, network.status) == (
        "node",
        "fig-2",
        "NetworkUnavailable",
        "False",
    )
    assert (ready.status, ready.reason) == ("Unknown", "NodeStatusUnknown")
    assert ready.message == "Kubelet stopped posting node status."
    assert ready.since == datetime(2020, 5, 21, 9, 46, 38, tzinfo=UTC)
    assert "Kubelet stopped" in ready.at.text


def test_the_address_that_calico_has() -> None:
    (address,) = only(facts_of(READER, WHOLE), NodeAddress)
    assert (address.node, address.address, address.source) == ("fig-2", "10.99.0.63/24", "annotation")
    assert address.at.text == "projectcalico.org/IPv4Address: 10.99.0.63/24"


def test_the_pods_on_it() -> None:
    pods = only(facts_of(READER, WHOLE), Pod)
    assert [(pod.name, pod.node) for pod in pods] == [("calico-node-x7k2p", "fig-2"), ("kube-proxy-4n5z8", "fig-2")]


def test_1_6_with_tabs_and_an_address_list() -> None:
    (node, condition) = facts_of(
        READER,
        "Name:\t\t\tfig-2\nRole:\t\t\tnode\nLabels:\t\t\tkubernetes.io/role=node\n\t\t\tnode-role.kubernetes.io/node=\n"
        "Annotations:\t\tnode.alpha.kubernetes.io/ttl=0\nTaints:\t\t\tdedicated=analytics:NoSchedule\n"
        "Conditions:\n  Type\t\t\tStatus\tLastHeartbeatTime\n"
        "  Ready \t\tFalse \tTue, 09 May 2017 15:04:12 -0400 \tTue, 09 May 2017 14:20:31 -0400 \tKubeletNotReady \t\truntime network not ready\n"
        "Addresses:\t\t172.20.97.8,172.20.97.8,fig-2\n",
    )
    assert (node.roles, node.taints, node.internal_ip) == ("node", ("dedicated=analytics:NoSchedule",), "172.20.97.8")
    assert node.labels == {"kubernetes.io/role": "node", "node-role.kubernetes.io/node": ""}
    assert (condition.reason, condition.message) == ("KubeletNotReady", "runtime network not ready")


def test_only_the_conditions() -> None:
    part = WHOLE[WHOLE.index("Conditions:") : WHOLE.index("Addresses:")]
    facts = facts_of(READER, part, "kubectl describe node fig-2 | sed -n '/^Conditions/,/^Addresses/p'")
    assert [fact.object for fact in only(facts, Condition)] == ["fig-2", "fig-2"]
    (node,) = only(facts, Node)
    assert (node.name, node.ready) == ("fig-2", False)


def test_a_condition_cut_out_by_grep_without_a_name() -> None:
    row = "  Ready   True   Thu, 13 Nov 2025 07:41:03 +0100   Sun, 27 Apr 2025 18:01:48 +0200   KubeletReady   kubelet is posting ready status"
    (condition,) = facts_of(READER, row)
    assert (condition.object, condition.type, condition.status, condition.host) == ("", "Ready", "True", None)


def test_one_line_of_it() -> None:
    (node,) = facts_of(READER, "Taints:             plum:NoSchedule", "kubectl describe node fig-2 | grep Taints")
    assert (node.name, node.taints, node.ready) == ("fig-2", ("plum:NoSchedule",), None)


def test_no_taints() -> None:
    (node,) = facts_of(READER, "Name:   fig-2\nRoles:  <none>\nTaints:  <none>")
    assert node.taints == ()


def test_a_described_pod_is_no_node() -> None:
    text = "Name:  plum-1\nNode:  fig-2/10.9.0.1\nConditions:\n  Type   Status\n  Ready  False\nQoS Class:  Burstable"
    assert reading_of(READER, text).facts == []


@given(st.lists(st.sampled_from(WHOLE.splitlines()), max_size=40))
def test_pages_torn_to_pieces_are_survived(lines: list[str]) -> None:
    anchors = [index for index, line in enumerate(lines) if READER.anchor.search(line)]
    READER.read(Artifact("x", 1, lines), anchors)
