"""Three nodes with real Calico: machines of namespaces on one bridge, a real API server, kube-proxy, pods by CNI.

Runs inside a network namespace of the calling process's own (`__main__` sees to that): the bridge, the API server and
whoever asks it are there.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from tests.e2e.bed.client import RequestError
from tests.e2e.bed.kubeconfig import token_user, write_kubeconfig
from tests.lab import containerd
from tests.lab.calico.container import CGROUPS
from tests.lab.calico.control_plane import PROXY, URL, ControlPlane
from tests.lab.calico.images import Images
from tests.lab.calico.kubelet import Kubelet
from tests.lab.calico.pod import Json, Pod, stamp
from tests.lab.machine import Machine
from tests.lab.node import KUBELET, SETTINGS
from tests.lab.plan import GATEWAY

NODES = {"n1": "172.29.40.11", "n2": "172.29.40.12", "n3": "172.29.40.13"}
POD_RANGE = "10.244.0.0/16"
CODES = {"n1": "4mzq7", "n2": "8xk2v", "n3": "c9t5w"}
ABSENT = "j6r4d"
"""The code of a pod on a node that has no machine."""
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "bgp": {"CALICO_IPV4POOL_IPIP": "Never", "CALICO_IPV4POOL_VXLAN": "Never"},
    "vxlan": {"CALICO_IPV4POOL_IPIP": "Never", "CALICO_IPV4POOL_VXLAN": "Always", "CLUSTER_TYPE": "k8s"},
    "ipip": {"CALICO_IPV4POOL_IPIP": "Always"},
}
PATIENCE = 400.0
DAEMONSETS = ("kube-proxy", "calico-node")
MADE_FROM = "controller-revision-hash"
"""The label of a pod that says which template of its DaemonSet it was made from."""


class Cluster:
    """Runs while its `with` block does; `prepare` is called with it before anything of Calico's starts."""

    def __init__(self, images: Images, components: Path, kind: str = "bgp") -> None:
        self.images, self.kind = images, kind
        self.started = time.monotonic()
        self._absent: set[str] = set()
        """Nodes without a machine that have their pods already."""
        with ExitStack() as closing:
            closing.callback(_remove_cgroups)
            _wire(f"link set lo up\nlink add br0 type bridge\nlink set br0 up\naddress add {GATEWAY}/24 dev br0\n")
            self.plane = ControlPlane(components)
            closing.callback(self.plane.close)
            self.kubelets: dict[str, Kubelet] = {}
            for name, address in NODES.items():
                machine = Machine(name, images.folder)
                closing.callback(machine.close)
                self._set_up(machine, address)
                self.kubelets[name] = Kubelet(machine, address, self.plane)
                closing.callback(self.kubelets[name].close)
            self._closing = closing.pop_all()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *failure: object) -> None:
        self._closing.close()

    def machine(self, name: str) -> Machine:
        """One of the nodes."""
        return self.kubelets[name].machine

    def install(self) -> None:
        """Creates the nodes and what Calico's manifest holds, with settings that fit the lab."""
        for name, address in NODES.items():
            self.plane.create(_node(name, address))
            status = {"status": _node_status(name, address)}
            self.plane.client.send("PATCH", f"/api/v1/nodes/{name}/status", status, "application/merge-patch+json")
        for item in (*self.images.objects(), _kubeadm(), _proxy()):
            if item["kind"] == "DaemonSet" and item["metadata"]["name"] == "calico-node":
                self._adapt(item)
            if item["kind"] == "ConfigMap" and item["metadata"]["name"] == "calico-config" and self.kind == "vxlan":
                item["data"]["calico_backend"] = "vxlan"
            self.plane.create(item)
        self._wait(lambda: bool(self.plane.client.get("/apis/crd.projectcalico.org/v1/ippools")), "Calico's resources")

    def start(self, nodes: Sequence[str] = tuple(NODES)) -> None:
        """Schedules kube-proxy and Calico to nodes, and has their kubelets run them; workloads come later, as they do."""
        for name in nodes:
            for daemonset in DAEMONSETS:
                self.kubelets[name].add(self.plane.create(self._pod_of(daemonset, name)))
            self.kubelets[name].start()
        self.count_daemonsets()

    def add_workload(self, node: str, name: str = "web", annotations: dict[str, str] | None = None) -> None:
        """A pod with a network of its own."""
        head = {
            "name": f"{name}-{node}",
            "namespace": "default",
            "labels": {"app": name},
            "annotations": annotations or {},
        }
        pause = {"name": "web", "image": "example.test/web:1", "command": ["sleep", "1000000"]}
        spec = {"nodeName": node, "containers": [pause], "automountServiceAccountToken": False}
        self.kubelets[node].add(self.plane.create({"apiVersion": "v1", "kind": "Pod", "metadata": head, "spec": spec}))

    def restart(self, node: str, daemonset: str = "calico-node") -> None:
        """Replaces a pod by one from the DaemonSet as it is now, as a rollout does; starts one where none is."""
        old = f"{daemonset}-{CODES[node]}"
        if any(pod.name == old for pod in self.kubelets[node].pods):
            self.kubelets[node].remove(old)
            place = f"/api/v1/namespaces/kube-system/pods/{old}"
            self.plane.client.send("DELETE", place, {"gracePeriodSeconds": 0})
        self.kubelets[node].add(self.plane.create(self._pod_of(daemonset, node)))

    def is_ready(self, node: str) -> bool:
        """Whether every pod of a node is ready."""
        with self.kubelets[node].lock:
            return all(pod.sandbox and all(each.ready for each in pod.mains) for pod in self.kubelets[node].pods)

    def until_ready(self, nodes: Sequence[str] = tuple(NODES)) -> None:
        """Waits for all pods of these nodes."""
        self._wait(lambda: all(map(self.is_ready, nodes)), f"ready pods on {', '.join(nodes)}")

    def count_daemonsets(self) -> None:
        """Writes the DaemonSets' status, as their controller would, and schedules to nodes that are not there."""
        for name in DAEMONSETS:
            place = f"/apis/apps/v1/namespaces/kube-system/daemonsets/{name}"
            found = self.plane.client.get(place)
            wanted = self._wanted_on(found)
            absent = [node for node in wanted if node not in self.kubelets and node not in self._absent]
            for node in absent:
                self.plane.create(self._pod_of(name, node))
            pods = [
                pod
                for kubelet in self.kubelets.values()
                for pod in kubelet.pods
                if pod.name.startswith(f"{name}-") and pod.namespace == "kube-system"
            ]
            status = count_pods(found, pods, len(wanted), len(wanted - self.kubelets.keys()))
            self.plane.client.send("PATCH", f"{place}/status", {"status": status}, "application/merge-patch+json")
        self._absent |= self._wanted_on({}) - self.kubelets.keys()

    def _wanted_on(self, daemonset: Json) -> set[str]:
        """The nodes that its selector wants a pod on."""
        selector = daemonset.get("spec", {}).get("template", {}).get("spec", {}).get("nodeSelector", {})
        nodes = [node["metadata"] for node in self.plane.client.get("/api/v1/nodes")["items"]]
        return {node["name"] for node in nodes if selector.items() <= node.get("labels", {}).items()}

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(RequestError):
                if holds():
                    return
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: in vain\n{self.last_words()}")
            time.sleep(0.3)

    def last_words(self) -> str:
        """The ends of the logs of all containers, for whoever wonders why nothing comes up."""
        parts = []
        for name, kubelet in self.kubelets.items():
            for file in sorted(kubelet.machine.file("/var/log/pods").glob("*/*/*.log")):
                lines = file.read_text("utf-8", "replace").splitlines()[-8:]
                parts.append(
                    "\n".join([f"--- {name} {file.parent.parent.name} {file.parent.name}/{file.name}", *lines])
                )
        return "\n".join(parts)

    def _set_up(self, machine: Machine, address: str) -> None:
        _wire(
            f"link add {machine.name}-0 type veth peer name eth0 netns {machine.pid}\n"
            f"link set {machine.name}-0 master br0 up\n"
        )
        machine.wire(f"address add {address}/24 dev eth0\nlink set eth0 up\nroute add default via {GATEWAY}\n")
        machine.run("sysctl", "-q", "-w", *SETTINGS)
        machine.write(
            KUBELET, "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: systemd\n"
        )
        for folder in ("/opt/cni/bin", "/etc/cni/net.d", "/var/log/calico/cni", "/run/netns"):
            machine.file(folder).mkdir(parents=True, exist_ok=True)
        containerd.start(machine, "systemd")
        file = self.plane.folder / "proxy.kubeconfig"
        write_kubeconfig(file, URL, self.plane.certificates.ca, token_user(PROXY.token))
        machine.write("/var/lib/kube-proxy/kubeconfig", file.read_text("utf-8"))

    def _adapt(self, daemonset: Json) -> None:
        """The pool's range and encapsulation; without BIRD no probe asks for it."""
        spec = daemonset["spec"]["template"]["spec"]
        [container] = spec["containers"]
        wanted = ENVIRONMENTS[self.kind] | {"CALICO_IPV4POOL_CIDR": POD_RANGE}
        container["env"] = [entry for entry in container["env"] if entry["name"] not in wanted]
        container["env"] += [{"name": name, "value": value} for name, value in wanted.items()]
        if self.kind == "vxlan":
            for probe in ("readinessProbe", "livenessProbe"):
                command = container[probe]["exec"]["command"]
                container[probe]["exec"]["command"] = [word for word in command if not word.startswith("-bird")]

    def _pod_of(self, daemonset: str, node: str) -> Json:
        found = self.plane.client.get(f"/apis/apps/v1/namespaces/kube-system/daemonsets/{daemonset}")
        template = found["spec"]["template"]
        owner = {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "name": daemonset,
            "uid": found["metadata"]["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }
        head = template["metadata"] | {
            "name": f"{daemonset}-{CODES.get(node, ABSENT)}",
            "namespace": "kube-system",
            "labels": template["metadata"].get("labels", {}) | {MADE_FROM: name_revision(template)},
            "ownerReferences": [owner],
        }
        return {"apiVersion": "v1", "kind": "Pod", "metadata": head, "spec": template["spec"] | {"nodeName": node}}


def name_revision(template: Json) -> str:
    """What the label of a pod says that was made from this template."""
    return hashlib.sha256(json.dumps(template, sort_keys=True).encode()).hexdigest()[:10]


def count_pods(daemonset: Json, pods: Sequence[Pod], wanted: int, elsewhere: int) -> Json:
    """The status of a DaemonSet with these pods, and others on nodes that nobody hears of."""
    ready = sum(all(each.ready for each in pod.mains) for pod in pods)
    revision = name_revision(daemonset["spec"]["template"])
    return {
        "desiredNumberScheduled": wanted,
        "currentNumberScheduled": len(pods) + elsewhere,
        "numberReady": ready,
        "numberAvailable": ready,
        "numberUnavailable": wanted - ready,
        "numberMisscheduled": 0,
        "updatedNumberScheduled": sum(pod.object["metadata"]["labels"][MADE_FROM] == revision for pod in pods),
        "observedGeneration": daemonset["metadata"]["generation"],
    }


def _wire(commands: str) -> None:
    subprocess.run(["ip", "-batch", "-"], input=commands, text=True, check=True, capture_output=True)


def _remove_cgroups() -> None:
    import os

    for top in CGROUPS:
        folder = top / f"calivet-lab-{os.getpid()}"
        if folder.exists():
            for path in sorted(folder.rglob("*"), reverse=True):
                with suppress(OSError):
                    if path.is_dir():
                        path.rmdir()
            with suppress(OSError):
                folder.rmdir()


def _node(name: str, address: str) -> Json:
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    number = int(address.rpartition(".")[2])
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"podCIDR": f"10.244.{number}.0/24", "podCIDRs": [f"10.244.{number}.0/24"]},
    }


