"""One node: the object, and the kubelet that stands behind it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct, field

from tests.e2e.bed.kubelet import Kubelet
from tests.e2e.scenarios.moments import ago, written

CONDITIONS = {
    "MemoryPressure": ("False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    "DiskPressure": ("False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    "PIDPressure": ("False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    "NetworkUnavailable": ("False", "CalicoIsUp", "Calico is running on this node"),
    "Ready": ("True", "KubeletReady", "kubelet is posting ready status"),
}
SIZE = {"cpu": "8", "memory": "32781212Ki", "ephemeral-storage": "102626232Ki", "pods": "110"}
GIGABYTE = 1 << 30


class Node(Struct):
    """A machine of the cluster, well unless it is told otherwise."""

    name: str
    address: str
    version: str
    role: str = ""
    created: datetime = field(default_factory=lambda: ago(days=48))
    annotations: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    taints: list[dict[str, str]] = field(default_factory=list)
    conditions: dict[str, tuple[str, str, str]] = field(default_factory=lambda: dict(CONDITIONS))
    changed: datetime = field(default_factory=lambda: ago(days=21))
    """When its conditions last changed."""
    kernel: str = "6.1.0-28-amd64"
    runtime: str = "containerd://1.7.24"
    kubelet: Kubelet = field(default_factory=lambda: Kubelet(""))

    def __post_init__(self) -> None:
        self.kubelet = Kubelet(self.name, configuration=_configuration(), statistics=_statistics(self.name))

    def stop_posting(self, *, since: datetime) -> None:
        """Its kubelet is not heard of any more, so the controllers call it unknown and taint it."""
        told = ("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
        self.conditions |= {kind: told for kind in CONDITIONS if kind != "NetworkUnavailable"}
        self.changed = since
        self.kubelet.reach = "refused"
        unreachable = "node.kubernetes.io/unreachable"
        self.taints += [{"key": unreachable, "effect": effect} for effect in ("NoSchedule", "NoExecute")]

    def not_ready(self, message: str, *, since: datetime) -> None:
        """The kubelet itself says that it cannot run pods."""
        self.conditions["Ready"] = ("False", "KubeletNotReady", message)
        self.changed = since
        self.taints += [
            {"key": "node.kubernetes.io/not-ready", "effect": effect} for effect in ("NoSchedule", "NoExecute")
        ]

    def busy(self, cores: float, memory: float) -> None:
        """How much of its eight cores and 32 GB is in use."""
        used = self.kubelet.statistics["node"]
        used["cpu"]["usageNanoCores"] = int(cores * 10**9)
        used["memory"]["workingSetBytes"] = int(memory * GIGABYTE)
        used["memory"]["availableBytes"] = int((31.3 - memory) * GIGABYTE)

    def object(self) -> dict[str, Any]:
        """As it is sent to the API server."""
        labels = {"kubernetes.io/hostname": self.name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
        if self.role:
            labels[f"node-role.kubernetes.io/{self.role}"] = ""
        metadata = {
            "name": self.name,
            "labels": labels | self.labels,
            "annotations": self.annotations,
            "creationTimestamp": written(self.created),
        }
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": metadata,
            "spec": {"taints": self.taints},
            "status": self._status(),
        }

    def _status(self) -> dict[str, Any]:
        info = {
            "kernelVersion": self.kernel,
            "osImage": "Debian GNU/Linux 12 (bookworm)",
            "containerRuntimeVersion": self.runtime,
            "kubeletVersion": self.version,
            "kubeProxyVersion": "",
            "operatingSystem": "linux",
            "architecture": "amd64",
            "machineID": "",
            "systemUUID": "",
            "bootID": "",
        }
        beats = {"lastHeartbeatTime": written(ago(seconds=50)), "lastTransitionTime": written(self.changed)}
        return {
            "capacity": SIZE,
            "allocatable": SIZE,
            "addresses": [{"type": "InternalIP", "address": self.address}, {"type": "Hostname", "address": self.name}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "nodeInfo": info,
            "conditions": [
                beats | {"type": kind, "status": status, "reason": reason, "message": message}
                for kind, (status, reason, message) in self.conditions.items()
            ],
        }


def _configuration() -> dict[str, Any]:
    """A kubelet as kubeadm sets it up, of its settings those that bear on Calico."""
    return {
        "kind": "KubeletConfiguration",
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "cgroupDriver": "systemd",
        "clusterDNS": ["10.96.0.10"],
        "clusterDomain": "cluster.local",
        "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
        "failSwapOn": True,
        "maxPods": 110,
        "podCIDR": "",
        "rotateCertificates": True,
        "staticPodPath": "/etc/kubernetes/manifests",
    }


def _statistics(name: str) -> dict[str, Any]:
    """A machine with little to do."""
    now = written(ago(seconds=12))
    return {
        "node": {
            "nodeName": name,
            "startTime": written(ago(days=21)),
            "cpu": {"time": now, "usageNanoCores": 412_000_000, "usageCoreNanoSeconds": 91_482_113_000_000},
            "memory": {
                "time": now,
                "availableBytes": 27 * GIGABYTE,
                "usageBytes": 9 * GIGABYTE,
                "workingSetBytes": 4 * GIGABYTE,
                "rssBytes": 3 * GIGABYTE,
            },
            "fs": {
                "time": now,
                "availableBytes": 71 * GIGABYTE,
                "capacityBytes": 98 * GIGABYTE,
                "usedBytes": 22 * GIGABYTE,
                "inodesFree": 6_201_118,
                "inodes": 6_553_600,
            },
            "rlimit": {"time": now, "maxpid": 4_194_304, "curproc": 431},
        },
        "pods": [],
    }
