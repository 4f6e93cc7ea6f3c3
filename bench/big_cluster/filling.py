"""Puts the cluster into etcd before an API server is started over it: through its API that would take an hour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from bench.big_cluster.addresses import NAMESPACES, NODES, POOL, SICK, node_address, node_name, uid
from bench.big_cluster.books import affinities, blocks, handles
from bench.big_cluster.events import events
from bench.big_cluster.machines import VERSION, nodes
from bench.big_cluster.workloads import CALICO, DAEMONS, FEW, pods, sick_pods, started
from tests.e2e.bed.apiserver import FLAGS, ApiServer
from tests.e2e.bed.bed import Bed
from tests.e2e.bed.kubelet import Kubelet
from tests.e2e.definitions import PATH, definitions
from tests.e2e.kinds import CALICO as CALICO_GROUP
from tests.e2e.kinds import kind_of
from tests.e2e.scenarios import calico_objects
from tests.e2e.scenarios.moments import ago, written
from tests.e2e.scenarios.node import Node

BATCH = 2_000


def start(bed: Bed) -> ApiServer:
    """An API server that holds the cluster in its own memory from the start, as one that has run for long."""
    for definition in definitions(CALICO_GROUP):
        bed.client.send("POST", PATH, definition)
    bed.apiserver.kill()
    fill(bed)
    # The tests want lists of nodes that come from etcd; a real API server has them in its memory like all others.
    FLAGS.pop("watch-cache-sizes", None)
    return bed.another_apiserver("large")


def fill(bed: Bed) -> None:
    """Everything, straight into etcd."""
    every = chain(namespaces(), workloads(), settings(), nodes(), pods(), affinities(), blocks(), handles(), events())
    while batch := list(islice(every, BATCH)):
        bed.etcd.write((kind_of(one).key(one), one) for one in batch)
    bed.kubelets.kubelets = kubelets()


def namespaces() -> Iterator[dict[str, Any]]:
    """Those of the applications."""
    for number in range(NAMESPACES):
        yield {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": f"team-{number:03}", "uid": uid("namespace", number)},
            "status": {"phase": "Active"},
        }


def workloads() -> Iterator[dict[str, Any]]:
    """The DaemonSets and Deployments of the machinery, with what their controllers would report."""
    for workload in (*DAEMONS, *FEW):
        name = workload["metadata"]["name"]
        about = {"uid": uid(name), "creationTimestamp": written(ago(days=48)), "generation": 1}
        yield {**workload, "metadata": {**workload["metadata"], **about}, "status": _status(workload)}


def _status(workload: dict[str, Any]) -> dict[str, int]:
    if workload["kind"] == "Deployment":
        return {
            "replicas": 1,
            "readyReplicas": 1,
            "availableReplicas": 1,
            "updatedReplicas": 1,
            "observedGeneration": 1,
        }
    sick = len(SICK) if workload is DAEMONS[0] else 0
    wanted = {"currentNumberScheduled": NODES, "desiredNumberScheduled": NODES, "updatedNumberScheduled": NODES}
    return wanted | {"numberReady": NODES - sick, "numberAvailable": NODES - sick, "observedGeneration": 1}


def settings() -> Iterable[dict[str, Any]]:
    """Calico's own."""
    return calico_objects.pool(cidr=POOL), *calico_objects.settings(CALICO)


def kubelets() -> dict[str, Kubelet]:
    """Every node's own, with its calico-node: calivet asks the sick ones and a healthy one of its choice."""
    sick = {pod.node: pod for pod in sick_pods()}
    found = {}
    for number in range(NODES):
        name, address = node_name(number), node_address(number)
        pod = sick.get(name) or started(number)
        found[address] = Node(name, address, VERSION).kubelet
        found[address].pods[pod.namespace, pod.name] = pod.object()
        found[address].logs |= pod.logs()
    return found
