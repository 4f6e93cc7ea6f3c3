"""All facts together, with the questions that signs and reasoning ask of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import TypeVar

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import LogSpan, NodeAddress
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Node, Pod
from calivet.facts.names import Names
from calivet.facts.roles import role, static_node

Kind = TypeVar("Kind", bound=Fact)

# Roles whose pods have their node's address.
HOST_NETWORK = ("calico-node", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")
_DONE = ("Completed", "Succeeded")


class Picture:
    """The cluster as the evidence shows it, in the order of the evidence."""

    def __init__(self, artifacts: list[Artifact], facts: Iterable[Fact]) -> None:
        """Index the facts by their type."""
        self.artifacts = artifacts
        self._by_type: dict[type[Fact], list[Fact]] = defaultdict(list)
        self._documents = {artifact.name: artifact.order for artifact in reversed(artifacts)}
        for fact in facts:
            self._by_type[type(fact)].append(fact)
        for found in self._by_type.values():
            found.sort(key=lambda fact: self.order(fact.at))

    def all(self, kind: type[Kind]) -> list[Kind]:
        """All facts of a type, in order of the evidence."""
        return self._by_type[kind]  # type: ignore[return-value]

    def order(self, line: Line) -> tuple[int, int]:
        """Where a line stands in the whole evidence: later is usually later in time."""
        return self._documents.get(line.artifact, 0), line.number

    @cached_property
    def names(self) -> Names:
        """The nodes that were seen, and all that they are called."""
        nodes = {node.name: None for node in self.all(Node)}
        told = [pod.node for pod in self.all(Pod)] + [address.node for address in self.all(NodeAddress)]
        told += [span.host for span in self.all(LogSpan)]
        told += [static_node(pod.name) for pod in self.all(Pod)]
        lowered = {name.lower() for name in nodes}
        nodes |= {name: None for name in told if name and name.lower() not in lowered}
        return Names(list(nodes), self._addresses())

    def node_of_pod(self, name: str | None) -> str | None:
        """The node a pod was last seen on."""
        return self._pod_nodes.get(name) if name else None

    def pods(self, wanted: str) -> list[Pod]:
        """All sightings of pods of a role, in order."""
        return [pod for pod in self.all(Pod) if role(pod) == wanted]

    def latest_pods(self, wanted: str) -> list[Pod]:
        """The last sighting of each pod of a role; of a role with one pod a node, a replaced pod is gone."""
        one_a_node = wanted in ("calico-node", "kube-proxy")
        latest = {pod.name: pod for pod in self.pods(wanted)}
        return list({(one_a_node and pod.node) or pod.name: pod for pod in latest.values()}.values())

    @cached_property
    def sick_nodes(self) -> set[str]:
        """Nodes that were seen NotReady or with a sick calico-node."""
        sick = {node.name for node in self.all(Node) if node.ready is False}
        sick |= {pod.node for pod in self.pods("calico-node") if pod.node and is_sick(pod)}
        return sick

    @cached_property
    def healthy_nodes(self) -> set[str]:
        """Nodes whose calico-node or Ready condition was seen good and never bad."""
        good = {node.name for node in self.all(Node) if node.ready}
        good |= {pod.node for pod in self.pods("calico-node") if pod.node and is_healthy(pod)}
        return good - self.sick_nodes

    @cached_property
    def _pod_nodes(self) -> dict[str, str]:
        return {pod.name: pod.node for pod in self.all(Pod) if pod.node}

    def _addresses(self) -> dict[str, str]:
        known = {node.internal_ip: node.name for node in self.all(Node) if node.internal_ip}
        known |= {pod.ip: pod.node for pod in self.all(Pod) if pod.ip and pod.node and role(pod) in HOST_NETWORK}
        stored = {address.address.split("/")[0]: address.node for address in self.all(NodeAddress) if address.node}
        return stored | known


def is_sick(pod: Pod) -> bool:
    """Whether the pod was seen in a bad state; False also where its state was not seen."""
    if pod.status is None or pod.status in _DONE:
        return False
    if pod.status != "Running":
        return True
    return pod.ready is not None and pod.containers is not None and pod.ready < pod.containers


def is_healthy(pod: Pod) -> bool:
    """Whether the pod was seen running with all containers ready."""
    return pod.status == "Running" and pod.ready is not None and pod.ready == pod.containers
