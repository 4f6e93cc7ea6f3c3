"""What is done to a cluster of the lab, step by step, as a row of the table says it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Any

from tests.lab.calico.cluster import NODES, Cluster

Step = dict[str, Any]


def take_step(cluster: Cluster, step: Step) -> None:
    """A step is one of those below, by its first key."""
    KINDS[next(iter(step))](cluster, step)


def _at(cluster: Cluster, step: Step) -> None:
    """`at: NODE, run: SHELL`: as root on a node, or on all."""
    for node in NODES if step["at"] == "all" else (step["at"],):
        cluster.machine(node).run("sh", "-c", step["run"])


def _kubectl(cluster: Cluster, step: Step) -> None:
    """`kubectl: ARGUMENTS`; what stands behind -p is one argument."""
    arguments, _, patch = step["kubectl"].partition(" -p ")
    cluster.plane.kubectl(*arguments.split(), *(["-p", patch] if patch else []))


def _apply(cluster: Cluster, step: Step) -> None:
    """`apply: YAML`."""
    cluster.plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", text=step["apply"])


def _restart(cluster: Cluster, step: Step) -> None:
    """`restart: NODE`: its pod of a DaemonSet is replaced."""
    for node in NODES if step["restart"] == "all" else (step["restart"],):
        cluster.restart(node, step.get("daemonset", "calico-node"))


def _stop(cluster: Cluster, step: Step) -> None:
    """`stop: NODE`: its pod of a DaemonSet goes and none comes."""
    daemonset = step.get("daemonset", "calico-node")
    kubelet = cluster.kubelets[step["stop"]]
    for pod in [pod for pod in kubelet.pods if pod.name.startswith(f"{daemonset}-")]:
        kubelet.remove(pod.name)
        cluster.plane.client.send(
            "DELETE", f"/api/v1/namespaces/{pod.namespace}/pods/{pod.name}", {"gracePeriodSeconds": 0}
        )


def _pod(cluster: Cluster, step: Step) -> None:
    """`pod: NODE`: one more workload there."""
    cluster.add_workload(step["pod"], step.get("name", "job"), step.get("annotations"))


def _here(cluster: Cluster, step: Step) -> None:
    """`here: SHELL`: on the switch, where the API server runs too."""
    subprocess.run(["sh", "-c", step["here"]], check=True, timeout=60)


def _lose(cluster: Cluster, step: Step) -> None:
    """`lose: NODE`: its kubelet says no more, and the node's controller notices."""
    kubelet = cluster.kubelets[step["lose"]]
    kubelet.posts = False
    if step.get("port", True):
        kubelet.server.shutdown()
        kubelet.server.server_close()
    unknown = {"status": "Unknown", "reason": "NodeStatusUnknown", "message": "Kubelet stopped posting node status."}
    conditions = [{"type": "Ready", "lastTransitionTime": "2026-01-01T00:00:00Z", **unknown}]
    strategic = "application/strategic-merge-patch+json"
    cluster.plane.client.send(
        "PATCH", f"/api/v1/nodes/{step['lose']}/status", {"status": {"conditions": conditions}}, strategic
    )


def _kill(cluster: Cluster, step: Step) -> None:
    """`kill: etcd` or `kill: apiserver`."""
    if step["kill"] == "etcd":
        cluster.plane.etcd.close()
    else:
        cluster.plane.program.kill()


def _ready(cluster: Cluster, step: Step) -> None:
    """`ready: all`: waits until everything is well."""
    cluster.until_ready()


def _sleep(cluster: Cluster, step: Step) -> None:
    """`sleep: SECONDS`."""
    time.sleep(step["sleep"])


def _account(cluster: Cluster, step: Step) -> None:
    """`account: NODE, run: SHELL`: in the folder with the token of its calico-node, `$stranger` a foreign authority's file."""
    machine = cluster.machine(step["account"])
    [pod] = [pod for pod in cluster.kubelets[step["account"]].pods if pod.name.startswith("calico-node-")]
    machine.write("/tmp/stranger.crt", cluster.plane.certificates.stranger.read_text("utf-8"))
    machine.run("sh", "-c", f"cd /var/lib/kubelet/pods/{pod.uid}/volumes/token && {step['run']}")


KINDS: dict[str, Callable[[Cluster, Step], None]] = {
    "at": _at,
    "kubectl": _kubectl,
    "apply": _apply,
    "restart": _restart,
    "stop": _stop,
    "pod": _pod,
    "here": _here,
    "lose": _lose,
    "kill": _kill,
    "ready": _ready,
    "sleep": _sleep,
    "account": _account,
}
