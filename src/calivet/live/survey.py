"""The first look: which nodes and pods there are, and which of them are sick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from calivet.facts.roles import is_agent_image, role_of_name
from calivet.live.tables import AnnotatedMeta, Meta, Table

_FINE = ("Running", "Completed", "Succeeded")
_NO_ADDRESS = ("", "<none>", None)
_OFTEN = 3
_CONTROL_PLANE = ("etcd", "apiserver")
# Between its owner's name and the end of a pod's name: calico-node-x2x4z.
_SUFFIX = 5


class PodRow(Struct, frozen=True):
    """A pod that is part of the machinery, or in trouble."""

    namespace: str
    name: str
    role: str
    node: str
    well: bool
    restarts: str
    """As printed: `5 (2m ago)`."""
    cells: list[Any]


class NodeRow(Struct, frozen=True):
    """A node."""

    name: str
    ready: bool
    cells: list[Any]
    annotations: dict[str, str]


class Count(Struct):
    """The pods of a node."""

    pods: int = 0
    ready: int = 0
    no_address: int = 0


class Survey(Struct):
    """What is known so far; pages are folded in as they arrive, so an interrupted list is worth what it holds."""

    nodes: list[NodeRow] = field(default_factory=list)
    node_columns: list[str] = field(default_factory=list)
    pods: list[PodRow] = field(default_factory=list)
    pod_columns: list[str] = field(default_factory=list)
    counts: dict[str, Count] = field(default_factory=dict)
    agents: set[tuple[str, str]] = field(default_factory=set)
    """Namespace and name of the DaemonSets that run calico-node, whatever they are called."""

    def add_daemonsets(self, page: Table[Meta]) -> None:
        """Note which of these run calico-node: told by their images."""
        image = _places(page).get("images")
        for row in page.rows:
            if image is not None and is_agent_image(str(row.cells[image])):
                self.agents.add((row.head.namespace, row.head.name))

    def add_nodes(self, page: Table[AnnotatedMeta]) -> None:
        """Fold in one page of the list of nodes."""
        status = _places(page)["status"]
        self.node_columns = [column.name for column in page.columns] or self.node_columns
        for row in page.rows:
            told = row.head.annotations
            calico = {key: value for key, value in told.items() if key.startswith("projectcalico.org/")}
            self.nodes.append(NodeRow(row.head.name, str(row.cells[status]).startswith("Ready"), row.cells, calico))

    def count(self, page: Table[Meta]) -> None:
        """Count all pods of the cluster by node."""
        places = _places(page)
        node, state, ready, address = (places[name] for name in ("node", "status", "ready", "ip"))
        rows = (row.cells for row in page.rows)
        # Most pods of a node are alike, so there are few kinds to look at.
        kinds = Counter((cells[node], cells[state], cells[ready], cells[address] in _NO_ADDRESS) for cells in rows)
        for (name, status, containers, no_address), number in kinds.items():
            count = self.counts.setdefault(name, Count())
            count.pods += number
            count.ready += number * _well(status, containers)
            count.no_address += number * (no_address and status not in _FINE)

    def add_pods(self, namespace: str, page: Table[Meta]) -> None:
        """Keep the pods of a namespace in which the machinery lives."""
        self._keep(page, ((namespace, row.cells) for row in page.rows))

    def add_strays(self, page: Table[Meta], most: int) -> None:
        """Keep some of the pods in trouble, wherever they are."""
        kept = {(pod.namespace, pod.name) for pod in self.pods}
        others = [row for row in page.rows if (row.head.namespace, row.head.name) not in kept]
        self._keep(page, ((row.head.namespace, row.cells) for row in others[:most]))

    def _keep(self, page: Table[Meta], rows: Iterable[tuple[str, list[Any]]]) -> None:
        """Rows of this page, each with its namespace."""
        self.pod_columns = ["Namespace", *(column.name for column in page.columns)]
        places = _places(page)
        wanted = ("name", "node", "status", "ready", "restarts")
        name, node, state, ready, restarts = (places[column] for column in wanted)
        for namespace, cells in rows:
            role, well = self._role(namespace, cells[name]), _well(cells[state], cells[ready])
            told = cells[name], role, cells[node] or "", well, str(cells[restarts])
            self.pods.append(PodRow(namespace, *told, [namespace, *cells]))

    def _role(self, namespace: str, name: str) -> str:
        owner, _, suffix = name.rpartition("-")
        is_agent = len(suffix) == _SUFFIX and (namespace, owner) in self.agents
        return "calico-node" if is_agent else role_of_name(name)

    def settle(self) -> None:
        """Bring nodes and pods into an order of their own, each once: that in which lists arrive is chance."""
        self.nodes.sort(key=lambda node: node.name)
        pods = {(pod.namespace, pod.name): pod for pod in self.pods}
        self.pods = [pods[key] for key in sorted(pods)]

    def of(self, *roles: str) -> list[PodRow]:
        """The pods of these roles."""
        return [pod for pod in self.pods if pod.role in roles]

    def sick_nodes(self) -> list[str]:
        """Nodes that are not ready, whose calico-node is not well, or that have none although others do."""
        agents = self.of("calico-node")
        held = {pod.node for pod in agents}
        sick = {node.name: None for node in self.nodes if not node.ready}
        sick |= {pod.node: None for pod in agents if not pod.well and pod.node}
        sick |= {node.name: None for node in self.nodes if agents and node.name not in held}
        return list(sick)

    def namespaces(self) -> list[str]:
        """Where the machinery lives."""
        return sorted({pod.namespace for pod in self.pods if pod.role != "other"} | {place for place, _ in self.agents})


def _places(page: Table[Any]) -> dict[str, int]:
    return {column.name.lower(): place for place, column in enumerate(page.columns)}


def _well(status: str, ready: str) -> bool:
    """Running with all containers ready, or done."""
    running, _, wanted = ready.partition("/")
    return status in _FINE and (running == wanted or status != "Running")


def restarted(pod: PodRow) -> bool:
    """Whether a pod that looks well now has lately been restarted again and again; a control plane never should be."""
    count, _, when = pod.restarts.partition(" ")
    lately = ("m" in when or "s" in when) and "h" not in when
    return count.isdigit() and int(count) >= _OFTEN and (lately or pod.role in _CONTROL_PLANE)
