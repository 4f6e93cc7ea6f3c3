"""The facts of a cluster by what they are asked for: their type, their machine, the artifact they stand in."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, TypeVar

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import LogSpan, NodeAddress
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Node, Pod, Row
from calivet.facts.names import Names
from calivet.facts.roles import find_role, find_static_node, is_agent_image

Kind = TypeVar("Kind", bound=Fact)

_host = attrgetter("host")


class Index:
    """Facts in the order of the evidence; on a big cluster nobody can look through all of them for each of them."""

    def __init__(self, artifacts: list[Artifact], facts: Iterable[Fact]) -> None:
        """Sort the facts by their type."""
        self.artifacts = artifacts
        self.derived: dict[Hashable, Any] = {}
        self._by_type: dict[type[Fact], list[Fact]] = defaultdict(list)
        self._documents = {artifact.name: artifact.order for artifact in reversed(artifacts)}
        for fact in facts:
            self._by_type[type(fact)].append(fact)
        for found in self._by_type.values():
            found.sort(key=lambda fact: self.order(fact.at))

    def all(self, kind: type[Kind]) -> list[Kind]:
        """All facts of a type, in order of the evidence."""
        return self._by_type[kind]  # type: ignore[return-value]

    def on(self, host: str | None, kind: type[Kind]) -> list[Kind]:
        """Those about this machine, by the name that the evidence gives it there."""
        return self._group_by(kind, _host).get(host, [])

    def within(self, artifact: Artifact, kind: type[Kind]) -> list[Kind]:
        """Those that stand in this artifact."""
        return self._group_by(kind, self._identify_artifact).get(id(artifact), [])

    def order(self, line: Line) -> tuple[int, int]:
        """Where a line stands in the whole evidence: later is usually later in time."""
        return self._documents.get(line.artifact, 0), line.number

    def artifact(self, line: Line) -> Artifact | None:
        """The artifact with this line; None for a line that belongs to no document."""
        cut = self._cut.get(line.artifact, [])
        place = bisect_right(cut, line.number, key=lambda artifact: artifact.first) - 1
        found = cut[place] if place >= 0 else None
        return found if found and found.holds(line) else None

    def find_command_of(self, line: Line) -> str:
        """The command whose output holds this line; empty where none is known."""
        around = self.artifact(line)
        return (around.command if around else None) or ""

    def _group_by(self, kind: type[Kind], key: Callable[[Kind], Hashable]) -> Mapping[Hashable, list[Kind]]:
        if (kind, key) not in self.derived:
            groups: dict[Hashable, list[Kind]] = defaultdict(list)
            for fact in self.all(kind):
                groups[key(fact)].append(fact)
            self.derived[kind, key] = dict(groups)
        found: Mapping[Hashable, list[Kind]] = self.derived[kind, key]
        return found

    def _identify_artifact(self, fact: Fact) -> int:
        return id(self.artifact(fact.at))

    @cached_property
    def _cut(self) -> dict[str, list[Artifact]]:
        """The artifacts of each document in the order of their lines."""
        documents: dict[str, list[Artifact]] = defaultdict(list)
        for artifact in self.artifacts:
            documents[artifact.name].append(artifact)
        for cut in documents.values():
            cut.sort(key=lambda artifact: artifact.first)
        return documents


Derived = TypeVar("Derived")

# Roles whose pods have their node's address.
HOST_NETWORK = ("calico-node", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")
_DONE = ("Completed", "Succeeded")


def once(derive: Callable[[ClusterFacts], Derived]) -> Callable[[ClusterFacts], Derived]:
    """What is derived from a picture and asked for again and again is worked out once; nobody changes it afterwards."""

    @wraps(derive)
    def kept(cluster: ClusterFacts) -> Derived:
        if derive not in cluster.derived:
            cluster.derived[derive] = derive(cluster)
        found: Derived = cluster.derived[derive]
        return found

    return kept


class ClusterFacts(Index):
    """The cluster as the evidence shows it, in the order of the evidence."""

    def __init__(self, artifacts: list[Artifact], facts: Iterable[Fact]) -> None:
        """All that is known, until somebody asks for a part of it."""
        super().__init__(artifacts, facts)
        self.whole = self
        self._latest_pods: dict[str, list[Pod]] = {}

    def of(self, nodes: Collection[str]) -> ClusterFacts:
        """The part of it that is about these nodes, or about none in particular."""
        facts = (fact for found in self._by_type.values() for fact in found)
        near = (fact for fact in facts if not fact.host or self.names.find_node_or_host(fact.host) in nodes)
        part = ClusterFacts(self.artifacts, near)
        part.whole = self.whole
        return part

    @cached_property
    def names(self) -> Names:
        """The nodes that were seen, and all that they are called."""
        nodes = {node.name: None for node in self.all(Node)}
        told = [pod.node for pod in self.all(Pod)] + [address.node for address in self.all(NodeAddress)]
        told += [find_static_node(pod.name) for pod in self.all(Pod)]
        lowered = {name.lower() for name in nodes}
        nodes |= {name: None for name in told if name and name.lower() not in lowered}
        return Names([*nodes, *self._find_hosts_beside(nodes)], self._addresses())

    def _find_hosts_beside(self, nodes: Iterable[str]) -> list[str]:
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

    def find_node_of_pod(self, name: str | None) -> str | None:
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
        return "calico-node" if is_agent else find_role(pod)

    def list_latest_pods(self, wanted: str) -> list[Pod]:
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
