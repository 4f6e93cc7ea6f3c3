"""What stands around calico-node: workloads, services, settings and events of the namespaces it lives in."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from calivet.live import needs, objects
from calivet.live.connection import Connection
from calivet.live.errands import Errand
from calivet.live.needs import Need
from calivet.live.pages import NO_HEADS, pages, table
from calivet.live.survey import Survey
from calivet.live.tables import ACCEPT, Meta, Table, printed

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


def tables(connection: Connection, survey: Survey) -> list[Errand]:
    """Deployments, services and endpoints."""
    places = sorted({"default", *survey.namespaces()})
    return [_table(connection, resource, path, need, places) for resource, path, need in _TABLES]


def _table(connection: Connection, resource: str, path: str, need: Need, namespaces: Iterable[str]) -> Errand:
    def fetch() -> list[str]:
        columns: list[str] = []
        rows = []
        for namespace in namespaces:
            for page in table(connection, path.format(namespace), NO_HEADS):
                columns = ["Namespace", *(column.name for column in page.columns)]
                rows += [[namespace, *row.cells] for row in page.rows]
        return printed(columns, rows) if rows else []

    return Errand(f"{resource}.txt", f"kubectl get {resource} -A -o wide", need, fetch)


def events(connection: Connection, survey: Survey) -> list[Errand]:
    """The events of each namespace of the machinery, and the telling ones of all others."""
    found = [_events(connection, f"events/{place}.txt", place, "") for place in survey.namespaces() or [_KUBE]]
    found.append(_events(connection, "events/nodes.txt", _OF_NODES, _NODES))
    found.append(_events(connection, "events/sandboxes.txt", "", _SANDBOX))
    return found


def _events(connection: Connection, name: str, namespace: str, selector: str) -> Errand:
    path = f"/api/v1/namespaces/{namespace}/events" if namespace else "/api/v1/events"
    where = f"-n {namespace}" if namespace else "-A"
    filtered = f" --field-selector {selector}" if selector else ""

    def fetch() -> list[str]:
        columns: list[str] = []
        rows: list[list[object]] = []
        for page in pages(connection, path, Table[Meta], ACCEPT, {"fieldSelector": selector} if selector else None):
            columns = ["Namespace", *(column.name for column in page.columns)]
            rows += [[row.head.namespace, *row.cells] for row in page.rows]
            if len(rows) >= MOST_EVENTS:
                break
        return printed(columns, rows) if rows else []

    return Errand(name, f"kubectl get events {where} -o wide{filtered}", needs.EVENTS, fetch)


def workloads(connection: Connection, survey: Survey) -> list[Errand]:
    """The DaemonSets of calico-node and kube-proxy, and Typha, in full."""
    wanted = [("daemonsets", *agent) for agent in sorted(survey.agents)]
    wanted += [("daemonsets", _KUBE, "kube-proxy")]
    wanted += sorted({("deployments", pod.namespace, "calico-typha") for pod in survey.of("typha")})
    return [
        Errand(
            f"{resource}/{namespace}/{name}.yaml",
            f"kubectl get {resource} -n {namespace} {name} -o yaml",
            needs.WORKLOADS,
            _one(connection, f"/apis/apps/v1/namespaces/{namespace}/{resource}/{name}"),
            optional=True,
        )
        for resource, namespace, name in wanted
    ]


def settings(connection: Connection, survey: Survey) -> list[Errand]:
    """The ConfigMaps that tell how the cluster was set up."""
    places = sorted({_KUBE, *survey.namespaces()})
    return [
        Errand(
            f"configmaps/{namespace}/{name}.yaml",
            f"kubectl get configmaps -n {namespace} {name} -o yaml",
            needs.SETUP,
            _one(connection, f"/api/v1/namespaces/{namespace}/configmaps/{name}"),
            optional=True,
        )
        for namespace in places
        for name in needs.CONFIG_MAPS
    ]


def _one(connection: Connection, path: str) -> Callable[[], list[str]]:
    return lambda: objects.one(connection, path)
