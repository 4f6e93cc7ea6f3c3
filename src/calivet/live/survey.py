"""The first look: which nodes and pods there are, and which of them are sick."""

from __future__ import annotations

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
        for row in page.rows:
            cells = row.cells
            count = self.counts.get(cells[node]) or self.counts.setdefault(cells[node], Count())
            count.pods += 1
            count.ready += _well(cells[state], cells[ready])
            count.no_address += cells[state] not in _FINE and cells[address] in _NO_ADDRESS

    def add_pods(self, namespace: str, page: Table[Meta]) -> None:
        """Keep the pods of a namespace in which the machinery lives."""
        for row in page.rows:
            self._keep(namespace, row.cells, page)

    def add_strays(self, page: Table[Meta], most: int) -> None:
        """Keep some of the pods in trouble, wherever they are."""
        kept = {(pod.namespace, pod.name) for pod in self.pods}
        others = [row for row in page.rows if (row.head.namespace, row.head.name) not in kept]
        for row in others[:most]:
            self._keep(row.head.namespace, row.cells, page)

    def _keep(self, namespace: str, cells: list[Any], page: Table[Meta]) -> None:
        places = _places(page)
        self.pod_columns = ["Namespace", *(column.name for column in page.columns)]
        name, node = str(cells[places["name"]]), str(cells[places["node"]] or "")
        well = _well(cells[places["status"]], cells[places["ready"]])
        self.pods.append(PodRow(namespace, name, self._role(namespace, name), node, well, [namespace, *cells]))

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


def restarted(pod: PodRow, columns: Iterable[str]) -> bool:
    """Whether a pod that looks well now has lately been restarted again and again; a control plane never should be."""
    cells = dict(zip((column.lower() for column in columns), pod.cells, strict=False))
    count, _, when = str(cells.get("restarts", "0")).partition(" ")
    lately = ("m" in when or "s" in when) and "h" not in when
    return count.isdigit() and int(count) >= _OFTEN and (lately or pod.role in _CONTROL_PLANE)
