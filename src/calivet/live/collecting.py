"""Asks a live cluster, in phases, and gives documents: the same that a bundle holds."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct, field

from calivet.evidence.artifact import Document, Unreadable
from calivet.evidence.decoding.decode import clean_text
from calivet.evidence.decoding.long_lines import LONGEST, cut_long_numbers, is_json, shorten
from calivet.evidence.layouts.own_bundle import Request
from calivet.live import basics, calico, details, guards, kubelet
from calivet.live.connection import Connection
from calivet.live.fetch_tasks import FetchTask, Outcome, RunLimits, run_tasks
from calivet.live.objects import FEW, choose_telling, print_rows
from calivet.live.overview import ClusterOverview, NodeRow, PodRow, was_restarted
from calivet.messages.command_line import build_command
from calivet.messages.message import Message, message

MOST_PODS = 24
MOST_NODES = 8
MOST_LOGS = 30
"""Well pods of calico-node whose logs are read, all of them or none: of a larger cluster their state must do."""
FIRST = 6.0
"""Seconds for an answer to the first questions: small ones, and an API server that lost its etcd says so in four."""
HASTE = 2.0
"""Seconds for one answer, once the API server is known to be ill."""
_ON_EVERY_NODE = ("calico-node", "kube-proxy")
# Calico's own parts first, then what they stand on.
_ORDER = (
    "calico-node",
    "typha",
    "operator",
    "kube-controllers",
    "calico-apiserver",
    "etcd",
    "apiserver",
    "kube-proxy",
    "dns",
    "controller-manager",
    "scheduler",
)


def choose_pods(overview: ClusterOverview, named: Sequence[str]) -> tuple[list[PodRow], int]:
    """The pods to look at, and how many more were as sick and are left out."""
    pods = [pod for role in _ORDER for pod in overview.list_pods(role)]
    wanted = [pod for pod in pods if pod.node in named]
    wanted += [pod for pod in pods if _is_sick(pod) and pod not in wanted and _does_matter(pod, named)]
    well = next((pod for pod in overview.list_pods("calico-node") if not _is_sick(pod) and pod not in wanted), None)
    return [*wanted[:MOST_PODS], *([well] if well else [])], max(0, len(wanted) - MOST_PODS)


def choose_well_pods(overview: ClusterOverview, chosen: Sequence[PodRow], named: Sequence[str]) -> list[PodRow]:
    """The other pods of calico-node: that they are ready is their kubelets' word, their logs tell what they do."""
    agents = [pod for pod in overview.list_pods("calico-node") if pod.node and (not named or pod.node in named)]
    return [pod for pod in agents if pod not in chosen] if len(agents) <= MOST_LOGS else []


def _does_matter(pod: PodRow, named: Sequence[str]) -> bool:
    """Where the operator asks about single nodes, the others' own agents are of no interest; what all share is."""
    return not named or pod.role not in _ON_EVERY_NODE


def choose_nodes(overview: ClusterOverview, named: Sequence[str]) -> tuple[list[str], int]:
    """The nodes to look at, and how many more were as sick and are left out."""
    wanted = list(dict.fromkeys(named)) or overview.list_sick_nodes()
    well = [node.name for node in overview.nodes if node.ready and node.name not in wanted]
    return [*wanted[:MOST_NODES], *well[:1]], max(0, len(wanted) - MOST_NODES)


def _is_sick(pod: PodRow) -> bool:
    return not pod.well or was_restarted(pod)


ADDRESSES = {
    "IPV4": "IPv4Address",
    "IPV6": "IPv6Address",
    "IPIP": "IPv4IPIPTunnelAddr",
    "VXLAN": "IPv4VXLANTunnelAddr",
    "AS": "ASNumber",
    "REFLECTS": "RouteReflectorClusterID",
}
_PATHS = ",".join(f"{column}:.metadata.annotations.projectcalico\\.org/{key}" for column, key in ADDRESSES.items())
NODES_COMMAND = "kubectl get nodes -o wide"
LABELS_COMMAND = "kubectl get nodes --show-labels"
ADDRESSES_COMMAND = f"kubectl get nodes -o custom-columns=NAME:.metadata.name,{_PATHS}"
SHORT = 5
"""Columns of a list of nodes that is not wide."""
PODS_COMMAND = "kubectl get pods -A -o wide"


