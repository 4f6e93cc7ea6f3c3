"""A whole cluster on paper: nodes, workloads with their pods, events, and whatever else the API server should hold."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import datetime
from ipaddress import IPv4Network
from typing import Any

from msgspec import Struct, field

from tests.e2e.bed.kubelet import Kubelet
from tests.e2e.kinds import CALICO, CALICO_API
from tests.e2e.scenarios.address_books import Lease, books
from tests.e2e.scenarios.events import event
from tests.e2e.scenarios.moments import ago, written
from tests.e2e.scenarios.names import pod_name
from tests.e2e.scenarios.node import Node
from tests.e2e.scenarios.pod import Pod


class Cluster(Struct):
    """Everything of it; `objects` is what is sent to the API server."""

    nodes: dict[str, Node] = field(default_factory=dict)
    workloads: dict[str, dict[str, Any]] = field(default_factory=dict)
    """DaemonSets and Deployments by name."""
    pods: list[Pod] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    blocks: dict[str, IPv4Network] = field(default_factory=dict)
    """The addresses that each node may give to its pods."""
    definitions: tuple[str, ...] = (CALICO,)
    """Groups of custom resources that the cluster serves."""
    controlled: tuple[str, ...] = ()
    """Workloads whose pods are not put in: a controller makes them."""

    def launch(self, workload: dict[str, Any], node: Node, address: str | None = None) -> Pod:
        """A pod of the workload on this node; it has yet to start."""
        about = workload["metadata"]
        self.workloads[about["name"]] = workload
        owner, name = pod_name(workload, node.name)
        pod = Pod(about["namespace"], name, node.name, node.address, workload["spec"]["template"], owner, address)
        self.pods.append(pod)
        return pod

    def lease(self, node: str) -> str | None:
        """The next free address for a pod: of the node's own block, else of another's."""
        taken = {pod.address for pod in self.pods}
        own = [network for owner, network in self.blocks.items() if owner == node]
        free = (str(host) for network in [*own, *self.blocks.values()] for host in list(network)[1:])
        return next((address for address in free if address not in taken), None)

    def pod(self, workload: str, node: str | None = None) -> Pod:
        """The pod of a workload, on this node where it has several."""
        return next(pod for pod in self.pods_of(workload) if node in {None, pod.node})

    def pods_of(self, workload: str) -> list[Pod]:
        """All pods of a workload, or of a kind of static pod."""
        template = self.workloads[workload]["spec"]["template"]
        return [pod for pod in self.pods if pod.template is template]

    def remove(self, workload: str) -> None:
        """Takes away all pods of a workload."""
        gone = self.pods_of(workload)
        self.pods = [pod for pod in self.pods if pod not in gone]

    def agent(self, node: str) -> Pod:
        """calico-node of this node."""
        return self.pod("calico-node", node)

    def environment(self, **variables: str) -> None:
        """Settings of calico-node, as its DaemonSet has them; an empty one is taken out."""
        container = self.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]
        kept = [entry for entry in container["env"] if entry["name"] not in variables]
        container["env"] = kept + [{"name": name, "value": value} for name, value in variables.items() if value]

    def happened(
        self,
        subject: Pod | Node | dict[str, Any],
        reason: str,
        message: str,
        *,
        times: int = 1,
        last: datetime | None = None,
    ) -> None:
        """An event; what is named after a success is a normal one."""
        about = subject if isinstance(subject, dict) else subject.object()
        self.events.append(event(about, reason, message, times, last or ago(minutes=1), len(self.events)))

    def custom(self, name: str, kind: str | None = None) -> dict[str, Any]:
        """One of the objects beside pods and nodes, to be changed."""
        return next(
            other for other in self.others if other["metadata"]["name"] == name and kind in {None, other["kind"]}
        )

    def objects(self) -> Iterator[dict[str, Any]]:
        """Everything, namespaces first."""
        places = {pod.namespace for pod in self.pods}
        places |= {other["metadata"]["namespace"] for other in self.others if "namespace" in other["metadata"]}
        places |= {workload["metadata"]["namespace"] for workload in self.workloads.values()}
        for place in sorted(places - {"default", "kube-system", "kube-public"}):
            yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": place}}
        yield from (node.object() for node in self.nodes.values())
        made = [pod.name for name in self.controlled for pod in self.pods_of(name)]
        yield from (pod.object() for pod in self.pods if pod.name not in made)
        for workload in self.workloads.values():
            if workload["kind"] != "Pod":
                yield self._with_status(workload)
        yield from self.others
        leases = [Lease(pod.address, pod.node, pod.namespace, pod.name) for pod in self.pods if pod.address]
        group = next((group for group in self.definitions if group.endswith(CALICO_API)), None)
        yield from books(self.blocks, leases, group) if group else ()
        yield from self.events

    def _with_status(self, workload: dict[str, Any]) -> dict[str, Any]:
        """What its controller would report of the pods there are."""
        pods = self.pods_of(workload["metadata"]["name"])
        ready = sum(pod.ready for pod in pods)
        counts: dict[str, Any] = {"observedGeneration": 1}
        if workload["kind"] == "DaemonSet":
            counts |= {"currentNumberScheduled": len(pods), "desiredNumberScheduled": len(pods), "numberReady": ready}
            counts |= {"numberAvailable": ready, "numberUnavailable": len(pods) - ready, "numberMisscheduled": 0}
            counts |= {"updatedNumberScheduled": len(pods)}
        else:
            counts |= {"replicas": len(pods), "readyReplicas": ready, "availableReplicas": ready}
            counts |= {"updatedReplicas": len(pods), "unavailableReplicas": len(pods) - ready}
        described = copy.deepcopy(workload)
        described["metadata"].setdefault("creationTimestamp", written(ago(days=48)))
        return described | {"status": counts | workload.get("status", {})}

    def kubelets(self) -> dict[str, Kubelet]:
        """By the address of their node, with the pods and logs they hold."""
        for node in self.nodes.values():
            held = [pod for pod in self.pods if pod.node == node.name]
            node.kubelet.pods = {(pod.namespace, pod.name): pod.object() for pod in held}
            node.kubelet.logs = {run: log for pod in held for run, log in pod.logs().items()}
        return {node.address: node.kubelet for node in self.nodes.values()}
