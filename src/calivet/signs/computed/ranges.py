"""Signs in address ranges: pods that share a range with something else, or have another than Kubernetes was told."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.fact import Reach
from calivet.facts.host import FirewallRule, Interface, Route
from calivet.facts.kubernetes import Pod, Row
from calivet.facts.picture import Picture, once
from calivet.signs.computed.network_table import NetworkTable, overlapping
from calivet.signs.computed.networks import (
    Network,
    Range,
    inside,
    network,
    node_addresses,
    overlap,
    pod_ranges_told,
    pools,
    service_ranges,
)
from calivet.signs.sighting import Sighting

_BRIDGE = expression(r"docker|virbr|lxdbr|br-|cni0|podman|tun\d|tap|wg\d|zt|ppp")
_EXCLUDED_SOURCE = expression(r"! -s (?P<range>[0-9a-f.:]+/\d+).*KUBE-MARK-MASQ")
_PROXY = "kube-proxy"
# Silence, or what a blackhole and a missing neighbour answer.
_SILENT_SERVICE = expression(
    r"dial tcp \S+: (?:i/o timeout|connect: (?:no route to host|invalid argument))|context deadline exceeded"
)


def contains_nodes(picture: Picture) -> Iterator[Sighting]:
    """A pod range that nodes' own addresses lie in."""
    for node, address in node_addresses(picture).items():
        if taken := _holder(address, picture):
            values = {"cidr": str(taken.network), "address": address}
            yield Sighting(line=taken.line, node=node, values=values)


def node_cut_off(picture: Picture) -> Iterator[Sighting]:
    """A node inside the pod range that gets no answer from a service address though kube-proxy has its rules there."""
    addresses = node_addresses(picture)
    proxied = {rule.host for rule in picture.all(FirewallRule) if (rule.chain or "").startswith("KUBE-")}
    proxied |= {pod.node for pod in picture.pods("kube-proxy") if pod.status == "Running" and pod.ready}
    for span in picture.all(LogSpan):
        node = picture.names.node(span.host) or picture.node_of_pod(span.pod)
        taken = _holder(addresses.get(node or "", ""), picture)
        if node and taken and _SILENT_SERVICE.search(span.last_message) and node in proxied:
            yield Sighting(line=span.at, node=node, values={"node": node, "cidr": str(taken.network)})


def meets_services(picture: Picture) -> Iterator[Sighting]:
    """A pod range that shares addresses with services."""
    for pod_range in _pod_ranges(picture):
        for services in service_ranges(picture):
            if overlap(pod_range.network, services.network):
                values = {"cidr": str(pod_range.network), "services": str(services.network)}
                yield Sighting(line=services.line, values=values)
                break


def pod_has_service_address(picture: Picture) -> Iterator[Sighting]:
    """A pod and a service that share one address."""
    services = {row.cells.get("CLUSTER-IP"): row for row in picture.all(Row)}
    for pod in picture.all(Pod):
        if pod.ip and pod.ip in services:
            values = {"address": pod.ip, "pod": pod.name, "service": services[pod.ip].name or ""}
            yield Sighting(line=pod.at, node=pod.node, values=values)


def blackhole_over_target(picture: Picture) -> Iterator[Sighting]:
    """A block's blackhole on a host that covers an address outside the cluster which the host no longer reaches."""
    pods = {pod.ip for pod in picture.all(Pod)}
    for route in picture.all(Route):
        block = network(route.destination) if route.kind == "blackhole" else None
        for reach in picture.on(route.host, Reach) if block else ():
            failed = reach.outcome != "ok" and not reach.pod
            if block and failed and reach.target not in pods and inside(reach.target, block):
                values = {"block": str(block), "address": reach.target}
                yield Sighting(line=route.at, node=picture.names.node(route.host) or route.host, values=values)


