"""The nodes: as full of labels, images and conditions as those of a cluster that has been in use for a while."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.big_cluster.addresses import NODES, SICK, digest, node_address, node_name, pod_address, uid
from bench.big_cluster.stencil import Stencil
from tests.e2e.scenarios.node import Node

IMAGES = 50
"""The most that a kubelet reports."""
VERSION = "v1.31.4"
UPDATED_KERNEL = "6.1.0-29-amd64"
DOWN = ("True", "CalicoIsDown", "Calico is shutting down on this node")


def nodes() -> Iterator[dict[str, Any]]:
    """All of them."""
    well, sick = _stencil(_node()), _stencil(_sick_node())
    for number in range(NODES):
        name = node_name(number)
        yield (sick if number in SICK else well).cut(
            name=name,
            address=node_address(number),
            tunnel=pod_address(number, -1),
            zone=f"zone-{number % 3 + 1}",
            uid=uid("node", name),
            machine=digest("machine", name)[:32],
        )


def _node() -> Node:
    return Node(
        "%name%",
        "%address%",
        VERSION,
        annotations={
            "csi.volume.kubernetes.io/nodeid": '{"csi.example.com":"%machine%"}',
            "kubeadm.alpha.kubernetes.io/cri-socket": "unix:///run/containerd/containerd.sock",
            "node.alpha.kubernetes.io/ttl": "300",
            "projectcalico.org/IPv4Address": "%address%/20",
            "projectcalico.org/IPv4IPIPTunnelAddr": "%tunnel%",
            "volumes.kubernetes.io/controller-managed-attach-detach": "true",
        },
        labels={
            "beta.kubernetes.io/arch": "amd64",
            "beta.kubernetes.io/os": "linux",
            "node.kubernetes.io/instance-type": "m8.2xlarge",
            "topology.kubernetes.io/region": "region-1",
            "topology.kubernetes.io/zone": "%zone%",
        },
    )


def _sick_node() -> Node:
    node = _node()
    node.kernel = UPDATED_KERNEL
    node.conditions["NetworkUnavailable"] = DOWN
    return node


def _stencil(node: Node) -> Stencil:
    thing = node.object()
    thing["spec"] |= {"podCIDR": "", "providerID": "cloud:///region-1/%zone%/%machine%"}
    thing["status"]["nodeInfo"] |= {"machineID": "%machine%", "systemUUID": "%uid%", "bootID": "%uid%"}
    thing["status"]["images"] = [_image(number) for number in range(IMAGES)]
    return Stencil(thing, ("kubeadm", "spec"), ("kubelet", "status"))


def _image(number: int) -> dict[str, Any]:
    name = f"registry.example.com/shop/service-{number:02}"
    return {"names": [f"{name}@sha256:{digest(name)}", f"{name}:2024.11.{number}"], "sizeBytes": 40_000_000 + number}
