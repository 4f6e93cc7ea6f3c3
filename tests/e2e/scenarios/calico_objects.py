"""Calico's own resources, as a healthy cluster has them."""

from __future__ import annotations

from typing import Any

from tests.e2e.kinds import CALICO, VERSIONS

POOL = "10.244.0.0/16"


def resource(kind: str, name: str, group: str = CALICO, **spec: Any) -> dict[str, Any]:
    """Any resource of Calico's."""
    return {"apiVersion": f"{group}/{VERSIONS[group]}", "kind": kind, "metadata": {"name": name}, "spec": spec}


def pool(name: str = "default-ipv4-ippool", cidr: str = POOL, group: str = CALICO, **spec: Any) -> dict[str, Any]:
    """A pool as calico-node makes it at its first start."""
    usual = {
        "cidr": cidr,
        "blockSize": max(26, int(cidr.rpartition("/")[2])),
        "ipipMode": "Always",
        "vxlanMode": "Never",
        "natOutgoing": True,
        "nodeSelector": "all()",
        "allowedUses": ["Workload", "Tunnel"],
    }
    return resource("IPPool", name, group, **(usual | spec))


def settings(version: str, group: str = CALICO) -> list[dict[str, Any]]:
    """What calico-node writes about the cluster."""
    return [
        resource(
            "ClusterInformation",
            "default",
            group,
            calicoVersion=version,
            clusterGUID="0d2f1cf8a1b94d3b9f6b51e5b6d6a4a1",
            clusterType="k8s,bgp,kubeadm,kdd",
            datastoreReady=True,
        ),
        resource("FelixConfiguration", "default", group, bpfConnectTimeLoadBalancing="TCP", floatingIPs="Disabled"),
        resource("KubeControllersConfiguration", "default", group, controllers={"node": {"leakGracePeriod": "15m0s"}}),
    ]
