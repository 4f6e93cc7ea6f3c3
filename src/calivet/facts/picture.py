"""All facts together, with the questions that signs and reasoning ask of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import cached_property, wraps
from typing import TypeVar

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import LogSpan, NodeAddress
from calivet.facts.fact import Fact
from calivet.facts.index import Index
from calivet.facts.kubernetes import Node, Pod, Row
from calivet.facts.names import Names
from calivet.facts.roles import is_agent_image, role, static_node

Derived = TypeVar("Derived")

# Roles whose pods have their node's address.
HOST_NETWORK = ("calico-node", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")
_DONE = ("Completed", "Succeeded")


def once(derive: Callable[[Picture], Derived]) -> Callable[[Picture], Derived]:
    """What is derived from a picture and asked for again and again is worked out once; nobody changes it afterwards."""

    @wraps(derive)
    def kept(picture: Picture) -> Derived:
        if derive not in picture.derived:
            picture.derived[derive] = derive(picture)
        found: Derived = picture.derived[derive]
        return found

    return kept


class Picture(Index):
    """The cluster as the evidence shows it, in the order of the evidence."""

    def __init__(self, artifacts: list[Artifact], facts: Iterable[Fact]) -> None:
        """All that is known, until somebody asks for a part of it."""
        super().__init__(artifacts, facts)
        self.whole = self
        self._latest_pods: dict[str, list[Pod]] = {}

    def of(self, nodes: Collection[str]) -> Picture:
        """The part of it that is about these nodes, or about none in particular."""
        facts = (fact for found in self._by_type.values() for fact in found)
        near = (fact for fact in facts if not fact.host or (self.names.node(fact.host) or fact.host) in nodes)
        part = Picture(self.artifacts, near)
        part.whole = self.whole
        return part

    @cached_property
    def names(self) -> Names:
        """The nodes that were seen, and all that they are called."""
        nodes = {node.name: None for node in self.all(Node)}
        told = [pod.node for pod in self.all(Pod)] + [address.node for address in self.all(NodeAddress)]
        told += [static_node(pod.name) for pod in self.all(Pod)]
        lowered = {name.lower() for name in nodes}
        nodes |= {name: None for name in told if name and name.lower() not in lowered}
        return Names([*nodes, *self._hosts_beside(nodes)], self._addresses())

    def _hosts_beside(self, nodes: Iterable[str]) -> list[str]:
        """Machines of which only logs were seen; a node whose machine goes by its first name alone is not one."""
        known = {name.lower() for name in nodes}
        first_names = {name.split(".")[0] for name in known}
        beside: list[str] = []
        for host in sorted({span.host for span in self.all(LogSpan) if span.host}, key=lambda name: (-len(name), name)):
            name = host.lower()
            if name not in known and name not in first_names and name.split(".")[0] not in known:
                beside.append(host)
                known.add(name)
                first_names.add(name.split(".")[0])
        return beside

    def node_of_pod(self, name: str | None) -> str | None:
        """The node a pod was last seen on."""
        return self._pod_nodes.get(name) if name else None

    def pods(self, wanted: str) -> list[Pod]:
        """All sightings of pods of a role, in order."""
        return self._by_role.get(wanted, [])

    @cached_property
    def _by_role(self) -> dict[str, list[Pod]]:
        found: dict[str, list[Pod]] = defaultdict(list)
        for pod in self.all(Pod):
            found[self.role(pod)].append(pod)
        return found

    def role(self, pod: Pod) -> str:
        """Which part of the cluster the pod is; a DaemonSet that runs calico-node may have any name."""
        return self._roles.get(id(pod)) or self._role(pod)

    @cached_property
    def _roles(self) -> dict[int, str]:
        """By identity: signs ask for the roles of ten thousand pods again and again."""
        return {id(pod): self._role(pod) for pod in self.all(Pod)}

    def _role(self, pod: Pod) -> str:
        owner, _, suffix = pod.name.rpartition("-")
        is_agent = len(suffix) == 5 and (pod.namespace, owner) in self._agents
        return "calico-node" if is_agent else role(pod)

    def latest_pods(self, wanted: str) -> list[Pod]:
        """The last sighting of each pod of a role; of a role with one pod a node, a replaced pod is gone."""
        if wanted not in self._latest_pods:
            one_a_node = wanted in ("calico-node", "kube-proxy")
            latest = {pod.name: pod for pod in self.pods(wanted)}.values()
            self._latest_pods[wanted] = list({(one_a_node and pod.node) or pod.name: pod for pod in latest}.values())
        return self._latest_pods[wanted]

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
    def _agents(self) -> set[tuple[str | None, str | None]]:
        """Namespace and name of the DaemonSets whose image is calico-node's."""
        rows = (row for row in self.all(Row) if row.resource == "daemonset")
        return {(row.namespace, row.name) for row in rows if is_agent_image(row.cells.get("IMAGES", ""))}

    @cached_property
    def _pod_nodes(self) -> dict[str, str]:
        return {pod.name: pod.node for pod in self.all(Pod) if pod.node}

    def _addresses(self) -> dict[str, str]:
        known = {node.internal_ip: node.name for node in self.all(Node) if node.internal_ip}
        known |= {pod.ip: pod.node for pod in self.all(Pod) if pod.ip and pod.node and self.role(pod) in HOST_NETWORK}
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
