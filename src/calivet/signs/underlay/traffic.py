"""Signs of traffic between pods that is lost, with and without encapsulation, and of how pools encapsulate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.calico import Pool
from calivet.facts.cluster_facts import HOST_NETWORK, ClusterFacts, is_healthy, once
from calivet.facts.cluster_network import list_latest_sessions
from calivet.facts.fact import Reach
from calivet.facts.host import Route
from calivet.facts.kubernetes import Node, Object, Pod, Row
from calivet.facts.machines import is_on_aws, is_on_azure, is_on_google_or_openstack
from calivet.facts.networks import Network, NetworkTable, parse_network
from calivet.facts.security import SourceCheck
from calivet.facts.vocabulary.identifiers import TUNNELS
from calivet.signs.bgp.peering import BGP_PORT
from calivet.signs.sighting import Sighting

_CALICO_PROTOCOLS = ("bird", "80")
_LOST = ("timeout", "loss")


def find_fails_only_encapsulated(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods behind the tunnel are lost, pods that are reached without it answer."""
    yield from _find_one_sided_losses(cluster, through_tunnel=True)


def find_fails_only_unencapsulated(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods that are reached without encapsulation are lost, pods behind the tunnel answer."""
    yield from _find_one_sided_losses(cluster, through_tunnel=False)


def find_tunnelled_pods_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod behind the tunnel is not reached though all of Calico that was seen is well."""
    yield from (sighting for sighting in _find_lost_pods(cluster) if sighting.values["device"] in TUNNELS)


def find_bare_pods_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod that is reached without encapsulation is lost though all of Calico that was seen is well."""
    yield from (sighting for sighting in _find_lost_pods(cluster) if sighting.values["device"] not in TUNNELS)


def find_icmp_passes_tcp_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The target answers ping, and no TCP connection to it comes about; that BGP's does not has other reasons."""
    tests: dict[str, list[Reach]] = defaultdict(list)
    for reach in cluster.all(Reach):
        tests[reach.target].append(reach)
    for target, reaches in tests.items():
        pinged = any(reach.protocol == "icmp" and reach.outcome == "ok" for reach in reaches)
        others = [reach for reach in reaches if reach.protocol in ("tcp", "http") and reach.port != BGP_PORT]
        if pinged and others and all(reach.outcome == "timeout" for reach in others):
            yield Sighting(line=others[0].at, node=_find_test_node(others[0], cluster), values={"target": target})


def _find_lost_pods(cluster: ClusterFacts) -> Iterator[Sighting]:
    agents = cluster.list_latest_pods("calico-node")
    well = all(is_healthy(pod) for pod in agents if pod.status)
    well = well and all(peer.established for peer in list_latest_sessions(cluster))
    if not well:
        return
    homes = {pod.ip: pod.node for pod in cluster.all(Pod) if pod.ip}
    for reach in cluster.all(Reach):
        device = _find_route_device(reach.target, cluster) or _find_pool_device(reach.target, cluster)
        node = _find_test_node(reach, cluster)
        if reach.outcome in _LOST and device and (node is None or homes.get(reach.target) != node):
            yield Sighting(line=reach.at, node=node, values={"target": reach.target, "device": device})


def _find_one_sided_losses(cluster: ClusterFacts, *, through_tunnel: bool) -> Iterator[Sighting]:
    lost: dict[bool, list[Reach]] = {True: [], False: []}
    passed: dict[bool, list[Reach]] = {True: [], False: []}
    for reach in cluster.all(Reach):
        device = _find_route_device(reach.target, cluster)
        if device:
            (passed if reach.outcome == "ok" else lost)[device in TUNNELS].append(reach)
    if lost[through_tunnel] and passed[not through_tunnel] and not lost[not through_tunnel]:
        first, other = lost[through_tunnel][0], passed[not through_tunnel][0]
        values = {"lost": first.target, "passed": other.target}
        yield Sighting(line=first.at, node=_find_test_node(first, cluster), values=values)


def _find_route_device(target: str, cluster: ClusterFacts) -> str | None:
    """The device of Calico's route to another node's pod; None where hosts differ or no route was shown."""
    found = set(_build_route_table(cluster).find_holding(target))
    return found.pop() if len(found) == 1 else None


@once
def _build_route_table(cluster: ClusterFacts) -> NetworkTable[str]:
    """The devices of Calico's routes; every host has the same ones, so each is kept once."""
    found: dict[tuple[Network, str], None] = {}
    for route in cluster.all(Route):
        device = route.device or ""
        own = device in TUNNELS or (route.protocol in _CALICO_PROTOCOLS and route.via)
        where = parse_network(route.destination) if own and route.kind == "unicast" else None
        if where and where.prefixlen:
            found[where, device] = None
    return NetworkTable(found)


def _find_pool_device(target: str, cluster: ClusterFacts) -> str | None:
    """The tunnel that the target's pool always uses, or "no tunnel" where it never uses one."""
    for pool in _build_pool_table(cluster).find_holding(target):
        if "Always" in (pool.ipip, pool.vxlan):
            return "tunl0" if pool.ipip == "Always" else "vxlan.calico"
        if (pool.ipip, pool.vxlan) in (("Never", "Never"), ("Never", None)):
            return "no tunnel"
    return None


@once
def _build_pool_table(cluster: ClusterFacts) -> NetworkTable[Pool]:
    return NetworkTable((where, pool) for pool in cluster.all(Pool) if (where := parse_network(pool.cidr)))


def _find_test_node(reach: Reach, cluster: ClusterFacts) -> str | None:
    return cluster.find_node_of_pod(reach.pod) or cluster.names.find_node_or_host(reach.host)


_NODE_PORTS = range(30000, 32768)


def find_pod_traffic_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test that did not reach a pod's address."""
    nodes = {node.internal_ip for node in cluster.all(Node)}
    nodes |= {pod.ip for pod in cluster.all(Pod) if cluster.role(pod) in HOST_NETWORK}
    pods = {pod.ip for pod in cluster.all(Pod) if pod.ip} - nodes
    pools = NetworkTable((where, None) for pool in cluster.all(Pool) if (where := parse_network(pool.cidr)))
    for reach in _list_failed_tests(cluster):
        if reach.target in pods or (reach.target not in nodes and pools.find_holding(reach.target)):
            yield _build_test_sighting(reach, cluster)


def find_service_unreachable(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A test that did not reach a service's address or a node port."""
    services = {row.cells.get("CLUSTER-IP") for row in cluster.all(Row)}
    for reach in _list_failed_tests(cluster):
        if reach.target in services or reach.port in _NODE_PORTS:
            yield _build_test_sighting(reach, cluster)


def _list_failed_tests(cluster: ClusterFacts) -> Iterator[Reach]:
    return (reach for reach in cluster.all(Reach) if reach.outcome != "ok")


def _build_test_sighting(reach: Reach, cluster: ClusterFacts) -> Sighting:
    target = f"{reach.target}:{reach.port}" if reach.port else reach.target
    node = cluster.names.find_node_or_host(reach.host)
    return Sighting(line=reach.at, node=node, values={"target": target, "outcome": reach.outcome})


class _Mode(Struct, frozen=True):
    """A pool and how it encapsulates: IPIP, VXLAN or none, and whether always or across subnets only."""

    line: Line
    cidr: str
    words: str
    ipip: bool
    vxlan: bool
    always: bool


def find_ipip_on_azure(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pool that uses IP-in-IP on machines of Azure."""
    if is_on_azure(cluster):
        yield from (_build_mode_sighting(mode) for mode in _list_modes(cluster) if mode.ipip)


def find_unencapsulated_pool_in_cloud(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pool that sends packets as they are, at least inside a subnet, on machines of a cloud."""
    aws = is_on_aws(cluster)
    if aws or is_on_google_or_openstack(cluster):
        not_of = {"not_openstack" if aws else "not_aws": "yes"}
        yield from (_build_mode_sighting(mode, **not_of) for mode in _list_modes(cluster) if not mode.always)


def find_pools_always_encapsulated(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every pool encapsulates always."""
    modes = list(_list_modes(cluster))
    if modes and all(mode.always for mode in modes):
        yield _build_mode_sighting(modes[0])


def find_pools_without_vxlan(cluster: ClusterFacts) -> Iterator[Sighting]:
    """No pool uses VXLAN."""
    modes = list(_list_modes(cluster))
    if modes and not any(mode.vxlan for mode in modes):
        yield _build_mode_sighting(modes[0])


def _list_modes(cluster: ClusterFacts) -> Iterator[_Mode]:
    for pool in cluster.all(Pool):
        ipip, vxlan = pool.ipip or "", pool.vxlan or ""
        if (ipip or vxlan) and pool.disabled is not True:
            used = [
                f"{name} {value}" for name, value in (("IPIP", ipip), ("VXLAN", vxlan)) if value not in ("", "Never")
            ]
            yield _Mode(
                line=pool.at,
                cidr=pool.cidr,
                words=", ".join(used) or "no encapsulation",
                ipip=ipip in ("Always", "CrossSubnet"),
                vxlan=vxlan in ("Always", "CrossSubnet"),
                always="Always" in (ipip, vxlan),
            )
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            stem = path.removesuffix("encapsulation")
            if stem != path and _is_pool(stem) and isinstance(value, str):
                line = thing.find_line_of(path, f"encapsulation: {value}")
                yield _Mode(
                    line=line,
                    cidr=str(thing.values.get(f"{stem}cidr", "")),
                    words=value,
                    ipip=value.startswith("IPIP"),
                    vxlan=value.startswith("VXLAN"),
                    always=value in ("IPIP", "VXLAN"),
                )


def _is_pool(path: str) -> bool:
    """...ipPools[0]. with its dot."""
    name, _, number = path.rpartition("[")
    return name.endswith("ipPools") and number.removesuffix("].").isdigit()


def _build_mode_sighting(mode: _Mode, **values: str) -> Sighting:
    return Sighting(line=mode.line, values={"cidr": mode.cidr, "mode": mode.words, **values})


def find_source_check_on(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A listing of machines says that the cloud checks the source of this one's packets."""
    for check in cluster.all(SourceCheck):
        node = cluster.names.node(check.address)
        yield Sighting(line=check.at, node=node, values={"address": check.address, "not_openstack": "yes"})


SIGNS = {
    "fails-only-encapsulated": find_fails_only_encapsulated,
    "fails-only-unencapsulated": find_fails_only_unencapsulated,
    "tunnelled-pods-lost": find_tunnelled_pods_lost,
    "bare-pods-lost": find_bare_pods_lost,
    "icmp-passes-tcp-lost": find_icmp_passes_tcp_lost,
    "pod-traffic-lost": find_pod_traffic_lost,
    "service-unreachable": find_service_unreachable,
    "ipip-on-azure": find_ipip_on_azure,
    "unencapsulated-pool-in-cloud": find_unencapsulated_pool_in_cloud,
    "pools-always-encapsulated": find_pools_always_encapsulated,
    "pools-without-vxlan": find_pools_without_vxlan,
    "source-check-on": find_source_check_on,
}