def write_overview(overview: ClusterOverview) -> Iterable[tuple[str, str | None, list[str]]]:
    """Name, command and lines of each document."""
    if overview.nodes:
        yield "nodes.txt", NODES_COMMAND, print_rows(overview.node_columns, [node.cells for node in overview.nodes])
    if len(overview.nodes) <= FEW and any(node.labels for node in overview.nodes):
        rows = [[*node.cells[:SHORT], _print_labels(node)] for node in overview.nodes]
        yield "nodes-labels.txt", LABELS_COMMAND, print_rows([*overview.node_columns[:SHORT], "LABELS"], rows)
    if any(node.annotations for node in overview.nodes):
        sick = set(overview.list_sick_nodes())
        rows = [
            [node.name, *(node.annotations.get(f"projectcalico.org/{key}") for key in ADDRESSES.values())]
            for node in choose_telling(overview.nodes, lambda node: node.name in sick or _is_elsewhere(node))
        ]
        yield "nodes-calico.txt", ADDRESSES_COMMAND, print_rows(["NAME", *ADDRESSES], rows)
    if overview.pods:
        yield "pods.txt", PODS_COMMAND, print_rows(overview.pod_columns, [pod.cells for pod in overview.pods])
    if overview.counts:
        yield "pods-by-node.txt", None, _count_pods(overview)


def _print_labels(node: NodeRow) -> str:
    return ",".join(f"{key}={value}" for key, value in sorted(node.labels.items())) or "<none>"


def _is_elsewhere(node: NodeRow) -> bool:
    """Calico has another address for the node than Kubernetes."""
    address = node.annotations.get("projectcalico.org/IPv4Address", "").partition("/")[0]
    return address not in node.cells


def _count_pods(overview: ClusterOverview) -> list[str]:
    few = len(overview.counts) <= FEW
    rows = [
        [node, count.pods, count.ready, count.no_address]
        for node, count in sorted(overview.counts.items())
        if node and (few or count.ready < count.pods)
    ]
    total = [sum(getattr(count, key) for count in overview.counts.values()) for key in ("pods", "ready", "no_address")]
    return print_rows(["NODE", "PODS", "READY", "WITHOUT-ADDRESS"], [*rows, ["(all)", *total]])


AGAIN = "readyz-again.txt"
SHOWN = 3
LONGEST_NAME = 253


class Scope(Struct, frozen=True):
    """What the operator asked for."""

    nodes: tuple[str, ...] = ()
    since: int | None = None
    """Seconds of logs."""
    until: float = math.inf
    """The moment, of time.monotonic(), at which the collecting ends."""


def _format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Collected(Struct):
    """All that was read from the cluster, and what could not be."""

    server: str = ""
    started: str = field(default_factory=_format_now)
    documents: list[Document] = field(default_factory=list)
    failed: list[Unreadable] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    overview: ClusterOverview = field(default_factory=ClusterOverview)
    probed: list[str] = field(default_factory=list)
    """Machines that were asked themselves, by the names that they go by."""
    seconds: float = 0.0
    interrupted: bool = False
    context: str = ""

    @property
    def node_names(self) -> list[str]:
        """All machines that are known by name; longer than this none can be called."""
        names = dict.fromkeys([*(node.name for node in self.overview.nodes), *self.probed])
        return [name for name in names if len(name) <= LONGEST_NAME]


class Progress(Protocol):
    """Told what happens while it happens."""

    def phase(self, name: str, total: int) -> None:
        """A phase with so many tasks begins."""

    def step(self, name: str) -> None:
        """One of them is done."""


