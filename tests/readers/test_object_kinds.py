"""The kinds of object that have facts of their own."""

from __future__ import annotations

import json

from calivet.facts.calico import BgpPeer, NodeAddress, Pool
from calivet.facts.kubernetes import Condition, Event, Node
from calivet.readers.objects.kubernetes_object import READER
from tests.readers.host_reading import facts_of


def only(facts: list, kind: type) -> list:
    return [fact for fact in facts if isinstance(fact, kind)]


def test_a_node() -> None:
    facts = facts_of(
        READER,
        """
        apiVersion: v1
        kind: Node
        metadata:
          annotations:
            projectcalico.org/IPv4Address: 10.99.0.63/24
          labels:
            node-role.kubernetes.io/control-plane: ""
          name: fig-2
        spec:
          podCIDR: 10.244.1.0/24
          taints:
          - effect: NoSchedule
            key: plum
            value: "1"
        status:
          addresses:
          - address: 172.17.97.60
            type: InternalIP
          conditions:
          - lastTransitionTime: "2020-05-21T09:46:38Z"
            message: Kubelet stopped posting node status.
            reason: NodeStatusUnknown
            status: Unknown
            type: Ready
          nodeInfo:
            containerRuntimeVersion: docker://18.9.7
            kernelVersion: 4.14.148-server
            kubeletVersion: v1.18.2
            osImage: Ubuntu 16.04.6 LTS
        """,
    )
    (node,) = only(facts, Node)
    assert (node.name, node.ready, node.status, node.roles) == ("fig-2", False, "NotReady", "control-plane")
    assert (node.internal_ip, node.pod_cidr, node.taints) == ("172.17.97.60", "10.244.1.0/24", ("plum=1:NoSchedule",))
    assert (node.kernel, node.runtime, node.version) == ("4.14.148-server", "docker://18.9.7", "v1.18.2")
    (condition,) = only(facts, Condition)
    assert (condition.kind, condition.object, condition.status) == ("node", "fig-2", "Unknown")
    assert condition.reason == "NodeStatusUnknown"
    (address,) = only(facts, NodeAddress)
    assert (address.node, address.address, address.source) == ("fig-2", "10.99.0.63/24", "annotation")


def test_calicos_own_node() -> None:
    facts = facts_of(
        READER,
        """
        apiVersion: projectcalico.org/v3
        kind: Node
        metadata:
          name: fig-2
        spec:
          bgp:
            ipv4Address: 10.99.0.63/24
            ipv4IPIPTunnelAddr: 10.101.97.64
        """,
    )
    (address,) = only(facts, NodeAddress)
    assert (address.node, address.address, address.source) == ("fig-2", "10.99.0.63/24", "resource")
    assert only(facts, Node) == []


def test_pools_of_every_age() -> None:
    new, old = only(
        facts_of(
            READER,
            """
            apiVersion: crd.projectcalico.org/v1
            kind: IPPool
            metadata:
              name: default-ipv4-ippool
            spec:
              blockSize: 26
              cidr: 10.244.0.0/16
              disabled: true
              ipipMode: Never
              natOutgoing: true
              nodeSelector: all()
              vxlanMode: CrossSubnet
            ---
            apiVersion: v1
            kind: ipPool
            metadata:
              cidr: 192.168.0.0/16
            spec:
              ipip:
                enabled: true
                mode: cross-subnet
              nat-outgoing: true
            """,
        ),
        Pool,
    )
    assert (new.name, new.cidr, new.block_size, new.disabled) == ("default-ipv4-ippool", "10.244.0.0/16", 26, True)
    assert (new.ipip, new.vxlan, new.selector) == ("Never", "CrossSubnet", "all()")
    assert (old.cidr, old.ipip, old.block_size) == ("192.168.0.0/16", "cross-subnet", None)


def test_an_event() -> None:
    (event,) = only(
        facts_of(
            READER,
            json.dumps(
                {
                    "kind": "Event",
                    "apiVersion": "v1",
                    "involvedObject": {"kind": "Pod", "name": "plum-1", "namespace": "fruit"},
                    "reason": "Unhealthy",
                    "message": "Readiness probe failed",
                    "source": {"component": "kubelet", "host": "fig-2"},
                    "firstTimestamp": "2024-01-01T00:00:00Z",
                    "lastTimestamp": "2024-01-01T01:00:00Z",
                    "count": 70,
                    "type": "Warning",
                },
                indent=2,
            ),
        ),
        Event,
    )
    assert (event.kind, event.object, event.namespace, event.node) == ("pod", "plum-1", "fruit", "fig-2")
    assert (event.count, event.over, event.source, event.type) == (70, 3600.0, "kubelet", "Warning")


def test_cluster_information() -> None:
    found, version = facts_of(
        READER,
        "apiVersion: crd.projectcalico.org/v1\nkind: ClusterInformation\nmetadata:\n  name: default\nspec:\n  calicoVersion: v3.17.0\n  datastoreReady: false\n",
    )
    assert found.values["spec.datastoreReady"] is False
    assert (version.program, version.version) == ("calico", "v3.17.0")


def test_node_status() -> None:
    text = """\
apiVersion: projectcalico.org/v3
kind: CalicoNodeStatus
metadata: {name: fig-2}
spec: {node: fig-2, classes: [BGP], updatePeriodSeconds: 10}
status:
  bgp:
    peersV4:
    - {peerIP: 10.7.8.20, state: Established, type: nodeMesh, since: "09:12:33"}
    - peerIP: 10.7.8.21
      since: "09:12:40"
      state: Active
      type: globalPeer
"""
    peers = only(facts_of(READER, text), BgpPeer)
    assert [(peer.host, peer.address, peer.established, peer.type) for peer in peers] == [
        ("fig-2", "10.7.8.20", True, "node-to-node mesh"),
        ("fig-2", "10.7.8.21", False, "global"),
    ]
