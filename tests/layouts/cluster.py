"""One small cluster as the API server would show it, and what its machines and containers say: raw material for every layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]

DOMAIN = "grove.example"
ADDRESSES = {"larch": "10.31.7.11", "rowan": "10.31.7.12", "alder": "10.31.7.13"}
SUFFIXES = {"larch": "2kq8w", "rowan": "v7n4c", "alder": "x9b5d"}
IMAGE = "docker.io/calico/node:v3.27.3"
INIT_CONTAINERS = ("upgrade-ipam", "install-cni", "mount-bpffs")


def node_name(short: str) -> str:
    return f"{short}.{DOMAIN}"


def agent_name(short: str) -> str:
    return f"calico-node-{SUFFIXES[short]}"


@dataclass
class Machine:
    """What was collected on one machine."""

    short: str
    journals: dict[str, list[str]] = field(default_factory=dict)
    """Lines of journalctl by unit."""
    commands: dict[str, str] = field(default_factory=dict)
    """Output by command line."""
    files: dict[str, str] = field(default_factory=dict)
    """Content by absolute path."""


@dataclass
class Incident:
    """Everything that any collector might pick up."""

    namespace: str = "kube-system"
    nodes: list[Object] = field(default_factory=list)
    pods: list[Object] = field(default_factory=list)
    events: list[Object] = field(default_factory=list)
    daemonsets: list[Object] = field(default_factory=list)
    logs: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Lines by pod and container."""
    previous: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    machines: dict[str, Machine] = field(default_factory=dict)
    resources: dict[str, list[Object]] = field(default_factory=dict)
    """Calico's own resources by the plural name of their kind."""

    def pod(self, name: str) -> Object:
        return next(pod for pod in self.pods if pod["metadata"]["name"] == name)

    def node(self, short: str) -> Object:
        return next(node for node in self.nodes if node["metadata"]["name"] == node_name(short))


def node(short: str) -> Object:
    address = ADDRESSES[short]
    name = node_name(short)
    labels = {"beta.kubernetes.io/os": "linux", "kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
    if short == "larch":
        labels["node-role.kubernetes.io/control-plane"] = ""
        labels["node-role.kubernetes.io/master"] = ""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {
                "projectcalico.org/IPv4Address": f"{address}/24",
                "projectcalico.org/IPv4IPIPTunnelAddr": f"192.168.{address.rpartition('.')[2]}.64",
            },
            "creationTimestamp": "2025-02-03T08:00:00Z",
            "labels": labels,
            "name": name,
            "uid": f"11111111-2222-4333-8444-0000000000{address[-2:]}",
        },
        "spec": {"podCIDR": f"192.168.{address.rpartition('.')[2]}.0/24"},
        "status": {
            "addresses": [{"address": address, "type": "InternalIP"}, {"address": name, "type": "Hostname"}],
            "capacity": {"cpu": "8", "memory": "32658880Ki", "pods": "110"},
            "conditions": [
                condition("NetworkUnavailable", "False", "CalicoIsUp", "Calico is running on this node"),
                condition(
                    "MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"
                ),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
                condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
                condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
            ],
            "nodeInfo": {
                "architecture": "amd64",
                "containerRuntimeVersion": "containerd://1.7.13",
                "kernelVersion": "5.14.0-362.el9.x86_64",
                "kubeletVersion": "v1.28.8",
                "osImage": "Red Hat Enterprise Linux 9.3 (Plow)",
            },
        },
    }


def condition(kind: str, status: str, reason: str, message: str) -> Object:
    return {
        "lastHeartbeatTime": "2025-03-11T10:20:00Z",
        "lastTransitionTime": "2025-03-11T09:58:12Z",
        "message": message,
        "reason": reason,
        "status": status,
        "type": kind,
    }


