"""Signs in address ranges: pods that share a range with something else, or have another than Kubernetes was told."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import LogSpan, NodeAddress, ProgrammedPool
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import Range, list_pod_ranges, list_pools, list_service_ranges, map_node_addresses
from calivet.facts.fact import Reach
from calivet.facts.host import FirewallRule, Interface, Route
from calivet.facts.kubernetes import Pod, Row, StatedRange
from calivet.facts.networks import Network, NetworkTable, do_overlap, find_overlaps, is_inside, parse_network
from calivet.facts.vocabulary.identifiers import is_foreign_bridge
from calivet.facts.vocabulary.messages import lacks_answer
from calivet.signs.sighting import Sighting

_PROXY = "kube-proxy"
_CALICOS = ("bird", "80")


def find_pod_range_contains_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod range that nodes' own addresses lie in."""
    for node, address in map_node_addresses(cluster).items():
        if taken := _find_holder(address, cluster):
            values = {"cidr": str(taken.network), "address": address}
            yield Sighting(line=taken.line, node=node, values=values)


def find_pods_share_network_of_card(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pool or a block, as a machine itself has it, that overlaps the network of the card with its own address."""
    for own in {(own.host, own.address): own for own in cluster.all(NodeAddress) if own.interface}.values():
        network = parse_network(own.address)
        ranges = [(pool.cidr, pool.at) for pool in cluster.on(own.host, ProgrammedPool)]
        ranges += [(route.destination, route.at) for route in cluster.on(own.host, Route) if _is_block(route)]
        for cidr, line in ranges if network and own.host else ():
            if (taken := parse_network(cidr)) and network and do_overlap(taken, network):
                values = {"cidr": cidr, "address": own.address, "interface": own.interface or ""}
                yield Sighting(line=line, node=cluster.names.find_node_or_host(own.host), values=values)
                break


def _is_block(route: Route) -> bool:
    return route.kind == "blackhole" and route.protocol in _CALICOS


def find_node_in_pod_range_cut_off(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node inside the pod range that gets no answer from a service address though kube-proxy has its rules there."""
    addresses = map_node_addresses(cluster)
    proxied = {rule.host for rule in cluster.all(FirewallRule) if (rule.chain or "").startswith("KUBE-")}
    proxied |= {pod.node for pod in cluster.pods("kube-proxy") if pod.status == "Running" and pod.ready}
    for span in cluster.all(LogSpan):
        node = cluster.names.node(span.host) or cluster.find_node_of_pod(span.pod)
        taken = _find_holder(addresses.get(node or "", ""), cluster)
        if node and taken and lacks_answer(span.last_message) and node in proxied:
            yield Sighting(line=span.at, node=node, values={"node": node, "cidr": str(taken.network)})


def find_pod_range_meets_services(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod range that shares addresses with services."""
    for pod_range in _list_pod_ranges(cluster):
        for services in list_service_ranges(cluster):
            if do_overlap(pod_range.network, services.network):
                values = {"cidr": str(pod_range.network), "services": str(services.network)}
                yield Sighting(line=services.line, values=values)
                break


def find_pod_has_service_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod and a service that share one address."""
    services = {row.cells.get("CLUSTER-IP"): row for row in cluster.all(Row)}
    for pod in cluster.all(Pod):
        if pod.ip and pod.ip in services:
            values = {"address": pod.ip, "pod": pod.name, "service": services[pod.ip].name or ""}
            yield Sighting(line=pod.at, node=pod.node, values=values)


def find_block_blackholes_foreign_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A block's blackhole on a host that covers an address outside the cluster which the host no longer reaches."""
    pods = {pod.ip for pod in cluster.all(Pod)}
    for route in cluster.all(Route):
        block = parse_network(route.destination) if route.kind == "blackhole" else None
        for reach in cluster.on(route.host, Reach) if block else ():
            failed = reach.outcome != "ok" and not reach.pod
            if block and failed and reach.target not in pods and is_inside(reach.target, block):
                values = {"block": str(block), "address": reach.target}
                yield Sighting(line=route.at, node=cluster.names.find_node_or_host(route.host), values=values)


def find_pods_miss_neighbour_in_range(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An address inside the pod range that is no pod's answers a node, but not a pod."""
    pods = {pod.ip for pod in cluster.all(Pod)}
    answered = {reach.target for reach in cluster.all(Reach) if reach.outcome == "ok" and not reach.pod}
    for reach in cluster.all(Reach):
        taken = _find_holder(reach.target, cluster) if reach.pod and reach.outcome != "ok" else None
        if taken and reach.target in answered and reach.target not in pods:
            values = {"cidr": str(taken.network), "address": reach.target}
            yield Sighting(line=reach.at, values=values)


def find_pools_overlap_each_other(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two pools that share addresses."""
    places = {pool.network: place for place, pool in enumerate(list_pools(cluster))}
    for pair in find_overlaps(places):
        one, other = sorted(pair, key=places.__getitem__)
        yield Sighting(line=list_pools(cluster)[places[other]].line, values={"first": str(one), "second": str(other)})


def find_pod_range_meets_bridge(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod range that holds the address of a bridge or tunnel which is not Calico's."""
    for interface in cluster.all(Interface):
        for address in interface.addresses if is_foreign_bridge(interface.name) else ():
            if taken := _find_holder(address, cluster):
                values = {"cidr": str(taken.network), "address": address, "interface": interface.name}
                yield Sighting(line=interface.at, node=cluster.names.node(interface.host), values=values)


def find_stated_ranges_overlap(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods and machines have ranges, as the author tells them, that share addresses."""
    stated = [(one, parse_network(one.cidr)) for one in cluster.all(StatedRange)]
    machines = [(one, network) for one, network in stated if network and not one.of_pods]
    for of_pods, network in stated if machines else ():
        for of_machines, other in machines if network and of_pods.of_pods else ():
            if network and do_overlap(network, other):
                yield Sighting(line=of_pods.at, values={"cidr": of_pods.cidr, "range": of_machines.cidr})
                return


def find_pool_outside_cluster_range(cluster: ClusterFacts) -> Iterator[Sighting]:
    """No pool lies in the range that kubeadm or the controller manager was told."""
    return (seen for seen in _find_pools_outside(cluster) if seen.values["who"] != _PROXY)


def find_pool_outside_proxy_range(cluster: ClusterFacts) -> Iterator[Sighting]:
    """No pool lies in the range that kube-proxy was told; it is the one that masquerades."""
    return (seen for seen in _find_pools_outside(cluster) if seen.values["who"] == _PROXY)


def _find_pools_outside(cluster: ClusterFacts) -> Iterator[Sighting]:
    known = list_pools(cluster)
    for told in list_pod_ranges(cluster):
        alike = [pool for pool in known if pool.network.version == told.network.version]
        if alike and not any(do_overlap(pool.network, told.network) for pool in alike):
            values = {"pool": str(alike[0].network), "range": str(told.network), "who": told.who}
            yield Sighting(line=told.line, values=values)


def find_masquerade_range_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kube-proxy spares another range from masquerading than the pool's."""
    known = list_pools(cluster)
    for rule in cluster.all(FirewallRule):
        spared = parse_network(rule.spared_source)
        alike = [pool for pool in known if spared and pool.network.version == spared.version]
        if spared and alike and not any(do_overlap(pool.network, spared) for pool in alike):
            values = {"range": str(spared), "pool": str(alike[0].network)}
            yield Sighting(line=rule.at, node=cluster.names.node(rule.host), values=values)


@once
def _list_pod_ranges(cluster: ClusterFacts) -> list[Range]:
    """Each once, though every node may have been told the same."""
    found: dict[Network, Range] = {}
    for one in list_pools(cluster) or list_pod_ranges(cluster):
        found.setdefault(one.network, one)
    return list(found.values())


def _find_holder(address: str, cluster: ClusterFacts) -> Range | None:
    return next(iter(_build_range_table(cluster).find_holding(address)), None)


@once
def _build_range_table(cluster: ClusterFacts) -> NetworkTable[Range]:
    return NetworkTable((one.network, one) for one in _list_pod_ranges(cluster))


SIGNS = {
    "stated-ranges-overlap": find_stated_ranges_overlap,
    "pod-range-contains-nodes": find_pod_range_contains_nodes,
    "pods-share-network-of-card": find_pods_share_network_of_card,
    "node-in-pod-range-cut-off": find_node_in_pod_range_cut_off,
    "pod-range-meets-services": find_pod_range_meets_services,
    "pod-has-service-address": find_pod_has_service_address,
    "block-blackholes-foreign-address": find_block_blackholes_foreign_address,
    "pods-miss-neighbour-in-range": find_pods_miss_neighbour_in_range,
    "pools-overlap-each-other": find_pools_overlap_each_other,
    "pod-range-meets-bridge": find_pod_range_meets_bridge,
    "pool-outside-cluster-range": find_pool_outside_cluster_range,
    "pool-outside-proxy-range": find_pool_outside_proxy_range,
    "masquerade-range-differs": find_masquerade_range_differs,
}
