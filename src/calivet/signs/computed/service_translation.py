"""Signs of who translates the API server's service address on a node: kube-proxy's rules, or nobody."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.fact import Fact
from calivet.facts.host import FirewallRule, VirtualServer
from calivet.facts.kubernetes import Object, Row
from calivet.facts.picture import Picture
from calivet.signs.computed.api_reach import is_service_address
from calivet.signs.computed.bpf import bpf_on
from calivet.signs.computed.service_rules import service_rule_missing
from calivet.signs.sighting import Sighting

_RULE = "default/kubernetes:https cluster IP"
_SERVICES_ENDPOINT = "kubernetes-services-endpoint"
_OPERATOR_NAMESPACE = "tigera-operator"


def service_rule_present(picture: Picture) -> Iterator[Sighting]:
    """A node that has trouble, or one of which nothing is known, has a rule for the service address."""
    lacking = {sighting.node for sighting in service_rule_missing(picture)}
    for fact in _rules(picture):
        node = picture.names.node(fact.host) or fact.host
        elsewhere = node and picture.sick_nodes and node not in picture.sick_nodes
        # Rules of a node that works tell nothing about one that has none, or that was not looked at.
        if not elsewhere and node not in lacking:
            yield Sighting(line=fact.at, node=node)


def kube_proxy_wanted_nowhere(picture: Picture) -> Iterator[Sighting]:
    """The DaemonSet of kube-proxy is kept, and selects no node."""
    for row in picture.all(Row):
        if (row.name or "").endswith("kube-proxy") and row.cells.get("DESIRED") == "0":
            yield Sighting(line=row.at)


def services_endpoint_missing(picture: Picture) -> Iterator[Sighting]:
    """eBPF without kube-proxy, and the operator's namespace has no ConfigMap with the API server's real address."""
    if not any(bpf_on(picture)) and not any(kube_proxy_wanted_nowhere(picture)):
        return
    # From 3.31 on the operator can be told to find the address by itself.
    if any(path.endswith("bpfNetworkBootstrap") for thing in picture.all(Object) for path in thing.values):
        return
    rows = [row for row in picture.all(Row) if row.resource == "configmap" and row.namespace == _OPERATOR_NAMESPACE]
    # Every namespace has the cluster's CA; a list without it was filtered.
    whole = any((row.name or "").startswith("kube-root-ca") for row in rows)
    if whole and not any(row.name == _SERVICES_ENDPOINT for row in rows):
        yield Sighting(line=rows[0].at)


def _rules(picture: Picture) -> Iterator[Fact]:
    for rule in picture.all(FirewallRule):
        if _RULE in rule.rule:
            yield rule
    for server in picture.all(VirtualServer):
        port = int(server.port) if server.port.isdecimal() else None
        if server.backends and is_service_address(server.address, port, picture):
            yield server


SIGNS = {
    "service-rule-present": service_rule_present,
    "kube-proxy-wanted-nowhere": kube_proxy_wanted_nowhere,
    "services-endpoint-missing": services_endpoint_missing,
}
