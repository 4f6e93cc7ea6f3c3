"""The first errands: the API server's own health, where Calico lives, all nodes and all pods."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from calivet.live import needs
from calivet.live.connection import Connection
from calivet.live.errands import Errand
from calivet.live.pages import NO_HEADS, annotated, decoded, table
from calivet.live.survey import Survey
from calivet.live.tables import printed
from calivet.live.trouble import Trouble

WELL_KNOWN = ("kube-system", "calico-system", "tigera-operator", "calico-apiserver")
"""Where Calico usually lives: looked at wherever else it is found, too."""
LABELS = "k8s-app in (calico-node,canal,calico-typha)"
NOT_UP = "status.phase!=Running,status.phase!=Succeeded"
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


def health(connection: Connection) -> list[Errand]:
    """Whether the API server and its etcd are well, and what they are."""

    def version() -> list[str]:
        told = msgspec.json.decode(connection.get("/version"), type=_Version)
        return [f"Server Version: {told.git}"]

    def readiness() -> list[str]:
        try:
            return connection.get("/readyz", {"verbose": ""}).decode("utf-8", "replace").splitlines()
        except Trouble as trouble:
            # An API server that is not ready says so with an error, and names the failing check in its body.
            if not trouble.body.lstrip().startswith(b"["):
                raise
            return trouble.body.decode("utf-8", "replace").splitlines()

    return [
        Errand("version.txt", "kubectl version", None, version),
        Errand("readyz.txt", "kubectl get --raw '/readyz?verbose'", None, readiness, optional=True),
    ]


def daemonsets(connection: Connection, survey: Survey) -> Errand:
    """All DaemonSets: their images tell which one is calico-node."""

    def fetch() -> list[str]:
        columns: list[str] = []
        rows = []
        for page in table(connection, "/apis/apps/v1/daemonsets"):
            survey.add_daemonsets(page)
            columns = ["Namespace", *(column.name for column in page.columns)]
            rows += [[row.head.namespace, *row.cells] for row in page.rows]
        return printed(columns, rows) if rows else []

    return Errand("daemonsets.txt", "kubectl get daemonsets -A -o wide", needs.WORKLOADS, fetch)


def served(connection: Connection, group: str, version: str, found: dict[str, Sequence[str]]) -> Errand:
    """Which resources of a group the cluster has; what it lacks matters as much."""

    def fetch() -> list[str]:
        path = f"/apis/{group}/{version}"
        found[group] = decoded(msgspec.json.Decoder(Resources), connection.get(path), path).names()
        return [f"{name}.{group}" for name in found[group]]

    command = f"kubectl api-resources --api-group={group} -o name"
    return Errand(f"api-resources/{group}.txt", command, None, fetch, optional=True)


def nodes(connection: Connection, survey: Survey) -> Errand:
    """All nodes. Their text is made of the survey later, so that an interrupted list is not lost."""

    def fetch() -> list[str]:
        for page in annotated(connection, "/api/v1/nodes"):
            survey.add_nodes(page)
        return []

    return Errand("nodes.txt", "kubectl get nodes -o wide", needs.NODES, fetch)


def counted(connection: Connection, survey: Survey) -> Errand:
    """All pods, as mere rows: which node, ready or not, waiting for an address."""

    def fetch() -> list[str]:
        for page in table(connection, "/api/v1/pods", NO_HEADS):
            survey.count(page)
        return []

    return Errand("pods-by-node.txt", "kubectl get pods -A -o wide", needs.PODS, fetch)


def pods(connection: Connection, survey: Survey) -> list[Errand]:
    """The pods of the namespaces in which the machinery lives, and those anywhere that do not come up."""
    places = sorted({*WELL_KNOWN, *(namespace for namespace, _ in survey.agents)} | _labelled(connection, survey))
    return [*(_pods_of(connection, survey, place) for place in places), _strays(connection, survey)]


def _labelled(connection: Connection, survey: Survey) -> set[str]:
    """Where calico-node is by its label; asked only where no DaemonSet has told."""
    if survey.agents:
        return set()
    try:
        found = table(connection, "/api/v1/pods", {"labelSelector": LABELS})
        return {row.head.namespace for page in found for row in page.rows}
    except Trouble:
        return set()


def _pods_of(connection: Connection, survey: Survey, namespace: str) -> Errand:
    def fetch() -> list[str]:
        for page in table(connection, f"/api/v1/namespaces/{namespace}/pods", NO_HEADS):
            survey.add_pods(namespace, page)
        return []

    return Errand(f"pods of {namespace}", f"kubectl get pods -n {namespace} -o wide", needs.PODS, fetch)


def _strays(connection: Connection, survey: Survey) -> Errand:
    def fetch() -> list[str]:
        for page in table(connection, "/api/v1/pods", {"fieldSelector": NOT_UP}):
            survey.add_strays(page, MOST_STRAYS)
        return []

    command = f"kubectl get pods -A -o wide --field-selector {NOT_UP}"
    return Errand("pods that do not come up", command, needs.PODS, fetch)
