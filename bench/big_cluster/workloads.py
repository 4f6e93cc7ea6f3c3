"""The pods: calico-node and kube-proxy on every node, the control plane, and a hundred thousand applications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from bench.big_cluster.addresses import (
    APPLICATIONS,
    NODES,
    SICK,
    application,
    digest,
    ending,
    node_address,
    node_name,
    pod_address,
    uid,
)
from bench.big_cluster.machines import VERSION
from bench.big_cluster.stencil import Stencil
from tests.e2e.scenarios.manifest import manifest
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.names import pod_name
from tests.e2e.scenarios.pod import Pod

CALICO = "v3.29.1"
DAEMONS = [manifest("calico-node", calico=CALICO), manifest("kube-proxy", kubernetes=VERSION)]
FEW = [manifest("coredns"), manifest("calico-kube-controllers", namespace="kube-system", calico=CALICO)]
APPLICATION = yaml.safe_load(Path(__file__).with_name("application.yaml").read_text("utf-8"))

NO_SETS = r"""
[INFO][42] felix/driver.go 85: Using internal (linux) dataplane driver.
[ERROR][42] felix/ipsets.go 569: Bad return code from ipset. stderr="ipset v7.11: Cannot open session to kernel.\n"
[ERROR][42] felix/ipsets.go 272: Failed to load IP sets from dataplane, retrying. family="inet"
[PANIC][42] felix/ipsets.go 288: Failed to load IP sets from dataplane after retries. family="inet"
"""


def pods() -> Iterator[dict[str, Any]]:
    """All of them, node by node."""
    daemons = [(workload, _stencil(_typical(workload))) for workload in DAEMONS]
    few = [(workload, _stencil(_typical(workload))) for workload in FEW]
    ordinary = _stencil(_typical(APPLICATION))
    for number in range(NODES):
        for workload, stencil in daemons:
            if workload is not DAEMONS[0] or number not in SICK:
                yield _cut(stencil, workload, number)
        for place in range(APPLICATIONS):
            yield _cut_application(ordinary, number, place)
    yield from (_cut(stencil, workload, number) for number, (workload, stencil) in enumerate(few))
    yield from (_stencil(pod).cut(uid=uid(pod.name)) for pod in sick_pods())


def sick_pods() -> list[Pod]:
    """calico-node of the sick nodes, with its logs."""
    return [_sick_pod(number) for number in SICK]


def _sick_pod(number: int) -> Pod:
    pod = started(number)
    pod["calico-node"].crash(NO_SETS, times=31, code=137)
    return pod


def started(number: int) -> Pod:
    """calico-node of a node that is well."""
    workload, host = DAEMONS[0], node_address(number)
    owner, _ = pod_name(workload, "")
    pod = Pod("kube-system", _name(workload, number), node_name(number), host, workload["spec"]["template"], owner)
    pod.start()
    return pod


def _typical(workload: dict[str, Any]) -> Pod:
    """One pod that stands for all of this workload, with marks where they differ."""
    owner, _ = pod_name(workload, "")
    place = workload["metadata"]["namespace"]
    pod = Pod(place, "%pod%", "%node%", "%host%", workload["spec"]["template"], owner, "%address%", ago(days=9))
    pod.start()
    return pod


def _stencil(pod: Pod) -> Stencil:
    thing = pod.object()
    thing["spec"] |= {"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "schedulerName": "default-scheduler"}
    for status in thing["status"]["containerStatuses"]:
        if "running" in status["state"]:
            status["containerID"] = "containerd://%unique%"
    return Stencil(thing, ("kube-controller-manager", "spec"), ("kubelet", "status"))


def _cut(stencil: Stencil, workload: dict[str, Any], number: int) -> dict[str, Any]:
    name = _name(workload, number)
    place = {"node": node_name(number), "host": node_address(number), "address": pod_address(number, APPLICATIONS)}
    return stencil.cut(pod=name, **place, uid=uid(name), unique=digest(name))


def _name(workload: dict[str, Any], number: int) -> str:
    """As the controller of a DaemonSet gives it."""
    return f"{workload['metadata']['name']}-{ending(number)}"


def _cut_application(stencil: Stencil, number: int, place: int) -> dict[str, Any]:
    namespace, workload = application(number, place)
    replicas = digest(workload)[:10]
    name = f"{workload}-{replicas}-{ending(number * APPLICATIONS + place)}"
    return stencil.cut(
        pod=name,
        namespace=namespace,
        workload=workload,
        replicas=replicas,
        node=node_name(number),
        host=node_address(number),
        address=pod_address(number, place),
        uid=uid(namespace, name),
        unique=digest(namespace, name),
    )
