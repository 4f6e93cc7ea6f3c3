"""Signs in Typha's Deployment and Service, in who tries to reach it, and in what a cloud lets through to it."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import TyphaAttempt
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Reach
from calivet.facts.host import Socket
from calivet.facts.kubernetes import Row
from calivet.facts.security import CloudRules
from calivet.signs.sighting import Sighting

_TYPHA = "calico-typha"
_PORT = 5473


def find_typha_wanted_nowhere(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The Deployment asks for no Typha at all."""
    for row in _list_rows(cluster, "deployment"):
        if row.cells.get("READY") == "0/0" or row.cells.get("DESIRED") == "0":
            yield Sighting(line=row.at)


def find_typha_without_endpoint(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The Service has nobody behind it."""
    for row in _list_rows(cluster, "endpoints"):
        if row.cells.get("ENDPOINTS") in ("", "<none>"):
            yield Sighting(line=row.at)


def find_typha_port_closed(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test from a node did not reach Typha's port, and none of that node reached another Typha."""
    tests = [reach for reach in cluster.all(Reach) if reach.port == _PORT and not reach.pod]
    connected = {reach.host for reach in tests if reach.outcome == "ok"}
    for reach in tests:
        if reach.outcome != "ok" and reach.host not in connected:
            node = cluster.names.find_node_or_host(reach.host)
            yield Sighting(line=reach.at, node=node, values={"target": reach.target, "outcome": reach.outcome})


def find_typha_syn_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A connection to Typha's port was asked for, and nothing came back so far."""
    for socket in cluster.all(Socket):
        if socket.state == "SYN_SENT" and (socket.peer or "").endswith(f":{_PORT}"):
            node = cluster.names.find_node_or_host(socket.host)
            yield Sighting(line=socket.at, node=node, values={"peer": socket.peer or ""})


def find_typha_connection_unfinished(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The last that a log says of Typha is that it is being connected to: that takes milliseconds where it works."""
    for attempt in cluster.all(TyphaAttempt):
        values = {"address": attempt.address or f"port {_PORT}"}
        yield Sighting(line=attempt.at, node=cluster.names.node(attempt.host), values=values)


def _list_rows(cluster: ClusterFacts, resource: str) -> Iterator[Row]:
    return (row for row in cluster.all(Row) if row.resource == resource and row.name == _TYPHA)


def find_cloud_rules_without_typha(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Typha is in use, and the cloud's rules name ports but not Typha's."""
    if not cluster.pods("typha"):
        return
    for rules in cluster.all(CloudRules):
        if rules.ranges and not rules.does_let_through(_PORT):
            yield Sighting(line=rules.at)


SIGNS = {
    "typha-wanted-nowhere": find_typha_wanted_nowhere,
    "typha-without-endpoint": find_typha_without_endpoint,
    "typha-port-closed": find_typha_port_closed,
    "typha-syn-unanswered": find_typha_syn_unanswered,
    "typha-connection-unfinished": find_typha_connection_unfinished,
    "cloud-rules-without-typha": find_cloud_rules_without_typha,
}
