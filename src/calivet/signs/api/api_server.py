"""Signs of the way to the API server: its own address, its service address, and kube-proxy behind the latter."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick, once
from calivet.facts.fact import Command, EmptySearch, Fact, FailedDial, Reach, Variable
from calivet.facts.host import FirewallRule, FirewallTable, Neighbour, Route, VirtualServer
from calivet.facts.kubernetes import Node, Object, Pod, Row
from calivet.facts.networks import is_first_of_range
from calivet.facts.vocabulary.commands import lists_all_routes, shows_part
from calivet.facts.vocabulary.messages import lacks_datastore
from calivet.signs.felix.dataplane import find_bpf_mode_on
from calivet.signs.sighting import Sighting

API_PORTS = (6443, 8443, 9443, 16443, 7443)


def find_api_endpoint_answers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test from a host reached the API server's own address."""
    return (
        _build_test_sighting(reach, cluster)
        for reach in _list_endpoint_tests(cluster)
        if reach.outcome in ("ok", "reset")
    )


def find_api_endpoint_fails(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test from a host did not reach the API server's own address."""
    return (
        _build_test_sighting(reach, cluster)
        for reach in _list_endpoint_tests(cluster)
        if reach.outcome not in ("ok", "reset")
    )


def find_service_address_answers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test from a host reached the API server's service address."""
    return (_build_test_sighting(reach, cluster) for reach in _list_service_tests(cluster) if reach.outcome == "ok")


def find_service_address_fails(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test from a host did not reach the API server's service address."""
    return (_build_test_sighting(reach, cluster) for reach in _list_service_tests(cluster) if reach.outcome != "ok")


def find_api_endpoint_of_nobody(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Behind the API server's service stand nodes of the cluster, and an address that is no node's."""
    known = {node.internal_ip for node in cluster.all(Node) if node.internal_ip}
    for row in cluster.all(Row):
        if row.resource != "endpoints" or row.name != "kubernetes" or row.namespace not in (None, "default"):
            continue
        hosts = [one.rpartition(":")[0].strip("[]") for one in row.cells.get("ENDPOINTS", "").split(",")]
        strangers = [host for host in hosts if host and host not in known]
        if strangers and len(strangers) < len(hosts):
            yield Sighting(line=row.at, values={"address": strangers[0]})


@once
def list_service_addresses(cluster: ClusterFacts) -> set[str]:
    """The API server's service address, where the evidence names it."""
    rows = (row for row in cluster.all(Row) if row.name in ("kubernetes", "service/kubernetes"))
    told = {row.cells["CLUSTER-IP"] for row in rows if row.cells.get("CLUSTER-IP")}
    return told | {one.value for one in cluster.all(Variable) if one.name == "KUBERNETES_SERVICE_HOST" and one.value}


def is_service_address(address: str, port: int | None, cluster: ClusterFacts) -> bool:
    """Whether this is where clients inside the cluster look for the API server."""
    return address in list_service_addresses(cluster) or (port == 443 and is_first_of_range(address))


def _list_endpoint_tests(cluster: ClusterFacts) -> Iterator[Reach]:
    for reach in cluster.all(Reach):
        if reach.port in API_PORTS and not reach.pod and reach.protocol != "icmp":
            yield reach


def _list_service_tests(cluster: ClusterFacts) -> Iterator[Reach]:
    for reach in cluster.all(Reach):
        if not reach.pod and reach.protocol != "icmp" and is_service_address(reach.target, reach.port, cluster):
            yield reach


def _build_test_sighting(reach: Reach, cluster: ClusterFacts) -> Sighting:
    values = {"target": reach.target, "port": str(reach.port or 443), "outcome": reach.outcome}
    return Sighting(line=reach.at, node=cluster.names.find_node_or_host(reach.host), values=values)


_UNRESOLVED = ("FAILED", "INCOMPLETE")
_HOST_UNREACHABLE = "Host Unreachable"
_ANSWERS = ("ok", "reset")


def find_api_address_unheld(cluster: ClusterFacts) -> Iterator[Sighting]:
    """No machine answers to the API server's address, while others on the same network do."""
    for at, address, host in _list_unheld_addresses(cluster):
        yield Sighting(line=at, node=cluster.names.find_node_or_host(host), values={"address": address})


def find_api_answers_elsewhere(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The API server answers at another address than the one that clients use in vain."""
    for reach in _list_endpoint_tests(cluster):
        dialled = _list_dialled_addresses(cluster) if reach.outcome in _ANSWERS else {}
        if dialled and reach.target not in dialled:
            vain = next(iter(dialled))
            values = {"target": f"{reach.target}:{reach.port}", "address": vain}
            yield Sighting(line=reach.at, node=cluster.names.find_node_or_host(reach.host), values=values)


def find_api_answers_where_asked(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test from a host reached the API server, and no other address is what clients fail at."""
    failed = {reach.target for reach in _list_endpoint_tests(cluster) if reach.outcome not in _ANSWERS}
    lost = {address for _, address, _ in _list_unheld_addresses(cluster)} | {
        one for one in failed if one in _list_dialled_addresses(cluster)
    }
    for reach in _list_endpoint_tests(cluster):
        if reach.outcome in _ANSWERS and not lost - {reach.target}:
            values = {"target": reach.target, "port": str(reach.port)}
            yield Sighting(line=reach.at, node=cluster.names.find_node_or_host(reach.host), values=values)


def find_start_without_datastore(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node's start still waits for its datastore, so there is nobody yet whom a probe could ask."""
    for span in cluster.all(LogSpan):
        if span.program == "startup" and lacks_datastore(span.last_message):
            yield Sighting(line=span.at, node=span.host or cluster.find_node_of_pod(span.pod))


@once
def _list_unheld_addresses(cluster: ClusterFacts) -> list[tuple[Line, str, str | None]]:
    """Where the neighbour table or a ping says so; if it says so of everybody, the asking machine is cut off itself."""
    table = cluster.all(Neighbour)
    resolved = {(entry.host, entry.device) for entry in table if entry.hardware}
    found = [
        (entry.at, entry.address, entry.host)
        for entry in table
        if entry.state in _UNRESOLVED and not entry.hardware and (entry.host, entry.device) in resolved
    ]
    alive = {host for host, _ in resolved} | {test.host for test in cluster.all(Reach) if test.outcome == "ok"}
    for reach in cluster.all(Reach):
        lost = reach.protocol == "icmp" and _HOST_UNREACHABLE in (reach.detail or "") and not reach.pod
        if lost and reach.host in alive:
            found.append((reach.at, reach.target, reach.host))
    # An address of a node that is gone is a matter of that node.
    return [one for one in found if one[1] in _list_dialled_addresses(cluster) and not cluster.names.node(one[1])]


@once
def _list_dialled_addresses(cluster: ClusterFacts) -> dict[str, None]:
    """Addresses of API servers, other than the service's, that some client failed to reach."""
    found: dict[str, None] = {}
    for dial in cluster.all(FailedDial):
        asked = dial.of_api or dial.port in API_PORTS
        if asked and not is_service_address(dial.address, dial.port, cluster):
            found[dial.address] = None
    return found


_ENOUGH_PODS = 4


def find_kube_proxy_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node with a sick calico-node, in a list that shows kube-proxy for others or could have shown it."""
    for pods in _list_complete_pod_lists(cluster):
        proxied = {pod.node for pod in pods if cluster.role(pod) == "kube-proxy"}
        own_services = any(cluster.role(pod) == "apiserver" for pod in pods)
        for pod in pods:
            if cluster.role(pod) != "calico-node" or not is_sick(pod) or not pod.node or pod.node in proxied:
                continue
            if proxied or (own_services and len(pods) >= _ENOUGH_PODS):
                yield Sighting(line=pod.at, node=pod.node, values={"where": pod.node if proxied else "*"})


def find_node_without_kube_proxy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node whose calico-node is well has no kube-proxy, and most others have one that is well."""
    if any(find_bpf_mode_on(cluster)):
        return
    for pods in _list_complete_pod_lists(cluster):
        agents = {pod.node: pod for pod in pods if cluster.role(pod) == "calico-node" and pod.node}
        proxied = {pod.node for pod in pods if cluster.role(pod) == "kube-proxy" and is_healthy(pod)}
        lacking = [node for node, pod in agents.items() if is_healthy(pod) and node not in proxied]
        if len(proxied & agents.keys()) > len(lacking):
            sick = {pod.node for pod in pods if cluster.role(pod) == "kube-proxy"} - proxied
            for node in set(lacking) - sick:
                yield Sighting(line=agents[node].at, node=node, values={"node": str(node)})


def find_nobody_programs_services(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A whole list of pods, the API server's among them, shows no kube-proxy, and Felix's settings ask for no eBPF."""
    settings = any(thing.kind == "FelixConfiguration" and not thing.partial for thing in cluster.all(Object))
    if not settings or any(find_bpf_mode_on(cluster)) or cluster.pods("kube-proxy"):
        return
    for pods in _list_complete_pod_lists(cluster):
        roles = {cluster.role(pod): pod for pod in pods}
        if "apiserver" in roles and "calico-node" in roles and len(pods) >= _ENOUGH_PODS:
            yield Sighting(line=roles["calico-node"].at)
            return


def find_kube_proxy_sick(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kube-proxy was seen in a bad state, where calico-node is sick too or was not seen."""
    calico = {pod.node for pod in cluster.pods("calico-node") if pod.node}
    sick = {pod.node for pod in cluster.pods("calico-node") if is_sick(pod)}
    for pod in cluster.pods("kube-proxy"):
        if is_sick(pod) and (pod.node in sick or pod.node not in calico):
            values = {"node": pod.node or "*", "status": str(pod.status)}
            yield Sighting(line=pod.at, node=pod.node, values=values)


def find_service_rule_missing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The rules of a node were looked at, and none is for the API server's service address."""
    for search in cluster.all(EmptySearch):
        if search.what == "service-rules":
            node = cluster.names.find_node_or_host(search.host)
            yield Sighting(line=search.at, node=node, values={"what": "iptables"})
    yield from _find_ipvs_without_entry(cluster)
    yield from _find_tables_without_rule(cluster)


def _find_tables_without_rule(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node's whole table for services lacks the rule that the tables of other nodes have."""
    having = {fact.host for fact in _list_service_rules(cluster)}
    for table in cluster.all(FirewallTable) if having else ():
        if table.name == "nat" and table.host and table.host not in having:
            node = cluster.names.find_node_or_host(table.host)
            yield Sighting(line=table.at, node=node, values={"what": "iptables"})


def find_no_default_route(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A whole routing table without a default route: packets to a service address find no way even to be rewritten."""
    for command in cluster.all(Command):
        around = cluster.artifact(command.at)
        if not around or not lists_all_routes(command.line):
            continue
        routes = cluster.within(around, Route)
        if routes and not any(route.destination in ("default", "0.0.0.0/0", "0.0.0.0") for route in routes):
            yield Sighting(line=routes[0].at, node=cluster.names.find_node_or_host(command.host))


def _find_ipvs_without_entry(cluster: ClusterFacts) -> Iterator[Sighting]:
    for artifact in cluster.artifacts:
        if "ipvs" not in artifact.kinds or shows_part(cluster.find_command_of(artifact.at(0))):
            continue
        servers = cluster.within(artifact, VirtualServer)
        entries = [one for one in servers if is_service_address(one.address, _parse_number(one.port), cluster)]
        # A list without cluster DNS was broken off, unless it has nothing at all.
        whole = not servers or any(one.port == "53" for one in servers)
        if whole and not any(one.backends for one in entries):
            line = entries[0].at if entries else artifact.last
            node = cluster.names.find_node_or_host(artifact.host)
            yield Sighting(line=line, node=node, values={"what": "ipvs"})


def _list_complete_pod_lists(cluster: ClusterFacts) -> Iterator[list[Pod]]:
    """The pods of each list that was not cut down to a part."""
    for artifact in cluster.artifacts:
        if "kubectl-get" not in artifact.kinds or shows_part(cluster.find_command_of(artifact.at(0))):
            continue
        if pods := cluster.within(artifact, Pod):
            yield pods


def _parse_number(port: str) -> int | None:
    return int(port) if port.isdigit() else None


_RULE = "default/kubernetes:https cluster IP"
_SERVICES_ENDPOINT = "kubernetes-services-endpoint"
_OPERATOR_NAMESPACE = "tigera-operator"


def find_service_rule_present(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node that has trouble, or one of which nothing is known, has a rule for the service address."""
    lacking = {sighting.node for sighting in find_service_rule_missing(cluster)}
    for fact in _list_service_rules(cluster):
        node = cluster.names.find_node_or_host(fact.host)
        elsewhere = node and cluster.sick_nodes and node not in cluster.sick_nodes
        # Rules of a node that works tell nothing about one that has none, or that was not looked at.
        if not elsewhere and node not in lacking:
            yield Sighting(line=fact.at, node=node)


def find_kube_proxy_wanted_nowhere(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The DaemonSet of kube-proxy is kept, and selects no node."""
    for row in cluster.all(Row):
        if (row.name or "").endswith("kube-proxy") and row.cells.get("DESIRED") == "0":
            yield Sighting(line=row.at)


def find_services_endpoint_missing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """eBPF without kube-proxy, and the operator's namespace has no ConfigMap with the API server's real address."""
    if not any(find_bpf_mode_on(cluster)) and not any(find_kube_proxy_wanted_nowhere(cluster)):
        return
    # From 3.31 on the operator can be told to find the address by itself.
    if any(path.endswith("bpfNetworkBootstrap") for thing in cluster.all(Object) for path in thing.values):
        return
    rows = [row for row in cluster.all(Row) if row.resource == "configmap" and row.namespace == _OPERATOR_NAMESPACE]
    # Every namespace has the cluster's CA; a list without it was filtered.
    whole = any((row.name or "").startswith("kube-root-ca") for row in rows)
    if whole and not any(row.name == _SERVICES_ENDPOINT for row in rows):
        yield Sighting(line=rows[0].at)


def _list_service_rules(cluster: ClusterFacts) -> Iterator[Fact]:
    for rule in cluster.all(FirewallRule):
        if _RULE in rule.rule:
            yield rule
    for server in cluster.all(VirtualServer):
        port = int(server.port) if server.port.isdecimal() else None
        if server.backends and is_service_address(server.address, port, cluster):
            yield server


SIGNS = {
    "node-without-kube-proxy": find_node_without_kube_proxy,
    "api-endpoint-answers": find_api_endpoint_answers,
    "api-endpoint-fails": find_api_endpoint_fails,
    "service-address-answers": find_service_address_answers,
    "service-address-fails": find_service_address_fails,
    "api-address-unheld": find_api_address_unheld,
    "api-answers-elsewhere": find_api_answers_elsewhere,
    "api-answers-where-asked": find_api_answers_where_asked,
    "start-without-datastore": find_start_without_datastore,
    "kube-proxy-absent": find_kube_proxy_absent,
    "api-endpoint-of-nobody": find_api_endpoint_of_nobody,
    "nobody-programs-services": find_nobody_programs_services,
    "kube-proxy-sick": find_kube_proxy_sick,
    "service-rule-missing": find_service_rule_missing,
    "no-default-route": find_no_default_route,
    "service-rule-present": find_service_rule_present,
    "kube-proxy-wanted-nowhere": find_kube_proxy_wanted_nowhere,
    "services-endpoint-missing": find_services_endpoint_missing,
}
