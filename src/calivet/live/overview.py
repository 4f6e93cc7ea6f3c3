"""The first look: which nodes and pods there are, which of them are sick, and which machines to log in to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from calivet.facts.roles import find_role_of_name, is_agent_image
from calivet.live.connection import Access, connect
from calivet.live.objects import AnnotatedMeta, Meta, Table, fetch_table
from calivet.live.trouble import ConfigError, Trouble

_FINE = ("Running", "Completed", "Succeeded")
_RUNNING = "Running"
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
    labels: dict[str, str] = {}


class Count(Struct):
    """The pods of a node."""

    pods: int = 0
    ready: int = 0
    no_address: int = 0


class ClusterOverview(Struct):
    """What is known so far; pages are folded in as they arrive, so an interrupted list is worth what it holds."""

    nodes: list[NodeRow] = field(default_factory=list)
    node_columns: list[str] = field(default_factory=list)
    pods: list[PodRow] = field(default_factory=list)
    pod_columns: list[str] = field(default_factory=list)
    counts: dict[str, Count] = field(default_factory=dict)
    shared: list[str] = field(default_factory=list)
    """Addresses of several pods."""
    agents: set[tuple[str, str]] = field(default_factory=set)
    """Namespace and name of the DaemonSets that run calico-node, whatever they are called."""

    def add_daemonsets(self, page: Table[Meta]) -> None:
        """Note which of these run calico-node: told by their images."""
        image = page.places.get("images")
        for row in page.rows:
            if image is not None and is_agent_image(str(row.cells[image])):
                self.agents.add((row.head.namespace, row.head.name))

    def add_nodes(self, page: Table[AnnotatedMeta]) -> None:
        """Fold in one page of the list of nodes."""
        status = page.places["status"]
        self.node_columns = [column.name for column in page.columns] or self.node_columns
        for row in page.rows:
            told = row.head.annotations
            calico = {key: value for key, value in told.items() if key.startswith("projectcalico.org/")}
            is_ready = str(row.cells[status]).startswith("Ready")
            self.nodes.append(NodeRow(row.head.name, is_ready, row.cells, calico, row.head.labels))

    def count(self, page: Table[Meta]) -> None:
        """Count all pods of the cluster by node."""
        self._note_shared(page)
        places = page.places
        node, state, ready, address = (places[name] for name in ("node", "status", "ready", "ip"))
        rows = (row.cells for row in page.rows)
        # Most pods of a node are alike, so there are few kinds to look at.
        kinds = Counter(
            (to_text(cells[node]), to_text(cells[state]), to_text(cells[ready]), cells[address] in _NO_ADDRESS)
            for cells in rows
        )
        for (name, status, containers, no_address), number in kinds.items():
            count = self.counts.setdefault(name, Count())
            count.pods += number
            count.ready += number * _is_well(status, containers)
            count.no_address += number * (no_address and status not in _FINE)

    def _note_shared(self, page: Table[Meta]) -> None:
        """Addresses that pods of different nodes hold at once; one host's own is held by many on that host."""
        places = page.places
        node, state, address = (places[name] for name in ("node", "status", "ip"))
        held = {(row.cells[address], row.cells[node]) for row in page.rows if row.cells[state] == _RUNNING}
        if len(held) > len({one for one, _ in held}):
            on = Counter(one for one, _ in held)
            self.shared += sorted(one for one, nodes in on.items() if nodes > 1 and one not in _NO_ADDRESS)

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
        places = page.places
        wanted = ("name", "node", "status", "ready", "restarts")
        name, node, state, ready, restarts = (places[column] for column in wanted)
        for namespace, cells in rows:
            role, well = (
                self._find_role(namespace, to_text(cells[name])),
                _is_well(to_text(cells[state]), to_text(cells[ready])),
            )
            told = to_text(cells[name]), role, to_text(cells[node]), well, str(cells[restarts])
            self.pods.append(PodRow(namespace, *told, [namespace, *cells]))

    def _find_role(self, namespace: str, name: str) -> str:
        owner, _, suffix = name.rpartition("-")
        is_agent = len(suffix) == _SUFFIX and (namespace, owner) in self.agents
        return "calico-node" if is_agent else find_role_of_name(name)

    def settle(self) -> None:
        """Bring nodes and pods into an order of their own, each once: that in which lists arrive is chance."""
        self.nodes.sort(key=lambda node: node.name)
        pods = {(pod.namespace, pod.name): pod for pod in self.pods}
        self.pods = [pods[key] for key in sorted(pods)]

    def list_pods(self, *roles: str) -> list[PodRow]:
        """The pods of these roles."""
        return [pod for pod in self.pods if pod.role in roles]

    def list_sick_nodes(self) -> list[str]:
        """Nodes that are not ready, whose calico-node is not well, or that have none although others do."""
        agents = self.list_pods("calico-node")
        held = {pod.node for pod in agents}
        sick = {node.name: None for node in self.nodes if not node.ready}
        sick |= {pod.node: None for pod in agents if not pod.well and pod.node}
        sick |= {node.name: None for node in self.nodes if agents and node.name not in held}
        return list(sick)

    def list_namespaces(self) -> list[str]:
        """Where the machinery lives."""
        return sorted({pod.namespace for pod in self.pods if pod.role != "other"} | {place for place, _ in self.agents})


