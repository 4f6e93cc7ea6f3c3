"""Signs in policies as they are written, for pods and for the hosts themselves."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import EgressRules, LogSpan
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.fact import Command, FailedLookup, Reach, Silence
from calivet.facts.kubernetes import Object, Pod, Row
from calivet.facts.selectors import Subject, fits
from calivet.facts.vocabulary.commands import asks_for_global_policies, lists_policies_of_namespaces
from calivet.facts.vocabulary.messages import find_silent_address
from calivet.forecast.policies import (
    EGRESS,
    INGRESS,
    build_endpoint,
    find_api_blocker,
    find_blocker,
    list_directions,
    list_rules,
)
from calivet.signs.sighting import Sighting

_POLICIES = ("NetworkPolicy", "GlobalNetworkPolicy")
_NODE_PORTS = range(30000, 32768)
_LOST = ("timeout", "loss")
_DNS = "53"
_KUBE = "kube-system"
_SYSTEM = frozenset((_KUBE, "kube-public", "kube-node-lease", "calico-system", "calico-apiserver", "tigera-operator"))
"""Where no application lives."""
_SEVERAL = 2
"""Pods; one alone may be meant to reach nobody."""
_NAME_SERVER = {"k8s-app": "kube-dns"}


def find_policy_names_node_port(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A policy for pods that allows a port which only services have."""
    for policy in _list_policies(cluster):
        for path, value in policy.values.items():
            if _is_port(path) and isinstance(value, int) and value in _NODE_PORTS and not _is_for_hosts(policy):
                yield _build_sighting(policy, port=str(value))