def pods_miss_neighbour(picture: Picture) -> Iterator[Sighting]:
    """An address inside the pod range that is no pod's answers a node, but not a pod."""
    pods = {pod.ip for pod in picture.all(Pod)}
    answered = {reach.target for reach in picture.all(Reach) if reach.outcome == "ok" and not reach.pod}
    for reach in picture.all(Reach):
        taken = _holder(reach.target, picture) if reach.pod and reach.outcome != "ok" else None
        if taken and reach.target in answered and reach.target not in pods:
            values = {"cidr": str(taken.network), "address": reach.target}
            yield Sighting(line=reach.at, values=values)


def pools_overlap(picture: Picture) -> Iterator[Sighting]:
    """Two pools that share addresses."""
    places = {pool.network: place for place, pool in enumerate(pools(picture))}
    for pair in overlapping(places):
        one, other = sorted(pair, key=places.__getitem__)
        yield Sighting(line=pools(picture)[places[other]].line, values={"first": str(one), "second": str(other)})


def meets_bridge(picture: Picture) -> Iterator[Sighting]:
    """A pod range that holds the address of a bridge or tunnel which is not Calico's."""
    for interface in picture.all(Interface):
        for address in interface.addresses if _BRIDGE.match(interface.name) else ():
            if taken := _holder(address, picture):
                values = {"cidr": str(taken.network), "address": address, "interface": interface.name}
                yield Sighting(line=interface.at, node=picture.names.node(interface.host), values=values)


def pool_outside_cluster(picture: Picture) -> Iterator[Sighting]:
    """No pool lies in the range that kubeadm or the controller manager was told."""
    return (seen for seen in _pool_outside(picture) if seen.values["who"] != _PROXY)


def pool_outside_proxy(picture: Picture) -> Iterator[Sighting]:
    """No pool lies in the range that kube-proxy was told; it is the one that masquerades."""
    return (seen for seen in _pool_outside(picture) if seen.values["who"] == _PROXY)


def _pool_outside(picture: Picture) -> Iterator[Sighting]:
    known = pools(picture)
    for told in pod_ranges_told(picture):
        alike = [pool for pool in known if pool.network.version == told.network.version]
        if alike and not any(overlap(pool.network, told.network) for pool in alike):
            values = {"pool": str(alike[0].network), "range": str(told.network), "who": told.who}
            yield Sighting(line=told.line, values=values)


def masquerade_differs(picture: Picture) -> Iterator[Sighting]:
    """kube-proxy spares another range from masquerading than the pool's."""
    known = pools(picture)
    for rule in picture.all(FirewallRule):
        found = _EXCLUDED_SOURCE.search(rule.rule)
        spared = network(found["range"]) if found else None
        alike = [pool for pool in known if spared and pool.network.version == spared.version]
        if spared and alike and not any(overlap(pool.network, spared) for pool in alike):
            values = {"range": str(spared), "pool": str(alike[0].network)}
            yield Sighting(line=rule.at, node=picture.names.node(rule.host), values=values)


@once
def _pod_ranges(picture: Picture) -> list[Range]:
    """Each once, though every node may have been told the same."""
    found: dict[Network, Range] = {}
    for one in pools(picture) or pod_ranges_told(picture):
        found.setdefault(one.network, one)
    return list(found.values())


def _holder(address: str, picture: Picture) -> Range | None:
    return next(iter(_range_table(picture).holding(address)), None)


@once
def _range_table(picture: Picture) -> NetworkTable[Range]:
    return NetworkTable((one.network, one) for one in _pod_ranges(picture))


SIGNS = {
    "pod-range-contains-nodes": contains_nodes,
    "node-in-pod-range-cut-off": node_cut_off,
    "pod-range-meets-services": meets_services,
    "pod-has-service-address": pod_has_service_address,
    "block-blackholes-foreign-address": blackhole_over_target,
    "pods-miss-neighbour-in-range": pods_miss_neighbour,
    "pools-overlap-each-other": pools_overlap,
    "pod-range-meets-bridge": meets_bridge,
    "pool-outside-cluster-range": pool_outside_cluster,
    "pool-outside-proxy-range": pool_outside_proxy,
    "masquerade-range-differs": masquerade_differs,
}
