"""The first tasks: the API server's health, where Calico lives, nodes, pods, and what surrounds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct

from calivet.evidence.archives.member_names import build_member_name
from calivet.live import needs, objects
from calivet.live.connection import Connection
from calivet.live.fetch_tasks import FetchTask
from calivet.live.needs import Need
from calivet.live.objects import (
    ACCEPT,
    NO_HEADS,
    Meta,
    Table,
    decode_body,
    fetch_annotated,
    fetch_pages,
    fetch_table,
    print_rows,
)
from calivet.live.overview import ClusterOverview
from calivet.live.trouble import Trouble
from calivet.messages.command_line import build_command

_KUBE = "kube-system"
_TABLES: tuple[tuple[str, str, Need], ...] = (
    ("deployments", "/apis/apps/v1/namespaces/{}/deployments", needs.WORKLOADS),
    ("services", "/api/v1/namespaces/{}/services", needs.SERVICES),
    ("endpoints", "/api/v1/namespaces/{}/endpoints", needs.SERVICES),
)
# Events of the machinery, of nodes, and of every pod that got no sandbox: a busy cluster has far too many others.
_SANDBOX = "reason=FailedCreatePodSandBox"
_NODES = "involvedObject.kind=Node"
# Where events of things without a namespace are kept: asking there spares the server all others.
_OF_NODES = "default"
MOST_EVENTS = 3000
MOST_SHARED = 3


def fetch_tables(connection: Connection, overview: ClusterOverview) -> list[FetchTask]:
    """Deployments, services and endpoints."""
    places = sorted({"default", *overview.list_namespaces()})
    return [_fetch_table(connection, resource, path, need, places) for resource, path, need in _TABLES]


def _fetch_table(connection: Connection, resource: str, path: str, need: Need, namespaces: Iterable[str]) -> FetchTask:
    def fetch() -> list[str]:
        columns: list[str] = []
        rows = []
        for namespace in namespaces:
            for page in fetch_table(connection, path.format(namespace), NO_HEADS):
                columns = ["Namespace", *(column.name for column in page.columns)]
                rows += [[namespace, *row.cells] for row in page.rows]
        return print_rows(columns, rows) if rows else []

    return FetchTask(f"{resource}.txt", build_command("list", resource=resource), need, fetch)


def fetch_holders(connection: Connection, overview: ClusterOverview) -> list[FetchTask]:
    """The pods of addresses that more than one has."""
    return [_fetch_holders_of(connection, address) for address in overview.shared[:MOST_SHARED]]


def _fetch_holders_of(connection: Connection, address: str) -> FetchTask:
    selector = f"status.podIP={address}"

    def fetch() -> list[str]:
        columns: list[str] = []
        rows = []
        for page in fetch_table(connection, "/api/v1/pods", {"fieldSelector": selector}):
            columns = ["Namespace", *(column.name for column in page.columns)]
            rows += [[row.head.namespace, *row.cells] for row in page.rows]
        return print_rows(columns, rows) if rows else []

    command = build_command("selected", resource="pods", selector=selector)
    return FetchTask(build_member_name("pods-of-address", f"{address}.txt"), command, needs.PODS, fetch)


def fetch_events(connection: Connection, overview: ClusterOverview) -> list[FetchTask]:
    """The events of each namespace of the machinery, and the telling ones of all others."""
    found = [
        _fetch_events(connection, build_member_name("events", f"{place}.txt"), place, "")
        for place in overview.list_namespaces() or [_KUBE]
    ]
    found.append(_fetch_events(connection, "events/nodes.txt", _OF_NODES, _NODES))
    found.append(_fetch_events(connection, "events/sandboxes.txt", "", _SANDBOX))
    return found


def _fetch_events(connection: Connection, name: str, namespace: str, selector: str) -> FetchTask:
    path = f"/api/v1/namespaces/{namespace}/events" if namespace else "/api/v1/events"
    how = f"{'selected-' if selector else ''}in-namespace" if namespace else "selected"

    def fetch() -> list[str]:
        columns: list[str] = []
        rows: list[list[object]] = []
        for page in fetch_pages(
            connection, path, Table[Meta], ACCEPT, {"fieldSelector": selector} if selector else None
        ):
            columns = ["Namespace", *(column.name for column in page.columns)]
            rows += [[row.head.namespace, *row.cells] for row in page.rows]
            if len(rows) >= MOST_EVENTS:
                break
        return print_rows(columns, rows) if rows else []

    command = build_command(how, resource="events", namespace=namespace, selector=selector)
    return FetchTask(name, command, needs.EVENTS, fetch, from_etcd=True)


def fetch_workloads(connection: Connection, overview: ClusterOverview) -> list[FetchTask]:
    """The DaemonSets of calico-node and kube-proxy, and Typha, in full."""
    wanted = [("daemonsets", *agent) for agent in sorted(overview.agents)]
    wanted += [("daemonsets", _KUBE, "kube-proxy")]
    wanted += sorted({("deployments", pod.namespace, "calico-typha") for pod in overview.list_pods("typha")})
    return [
        FetchTask(
            build_member_name(resource, namespace, f"{name}.yaml"),
            build_command("object", resource=resource, namespace=namespace, name=name),
            needs.WORKLOADS,
            _fetch_one(connection, f"/apis/apps/v1/namespaces/{namespace}/{resource}/{name}"),
            optional=True,
        )
        for resource, namespace, name in wanted
    ]


def fetch_settings(connection: Connection, overview: ClusterOverview) -> list[FetchTask]:
    """The ConfigMaps that tell how the cluster was set up."""
    places = sorted({_KUBE, *overview.list_namespaces()})
    return [
        FetchTask(
            build_member_name("configmaps", namespace, f"{name}.yaml"),
            build_command("object", resource="configmaps", namespace=namespace, name=name),
            needs.SETUP,
            _fetch_one(connection, f"/api/v1/namespaces/{namespace}/configmaps/{name}"),
            optional=True,
        )
        for namespace in places
        for name in needs.CONFIG_MAPS
    ]


def _fetch_one(connection: Connection, path: str) -> Callable[[], list[str]]:
    return lambda: objects.fetch_one(connection, path)


WELL_KNOWN = ("kube-system", "calico-system", "tigera-operator", "calico-apiserver")
"""Where Calico usually lives: looked at wherever else it is found, too."""
LABELS = "k8s-app in (calico-node,canal,calico-typha)"
NOT_UP = "status.phase!=Running,status.phase!=Succeeded"
READYZ = "readyz.txt"
LOST_ETCD = ("[-]etcd failed", "[-]etcd-readiness failed")
MOST_STRAYS = 500
"""Pods that do not come up: enough to see what they wait for."""


class _Version(Struct, frozen=True):
    git: str = msgspec.field(default="", name="gitVersion")


class _Resource(Struct, frozen=True):
    name: str


class Resources(Struct, frozen=True):
    """What a group of the API serves."""

    resources: list[_Resource]

    def names(self) -> list[str]:
        """The plural names, without subresources."""
        return sorted(one.name for one in self.resources if "/" not in one.name)


def fetch_version(connection: Connection) -> FetchTask:
    """What answers there."""

    def fetch() -> list[str]:
        told = decode_body(_Version, connection.get("/version"), "/version")
        return [f"Server Version: {told.git}"]

    return FetchTask("version.txt", build_command("version"), None, fetch)


def check_health(connection: Connection, name: str = READYZ) -> FetchTask:
    """Whether the API server and its etcd are well: lists alone do not tell, they come from memory."""

    def fetch() -> list[str]:
        try:
            return connection.get("/readyz", {"verbose": ""}).decode("utf-8", "replace").splitlines()
        except Trouble as trouble:
            # An API server that is not ready says so with an error, and names the failing check in its body.
            if not trouble.body.lstrip().startswith(b"["):
                raise
            return trouble.body.decode("utf-8", "replace").splitlines()

    return FetchTask(name, build_command("readyz"), None, fetch, optional=True, essential=True)


def is_without_etcd(readyz: Sequence[str]) -> bool:
    """Whether the API server says that it has lost its etcd."""
    return any(line.startswith(LOST_ETCD) for line in readyz)


def list_daemonsets(connection: Connection, overview: ClusterOverview) -> FetchTask:
    """All DaemonSets: their images tell which one is calico-node."""

    def fetch() -> list[str]:
        columns: list[str] = []
        rows = []
        for page in fetch_table(connection, "/apis/apps/v1/daemonsets"):
            overview.add_daemonsets(page)
            columns = ["Namespace", *(column.name for column in page.columns)]
            rows += [[row.head.namespace, *row.cells] for row in page.rows]
        return print_rows(columns, rows) if rows else []

    return FetchTask("daemonsets.txt", build_command("list", resource="daemonsets"), needs.WORKLOADS, fetch)


def list_served(connection: Connection, group: str, version: str, found: dict[str, Sequence[str]]) -> FetchTask:
    """Which resources of a group the cluster has; what it lacks matters as much."""

    def fetch() -> list[str]:
        path = f"/apis/{group}/{version}"
        found[group] = decode_body(Resources, connection.get(path), path).names()
        return [f"{name}.{group}" for name in found[group]]

    command = build_command("api-resources", resource=group)
    return FetchTask(build_member_name("api-resources", f"{group}.txt"), command, None, fetch, optional=True)


def list_nodes(connection: Connection, overview: ClusterOverview) -> FetchTask:
    """All nodes. Their text is made of the overview later, so that an interrupted list is not lost."""

    def fetch() -> list[str]:
        for page in fetch_annotated(connection, "/api/v1/nodes"):
            overview.add_nodes(page)
        return []

    return FetchTask("nodes.txt", build_command("nodes"), needs.NODES, fetch)


def count_pods(connection: Connection, overview: ClusterOverview) -> FetchTask:
    """All pods, as mere rows: which node, ready or not, waiting for an address."""

    def fetch() -> list[str]:
        for page in fetch_table(connection, "/api/v1/pods", NO_HEADS):
            overview.count(page)
        return []

    return FetchTask("pods-by-node.txt", build_command("list", resource="pods"), needs.PODS, fetch)


def list_pods(connection: Connection, overview: ClusterOverview) -> list[FetchTask]:
    """The pods of the namespaces in which the machinery lives, and those anywhere that do not come up."""
    places = sorted(
        {*WELL_KNOWN, *(namespace for namespace, _ in overview.agents)}
        | _find_labelled_namespaces(connection, overview)
    )
    return [*(_list_pods_of(connection, overview, place) for place in places), _list_strays(connection, overview)]


def _find_labelled_namespaces(connection: Connection, overview: ClusterOverview) -> set[str]:
    """Where calico-node is by its label; asked only where no DaemonSet has told."""
    if overview.agents:
        return set()
    try:
        found = fetch_table(connection, "/api/v1/pods", {"labelSelector": LABELS})
        return {row.head.namespace for page in found for row in page.rows}
    except Trouble:
        return set()


def _list_pods_of(connection: Connection, overview: ClusterOverview, namespace: str) -> FetchTask:
    def fetch() -> list[str]:
        for page in fetch_table(connection, f"/api/v1/namespaces/{namespace}/pods", NO_HEADS):
            overview.add_pods(namespace, page)
        return []

    command = build_command("in-namespace", resource="pods", namespace=namespace)
    return FetchTask(f"pods of {namespace}", command, needs.PODS, fetch)


def _list_strays(connection: Connection, overview: ClusterOverview) -> FetchTask:
    def fetch() -> list[str]:
        for page in fetch_table(connection, "/api/v1/pods", {"fieldSelector": NOT_UP}):
            overview.add_strays(page, MOST_STRAYS)
        return []

    command = build_command("selected", resource="pods", selector=NOT_UP)
    return FetchTask("pods that do not come up", command, needs.PODS, fetch)
