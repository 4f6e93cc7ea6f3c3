"""Signs in the container runtime: its service, its directories, and pods that it or systemd ends."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import HealthReport
from calivet.facts.fact import Note, Setting
from calivet.facts.host import Unit
from calivet.facts.kubernetes import Event, Node, Pod
from calivet.facts.picture import Picture
from calivet.facts.roles import role_of_name
from calivet.signs.sighting import Sighting

_RUNTIMES = ("containerd", "docker", "crio", "cri-docker", "cri-dockerd", "k3s", "rke2-agent")
_FAILED = ("failed", "activating")
# Where Calico's manifests install, and the distributions that are told to install elsewhere.
_CNI_DIRECTORIES = (
    "/opt/cni/bin",
    "/etc/cni/net.d",
    "/var/snap/",
    "/var/lib/rancher",
    "/var/lib/cni",
    "/home/kubernetes",
)
_HOST_NETWORK = ("calico-node", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")
_RESTARTS = expression(r"重启|CrashLoopBackOff|restart(?:s|ed|ing)?\b", re.IGNORECASE)
OFTEN = 5
MANY_RESTARTS = 8


def runtime_unit_down(picture: Picture) -> Iterator[Sighting]:
    """The service of the runtime failed, or the runtime that the node reports is stopped."""
    in_use = {node.name: (node.runtime or "").split("://")[0] for node in picture.all(Node) if node.runtime}
    for unit in picture.all(Unit):
        node = picture.names.node(unit.host) or unit.host
        needed = in_use.get(str(node), "").replace("cri-o", "crio")
        stopped = unit.active == "inactive" and needed.startswith(unit.name)
        if unit.name in _RUNTIMES and (unit.active in _FAILED or stopped):
            values = {"unit": unit.name, "state": f"{unit.active} ({unit.sub})" if unit.sub else str(unit.active)}
            yield Sighting(line=unit.at, node=node, values=values)


def runtime_process_stopped(picture: Picture) -> Iterator[Sighting]:
    """The process of the runtime was stopped by a signal: it holds its socket and does nothing."""
    for setting in picture.all(Setting):
        if setting.program in _RUNTIMES and (setting.key, setting.value) == ("state", "T"):
            node = picture.names.node(setting.host) or setting.host
            yield Sighting(line=setting.at, node=node, values={"program": setting.program})


def host_pod_sandbox_changed_often(picture: Picture) -> Iterator[Sighting]:
    """The sandbox of a host-network pod is replaced again and again, and no network plugin can be blamed for it."""
    for event in picture.all(Event):
        if event.reason == "SandboxChanged" and event.count >= OFTEN and _of_host_network(event):
            node = event.node or picture.node_of_pod(event.object)
            values = {"pod": event.object or "calico-node", "count": str(event.count)}
            yield Sighting(line=event.at, node=node, values=values, count=event.count)


def node_pods_all_restart(picture: Picture) -> Iterator[Sighting]:
    """calico-node and kube-proxy of one node restart alike: what ends them is not Calico's."""
    latest: dict[str, dict[str, Pod]] = defaultdict(dict)
    for pod in picture.all(Pod):
        if pod.node and picture.role(pod) in _HOST_NETWORK:
            latest[pod.node][picture.role(pod)] = pod
    for node, pods in latest.items():
        restless = {kind: pod for kind, pod in pods.items() if (pod.restarts or 0) >= MANY_RESTARTS}
        if "calico-node" in restless and len(restless) > 1:
            others = [pod.name for kind, pod in restless.items() if kind != "calico-node"]
            values = {"node": node, "pods": ", ".join(others)}
            yield Sighting(line=restless["calico-node"].at, node=node, values=values)


def cni_directory_differs(picture: Picture) -> Iterator[Sighting]:
    """The runtime looks for CNI files where Calico does not install."""
    for setting in picture.all(Setting):
        directory = str(setting.value)
        wanted = setting.program in ("containerd", "crio") and setting.key in ("bin_dir", "conf_dir", "network_dir")
        if wanted and directory.startswith("/") and not directory.rstrip("/").startswith(_CNI_DIRECTORIES):
            node = picture.names.node(setting.host) or setting.host
            yield Sighting(line=setting.at, node=node, values={"directory": directory})


def healthy_though_restarts_told(picture: Picture) -> Iterator[Sighting]:
    """Felix reports live and ready where the author speaks of a pod that keeps restarting."""
    told = any(_RESTARTS.search(note.text) for note in picture.all(Note))
    for report in picture.all(HealthReport):
        if told and report.component is None and report.live and report.ready:
            yield Sighting(line=report.at, node=picture.names.node(report.host) or report.host)


def _of_host_network(event: Event) -> bool:
    """Whether the event is of a host-network pod; one without an object stands under the pod that is described."""
    return event.object is None or role_of_name(event.object) in _HOST_NETWORK


SIGNS = {
    "runtime-unit-down": runtime_unit_down,
    "runtime-process-stopped": runtime_process_stopped,
    "host-pod-sandbox-changed-often": host_pod_sandbox_changed_often,
    "healthy-though-restarts-told": healthy_though_restarts_told,
    "node-pods-all-restart": node_pods_all_restart,
    "cni-directory-differs": cni_directory_differs,
}