def agent(short: str, namespace: str) -> Object:
    """The calico-node pod of a machine, in good health."""
    made = pod(agent_name(short), namespace, short, "calico-node", IMAGE, owner=("DaemonSet", "calico-node"))
    made["metadata"]["labels"] = {"controller-revision-hash": "7d8b6f5c9", "k8s-app": "calico-node"}
    made["spec"]["hostNetwork"] = True
    made["spec"]["initContainers"] = [{"image": IMAGE.replace("node", "cni"), "name": name} for name in INIT_CONTAINERS]
    made["spec"]["containers"][0]["env"] = [
        {"name": "DATASTORE_TYPE", "value": "kubernetes"},
        {"name": "CALICO_NETWORKING_BACKEND", "value": "bird"},
        {"name": "IP", "value": "autodetect"},
        {"name": "NODENAME", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "spec.nodeName"}}},
    ]
    made["spec"]["containers"][0]["livenessProbe"] = probe(["/bin/calico-node", "-felix-live", "-bird-live"], 6)
    made["spec"]["containers"][0]["readinessProbe"] = probe(["/bin/calico-node", "-felix-ready", "-bird-ready"], 3)
    made["status"]["podIP"] = made["status"]["hostIP"]
    made["status"]["initContainerStatuses"] = [
        {
            "image": IMAGE.replace("node", "cni"),
            "lastState": {},
            "name": name,
            "ready": True,
            "restartCount": 0,
            "state": {"terminated": {"exitCode": 0, "finishedAt": "2025-03-01T09:00:04Z", "reason": "Completed"}},
        }
        for name in INIT_CONTAINERS
    ]
    return made


def probe(command: list[str], failures: int) -> Object:
    return {"exec": {"command": command}, "failureThreshold": failures, "periodSeconds": 10, "timeoutSeconds": 10}


def pod(name: str, namespace: str, short: str, container: str, image: str, owner: tuple[str, str]) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "creationTimestamp": "2025-03-01T09:00:00Z",
            "labels": {"app": owner[1]},
            "managedFields": [{"apiVersion": "v1", "fieldsV1": {"f:status": {"f:phase": {}}}, "manager": "kubelet"}],
            "name": name,
            "namespace": namespace,
            "ownerReferences": [{"apiVersion": "apps/v1", "controller": True, "kind": owner[0], "name": owner[1]}],
        },
        "spec": {"containers": [{"image": image, "name": container}], "nodeName": node_name(short)},
        "status": {
            "conditions": [{"status": "True", "type": kind} for kind in ("Initialized", "Ready", "ContainersReady")],
            "containerStatuses": [
                {
                    "image": image,
                    "lastState": {},
                    "name": container,
                    "ready": True,
                    "restartCount": 0,
                    "started": True,
                    "state": {"running": {"startedAt": "2025-03-01T09:00:06Z"}},
                }
            ],
            "hostIP": ADDRESSES[short],
            "phase": "Running",
            "podIP": f"192.168.{ADDRESSES[short].rpartition('.')[2]}.66",
            "startTime": "2025-03-01T09:00:01Z",
        },
    }


def event(kind: str, name: str, namespace: str, reason: str, message: str, host: str, count: int = 1) -> Object:
    return {
        "apiVersion": "v1",
        "count": count,
        "firstTimestamp": "2025-03-11T09:58:12Z",
        "involvedObject": {"kind": kind, "name": name, "namespace": namespace},
        "kind": "Event",
        "lastTimestamp": "2025-03-11T10:20:30Z",
        "message": message,
        "metadata": {"name": f"{name}.17b{count:04x}", "namespace": namespace},
        "reason": reason,
        "source": {"component": "kubelet", "host": node_name(host)},
        "type": "Normal" if reason in ("Pulled", "Started", "Created") else "Warning",
    }


def daemonset(namespace: str, ready: int) -> Object:
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "calico-node", "namespace": namespace, "labels": {"k8s-app": "calico-node"}},
        "spec": {
            "selector": {"matchLabels": {"k8s-app": "calico-node"}},
            "template": {"spec": {"containers": [{"image": IMAGE, "name": "calico-node"}], "hostNetwork": True}},
        },
        "status": {
            "currentNumberScheduled": 3,
            "desiredNumberScheduled": 3,
            "numberAvailable": ready,
            "numberMisscheduled": 0,
            "numberReady": ready,
        },
    }