class Collector:
    """One collecting run."""

    def __init__(self, connection: Connection, scope: Scope, progress: Progress) -> None:
        """Nothing is asked yet."""
        self._connection, self._scope, self._progress = connection, scope, progress
        self._limits = RunLimits(scope.until)
        self._survey = ClusterOverview()
        self._silent: set[str] = set()
        self._roles: set[str] = set()
        self._collected = Collected(connection.server, overview=self._survey, context=connection.context or "")

    def interrupt(self) -> None:
        """Ask for nothing more: what has arrived must do."""
        self._limits.interrupted = True

    def collect(self) -> Collected:
        """Every phase in turn; each knows what those before it found."""
        start = time.monotonic()
        served: dict[str, Sequence[str]] = {}
        with self._connection.hurry(FIRST):
            self._run("api-server", self._first(served))
        self._run("nodes-and-pods", self._all(served))
        self._survey.settle()
        self._add_overview()
        self._run("surroundings", self._around(served))
        self._check_again()
        containers: list[details.Container] = []
        self._run("sick-pods", self._close(containers))
        self._run("logs", self._logs(containers))
        self._collected.failed = merge_failures(self._collected.failed)
        self._collected.seconds = time.monotonic() - start
        self._collected.interrupted = self._limits.has_ended
        return self._collected

    def _first(self, served: dict[str, Sequence[str]]) -> list[FetchTask]:
        groups = [basics.list_served(self._connection, group, version, served) for group, version in calico.GROUPS]
        about_server = [basics.check_health(self._connection), basics.fetch_version(self._connection)]
        return [*about_server, basics.list_daemonsets(self._connection, self._survey), *groups]

    def _check_again(self) -> None:
        """Where the API server did not answer in time: it may have lost its etcd since it was asked."""
        if self._limits.server_was_silent and not self._limits.without_etcd:
            self._run("api-server", [basics.check_health(self._connection, AGAIN)])

    def _all(self, served: dict[str, Sequence[str]]) -> list[FetchTask]:
        """The long lists side by side: Calico's own are as long as those of nodes and pods."""
        connection, overview = self._connection, self._survey
        calico.leave_old_store(connection, served)
        nodes, counted = basics.list_nodes(connection, overview), basics.count_pods(connection, overview)
        return [nodes, counted, *calico.list_addresses(connection, served), *basics.list_pods(connection, overview)]

    def _around(self, served: dict[str, Sequence[str]]) -> list[FetchTask]:
        connection, overview = self._connection, self._survey
        return [
            *basics.fetch_events(connection, overview),
            *basics.fetch_workloads(connection, overview),
            *basics.fetch_holders(connection, overview),
            *calico.list_resources(connection, served),
            *basics.fetch_tables(connection, overview),
            *basics.fetch_settings(connection, overview),
            *guards.list_guards(connection, self._roles),
        ]

    def _close(self, containers: list[details.Container]) -> list[FetchTask]:
        connection = self._connection
        pods, more_pods = choose_pods(self._survey, self._scope.nodes)
        nodes, more_nodes = choose_nodes(self._survey, self._scope.nodes)
        self._left_out("calico-node pods", more_pods)
        self._left_out("nodes", more_nodes)
        return [
            *(details.fetch_pod(connection, pod, containers) for pod in pods),
            *(details.fetch_node(connection, node) for node in nodes),
            *guards.fetch_roles(connection, self._roles),
            *(task for node in nodes for task in kubelet.fetch_answers(connection, node)),
        ]

    def _logs(self, containers: list[details.Container]) -> list[FetchTask]:
        """In an order of their own: that in which the pods arrived is chance."""
        chosen, _ = choose_pods(self._survey, self._scope.nodes)
        others = [details.name_agent(pod) for pod in choose_well_pods(self._survey, chosen, self._scope.nodes)]
        ordered = sorted([*containers, *others], key=lambda container: (container.namespace, container.pod))
        # Where kubelets are silent, all of them together cost one deadline: who is there answers at once.
        patience = HASTE if self._silent else kubelet.SECONDS
        logs = (details.fetch_logs(self._connection, one, self._scope.since, patience) for one in ordered)
        return [task for tasks in logs for task in tasks]

    def _left_out(self, what: str, count: int) -> None:
        if count:
            why = message("connection.left_out", count=count)
            self._collected.failed.append(Unreadable(what, why, build_command("more-nodes")))

    def _run(self, phase: str, tasks: Sequence[FetchTask]) -> None:
        self._progress.phase(phase, len(tasks))
        for outcome in run_tasks(tasks, self._limits, self._progress.step):
            self._take(outcome)

    def _take(self, outcome: Outcome) -> None:
        task = outcome.task
        if outcome.failure and (outcome.task.node not in self._silent or not outcome.silent):
            self._collected.failed.append(outcome.failure)
        if outcome.silent and outcome.task.node:
            self._silent.add(outcome.task.node)
        if task.name in (basics.READYZ, AGAIN):
            self._heed_health(outcome)
        took = round(outcome.seconds, 3)
        self._collected.requests.append(Request(task.name, task.command, took, len(outcome.lines)))
        self._add(task.name, task.command, outcome.lines)

    def _heed_health(self, outcome: Outcome) -> None:
        """Deadlines shorten once the API server is known to be ill."""
        self._limits.without_etcd |= basics.is_without_etcd(outcome.lines)
        if outcome.silent or self._limits.without_etcd:
            self._connection.hasten(HASTE)

    def _add_overview(self) -> None:
        for name, command, lines in write_overview(self._survey):
            self._add(name, command, lines)

    def _add(self, name: str, command: str | None, lines: Iterable[str]) -> None:
        """The prompt says which command prints the same; a reader of the file knows at once what he sees."""
        if text := "\n".join(lines):
            head = [f"$ {command}"] if command else []
            cleaned = [line if len(line) <= LONGEST or is_json(line) else shorten(line) for line in clean_text(text)]
            cut_long_numbers(cleaned)
            self._collected.documents.append(Document(name, [*head, *cleaned], whole=True))


def merge_failures(failed: Sequence[Unreadable]) -> list[Unreadable]:
    """Many documents that one permission or one dead kubelet keeps away are one complaint."""
    alike: dict[Message, list[Unreadable]] = {}
    for item in failed:
        alike.setdefault(item.why, []).append(item)
    found = []
    for why, items in alike.items():
        more = f" (+{len(items) - SHOWN})" if len(items) > SHOWN else ""
        what = ", ".join(item.what for item in items[:SHOWN]) + more
        found.append(Unreadable(what, why, items[0].help, any(item.essential for item in items)))
    return found