def find_policy_type_without_rules(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A policy that covers a direction and allows nothing there, beside rules for the other direction."""
    for policy in _list_policies(cluster):
        empty = [way for way in list_directions(policy) if not list_rules(policy, way)]
        if empty and _has_rules(policy):
            yield _build_sighting(policy, direction=", ".join(empty))


def find_policy_egress_without_dns(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A policy that restricts egress to ports among which DNS is not."""
    for policy in _list_policies(cluster):
        ports = [
            str(value) for path, value in policy.values.items() if path.startswith("spec.egress") and _is_port(path)
        ]
        if EGRESS in list_directions(policy) and ports and _DNS not in ports:
            yield _build_sighting(policy)


def find_deny_policy_and_lost_traffic(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A policy that allows nothing, and tests that got no answer."""
    if not _is_traffic_lost(cluster):
        return
    for policy in _list_policies(cluster):
        if not _has_rules(policy):
            yield _build_sighting(policy)


def find_lookup_fails_under_policy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Name lookups fail where a policy restricts egress without DNS, or denies everything."""
    if not any(find_policy_egress_without_dns(cluster)) and not any(
        _is_egress_denied(policy) for policy in _list_policies(cluster)
    ):
        return
    yield from (Sighting(line=lookup.at) for lookup in cluster.all(FailedLookup))


def find_every_pod_denied_dns(cluster: ClusterFacts) -> Iterator[Sighting]:
    """No application resolves names, over a global policy; one that shuts the hosts too is another fault."""
    blocker = _find_blocker_of_all(cluster)
    if blocker and blocker.kind == "GlobalNetworkPolicy" and not _does_shut_hosts(blocker, cluster):
        yield Sighting(line=blocker.at, values={"global_policy": blocker.name or ""})


def _does_shut_hosts(policy: Object, cluster: ClusterFacts) -> bool:
    """Whether it selects host endpoints as well, and tests of the hosts show it: then more is lost than lookups."""
    selector = str(policy.values.get("spec.selector") or "all()")
    is_for_pods = "spec.namespaceSelector" in policy.values or fits(selector, Subject({})) is False
    return not is_for_pods and any(_find_host_endpoints(cluster)) and any(find_only_failsafe_ports_answer(cluster))


def find_nothing_leaves_pods(cluster: ClusterFacts) -> Iterator[Sighting]:
    """On a machine with several pods, policies restrict all of them and no rule of any policy lets a packet out."""
    for rules in cluster.all(EgressRules):
        if rules.restricted == rules.workloads >= _SEVERAL and not rules.allowing:
            values = {"workloads": str(rules.workloads)}
            yield Sighting(line=rules.at, node=cluster.names.find_node_or_host(rules.host), values=values)


def find_name_server_shut(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same over a policy of the name servers' own namespace."""
    blocker = _find_blocker_of_all(cluster)
    if blocker and blocker.kind == "NetworkPolicy":
        yield _build_sighting(blocker, namespace=blocker.namespace or "")


def find_name_server_cut_from_api(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All policies of namespaces were listed, and one lets the name servers reach no API server."""
    if not any(lists_policies_of_namespaces(one.line) for one in cluster.all(Command)):
        return
    policies = [*_list_policies(cluster), *(thing for thing in cluster.all(Object) if thing.kind == "Tier")]
    servers = [pod.namespace for pod in cluster.list_latest_pods("dns") if pod.namespace]
    blocker = find_api_blocker(policies, build_endpoint(servers[0], _NAME_SERVER)) if servers else None
    if blocker and blocker is not _find_blocker_of_all(cluster):
        yield _build_sighting(blocker, namespace=blocker.namespace or servers[0])


@once
def _find_blocker_of_all(cluster: ClusterFacts) -> Object | None:
    """The policy that keeps all pods from name servers; what spares the system's own pods may be the half of a plan.

    The other half would be the policies of the namespaces: so these must have been listed too.
    """
    policies = [*_list_policies(cluster), *(thing for thing in cluster.all(Object) if thing.kind == "Tier")]
    servers = [pod.namespace for pod in cluster.list_latest_pods("dns") if pod.namespace]
    server = build_endpoint(servers[0] if servers else _KUBE, _NAME_SERVER)
    spaces = {pod.namespace for pod in cluster.all(Pod) if pod.namespace} - _SYSTEM
    clients = [build_endpoint(space) for space in sorted(spaces)] or [build_endpoint(None, never=_SYSTEM)]
    blockers = [find_blocker(policies, client, server) for client in clients] if policies else [None]
    if None in blockers:
        return None
    is_system_cut_off = find_blocker(policies, build_endpoint(_KUBE), server) is not None
    is_global = all(blocker and blocker.kind == "GlobalNetworkPolicy" for blocker in blockers)
    is_listed = any(lists_policies_of_namespaces(one.line) for one in cluster.all(Command))
    return blockers[0] if is_listed or (is_global and is_system_cut_off) else None


def find_policy_names_unlabelled_namespace(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A policy admits a namespace by a label that no listed namespace carries."""
    rows = [row for row in cluster.all(Row) if row.resource == "namespace" and "LABELS" in row.cells]
    labels = {label for row in rows for label in row.cells["LABELS"].split(",")}
    for policy in _list_policies(cluster) if rows else ():
        for path, value in policy.values.items():
            key = path.partition("namespaceSelector.matchLabels.")[2]
            if key and f"{key}={value}" not in labels:
                yield _build_sighting(policy, label=f"{key}={value}")


def find_node_reaches_service_pods_not(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A service address answers the node, while a pod of Calico's own gets no answer from it."""
    answered = {reach.target for reach in cluster.all(Reach) if reach.outcome == "ok" and not reach.pod}
    for span in cluster.all(LogSpan):
        address = find_silent_address(span.last_message)
        if address and address in answered and span.program == "kube-controllers":
            yield Sighting(line=span.at, node=cluster.find_node_of_pod(span.pod), values={"address": address})


def _is_egress_denied(policy: Object) -> bool:
    return EGRESS in list_directions(policy) and not list_rules(policy, EGRESS)


def _is_traffic_lost(cluster: ClusterFacts) -> bool:
    """Whether a test, or a tool in a short output, met silence."""
    return bool(cluster.all(Silence)) or any(reach.outcome in _LOST for reach in cluster.all(Reach))


@once
def _list_policies(cluster: ClusterFacts) -> list[Object]:
    return [thing for thing in cluster.all(Object) if thing.kind in _POLICIES or _looks_like_policy(thing)]


def _looks_like_policy(thing: Object) -> bool:
    """A fragment that was cut off from its head."""
    pods = any(path.startswith("spec.podSelector") for path in thing.values)
    return thing.kind is None and pods and any(path.startswith("spec.policyTypes[") for path in thing.values)


def _is_port(path: str) -> bool:
    """spec.egress[0].ports[1], or the .port below it."""
    name, _, number = path.removesuffix(".port").rpartition("[")
    return name.endswith(".ports") and number.removesuffix("]").isdigit()


def _has_rules(policy: Object) -> bool:
    return any(list_rules(policy, way) for way in (INGRESS, EGRESS))


def _is_for_hosts(policy: Object) -> bool:
    return any(path in policy.values for path in ("spec.preDNAT", "spec.applyOnForward"))


def _build_sighting(policy: Object, **values: str) -> Sighting:
    return Sighting(line=policy.at, values={"name": policy.name or "", **values})


# Ports that stay open whatever the policy says.
_LABELS = "metadata.labels."
_FAILSAFE = (22, 179, 2379, 2380, 5473, 6443, 6666, 6667)


def find_host_endpoint_with_policy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Host endpoints exist, and a global policy that may apply to them; the policy's line speaks."""
    first = next(_find_host_endpoints(cluster), None)
    policy = _find_global_policy(cluster)
    if first and policy:
        yield Sighting(line=policy, values=first.values)


def find_host_endpoint_with_nothing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A host endpoint without a profile, and all global policies were listed without one that selects it.

    What neither allows is dropped, so of the machine only the failsafe ports are left.
    """
    policies = [thing for thing in _list_policies(cluster) if thing.kind == "GlobalNetworkPolicy"]
    if not any(asks_for_global_policies(one.line) for one in cluster.all(Command)):
        return
    for thing in cluster.all(Object):
        if thing.kind != "HostEndpoint" or thing.partial or _has_profile(thing):
            continue
        labels = {
            path.removeprefix(_LABELS): str(value) for path, value in thing.values.items() if path.startswith(_LABELS)
        }
        selected = [fits(str(policy.values.get("spec.selector") or "all()"), Subject(labels)) for policy in policies]
        if not any(answer is not False for answer in selected):
            node = cluster.names.node(str(thing.values.get("spec.node") or ""))
            yield Sighting(line=thing.at, node=node, values={"name": thing.name or ""})


def _has_profile(endpoint: Object) -> bool:
    return any(path.startswith("spec.profiles[") for path in endpoint.values)


def find_only_failsafe_ports_answer(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A machine answers on a failsafe port and not on another one."""
    tests = [reach for reach in cluster.all(Reach) if reach.port and not reach.pod]
    open_ones = {reach.target for reach in tests if reach.port in _FAILSAFE and reach.outcome == "ok"}
    for reach in tests:
        if reach.target in open_ones and reach.port not in _FAILSAFE and reach.outcome == "timeout":
            node = cluster.names.node(reach.target)
            yield Sighting(line=reach.at, node=node, values={"target": reach.target, "port": str(reach.port)})


def find_host_endpoints_and_sick_calico(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Host endpoints exist where calico-node or a node is sick."""
    if cluster.sick_nodes or any(is_sick(pod) for pod in cluster.list_latest_pods("calico-node")):
        yield from _find_host_endpoints(cluster)


def _find_global_policy(cluster: ClusterFacts) -> Line | None:
    for thing in cluster.all(Object):
        if thing.kind == "GlobalNetworkPolicy":
            return thing.at
    for row in cluster.all(Row):
        if row.resource == "globalnetworkpolicy":
            return row.at
    asked = (one for one in cluster.all(Command) if asks_for_global_policies(one.line))
    return next((one.at for one in asked if one.printed > 1), None)


def _find_host_endpoints(cluster: ClusterFacts) -> Iterator[Sighting]:
    for thing in cluster.all(Object):
        if thing.kind == "HostEndpoint":
            yield Sighting(line=thing.at, values={"name": thing.name or ""})
    for row in cluster.all(Row):
        if row.resource in ("hostendpoint", "hep", "heps"):
            yield Sighting(line=row.at, values={"name": row.name or ""})


SIGNS = {
    "policy-names-node-port": find_policy_names_node_port,
    "policy-type-without-rules": find_policy_type_without_rules,
    "policy-egress-without-dns": find_policy_egress_without_dns,
    "every-pod-denied-dns": find_every_pod_denied_dns,
    "nothing-leaves-pods": find_nothing_leaves_pods,
    "name-server-shut": find_name_server_shut,
    "deny-policy-and-lost-traffic": find_deny_policy_and_lost_traffic,
    "lookup-fails-under-policy": find_lookup_fails_under_policy,
    "policy-names-unlabelled-namespace": find_policy_names_unlabelled_namespace,
    "node-reaches-service-pods-not": find_node_reaches_service_pods_not,
    "host-endpoint-with-policy": find_host_endpoint_with_policy,
    "host-endpoint-with-nothing": find_host_endpoint_with_nothing,
    "name-server-cut-from-api": find_name_server_cut_from_api,
    "only-failsafe-ports-answer": find_only_failsafe_ports_answer,
    "host-endpoints-and-sick-calico": find_host_endpoints_and_sick_calico,
}