def to_text(cell: object) -> str:
    """A cell that should be text, and is not always there."""
    return cell if isinstance(cell, str) else "" if cell is None else str(cell)


def _is_well(status: str, ready: str) -> bool:
    """Running with all containers ready, or done."""
    running, _, wanted = ready.partition("/")
    return status in _FINE and (running == wanted or status != "Running")


def was_restarted(pod: PodRow) -> bool:
    """Whether a pod that looks well now has lately been restarted again and again; a control plane never should be."""
    count, _, when = pod.restarts.partition(" ")
    lately = ("m" in when or "s" in when) and "h" not in when
    return count.isdigit() and int(count) >= _OFTEN and (lately or pod.role in _CONTROL_PLANE)


def list_node_names(access: Access) -> list[str]:
    """All nodes of the cluster, or none."""
    try:
        found = fetch_table(connect(access), "/api/v1/nodes")
        return [row.head.name for page in found for row in page.rows]
    except (ConfigError, Trouble):
        return []


ALL = 30
"""A cluster of so many nodes is asked as a whole; of a larger one the sick nodes, and a few others for contrast."""
HEALTHY = 3
MOST_PEERS = 20
_NO_MACHINE_ADDRESS = ("", "<none>")
_CALICO = "projectcalico.org/"


class Machine(Struct, frozen=True):
    """A node as one logs in to it."""

    node: str
    address: str = ""


def list_machines(overview: ClusterOverview) -> list[Machine]:
    """All nodes."""
    columns = [column.lower() for column in overview.node_columns]
    place = columns.index("internal-ip") if "internal-ip" in columns else None
    return [Machine(node.name, _find_address(node, place)) for node in overview.nodes]


def choose_machines(overview: ClusterOverview, named: Sequence[str]) -> tuple[list[Machine], int]:
    """Those to log in to, what is named or sick first, and how many are left out."""
    everyone = list_machines(overview)
    wanted = {*named, *overview.list_sick_nodes()}
    first = [machine for machine in everyone if machine.node in wanted]
    others = [machine for machine in everyone if machine.node not in wanted]
    if len(everyone) <= ALL:
        return [*first, *others], 0
    chosen = [*first[: ALL - HEALTHY], *others[:HEALTHY]]
    return chosen, len(everyone) - len(chosen)


def list_peers(overview: ClusterOverview, node: str) -> list[str]:
    """Calico's addresses on the other nodes, those of sick nodes first; none where Calico speaks no BGP."""
    told = [one.annotations for one in overview.nodes]
    if _has(told, "IPv4VXLANTunnelAddr") and not _has(told, "IPv4IPIPTunnelAddr"):
        return []
    sick = set(overview.list_sick_nodes())
    others = sorted((one for one in overview.nodes if one.name != node), key=lambda one: one.name not in sick)
    found = (one.annotations.get(f"{_CALICO}{kind}") for one in others for kind in ("IPv4Address", "IPv6Address"))
    return [address.partition("/")[0] for address in found if address][:MOST_PEERS]


def find_server_seen_from_afar(server: str) -> str | None:
    """HOST:PORT of the API server, where that means the same on another machine."""
    from ipaddress import ip_address

    found = urlsplit(server)
    host = found.hostname or "localhost"
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost"
    shown = f"[{host}]" if ":" in host else host
    return None if is_here else f"{shown}:{found.port or 443}"


def _find_address(node: NodeRow, place: int | None) -> str:
    address = str(node.cells[place]) if place is not None and place < len(node.cells) else ""
    return "" if address in _NO_MACHINE_ADDRESS else address


def _has(annotations: Sequence[dict[str, str]], key: str) -> bool:
    return any(f"{_CALICO}{key}" in told for told in annotations)