def _node_status(name: str, address: str) -> Json:
    ready: dict[str, Any] = {
        "type": "Ready",
        "status": "False",
        "reason": "KubeletNotReady",
        "lastHeartbeatTime": stamp(),
        "lastTransitionTime": stamp(),
    }
    resources = {"cpu": "4", "memory": "16Gi", "pods": "110", "ephemeral-storage": "100Gi"}
    info = {
        "kernelVersion": "6.1.0-30-amd64",
        "osImage": "Debian GNU/Linux 12 (bookworm)",
        "containerRuntimeVersion": "containerd://1.7.27",
        "kubeletVersion": "v1.36.3",
        "kubeProxyVersion": "",
        "architecture": "amd64",
        "operatingSystem": "linux",
        "bootID": f"b-{name}",
        "machineID": f"m-{name}",
        "systemUUID": f"s-{name}",
    }
    addresses = [{"type": "InternalIP", "address": address}, {"type": "Hostname", "address": name}]
    return {
        "conditions": [ready],
        "addresses": addresses,
        "nodeInfo": info,
        "capacity": resources,
        "allocatable": resources,
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
    }


def _kubeadm() -> Json:
    text = f"kind: ClusterConfiguration\nkubernetesVersion: v1.36.3\nnetworking:\n  podSubnet: {POD_RANGE}\n  serviceSubnet: 10.96.0.0/12\n"
    head = {"name": "kubeadm-config", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": head, "data": {"ClusterConfiguration": text}}


def _proxy() -> Json:
    labels = {"k8s-app": "kube-proxy"}
    container = {
        "name": "kube-proxy",
        "image": "registry.k8s.io/kube-proxy:v1.36.3",
        "command": [
            "/usr/local/bin/kube-proxy",
            "--kubeconfig=/var/lib/kube-proxy/kubeconfig",
            f"--cluster-cidr={POD_RANGE}",
            "--proxy-mode=iptables",
            "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0",
            "--conntrack-tcp-timeout-close-wait=0",
        ],
        "volumeMounts": [{"name": "config", "mountPath": "/var/lib/kube-proxy"}],
        "securityContext": {"privileged": True},
    }
    spec = {
        "hostNetwork": True,
        "containers": [container],
        "volumes": [{"name": "config", "hostPath": {"path": "/var/lib/kube-proxy"}}],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "kube-proxy", "namespace": "kube-system"},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}},
    }
