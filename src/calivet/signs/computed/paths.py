"""Signs in which ways fail: through the tunnel or without it, ping or TCP."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import Pool
from calivet.facts.fact import Reach
from calivet.facts.host import Route
from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture, is_healthy, once
from calivet.facts.sessions import latest_sessions
from calivet.signs.computed.bgp_port import BGP_PORT
from calivet.signs.computed.network_table import NetworkTable
from calivet.signs.computed.networks import Network, network
from calivet.signs.sighting import Sighting

TUNNELS = ("tunl0", "vxlan.calico", "vxlan-v6.calico", "wireguard.cali", "wg-v6.cali")
_CALICO_PROTOCOLS = ("bird", "80")
_LOST = ("timeout", "loss")


def fails_only_encapsulated(picture: Picture) -> Iterator[Sighting]:
    """Pods behind the tunnel are lost, pods that are reached without it answer."""
    yield from _fails_only(picture, through_tunnel=True)


def fails_only_unencapsulated(picture: Picture) -> Iterator[Sighting]:
    """Pods that are reached without encapsulation are lost, pods behind the tunnel answer."""
    yield from _fails_only(picture, through_tunnel=False)


def tunnelled_pods_lost(picture: Picture) -> Iterator[Sighting]:
    """A pod behind the tunnel is not reached though all of Calico that was seen is well."""
    yield from (sighting for sighting in _pods_lost(picture) if sighting.values["device"] in TUNNELS)


def bare_pods_lost(picture: Picture) -> Iterator[Sighting]:
    """A pod that is reached without encapsulation is lost though all of Calico that was seen is well."""
    yield from (sighting for sighting in _pods_lost(picture) if sighting.values["device"] not in TUNNELS)


def icmp_passes_tcp_lost(picture: Picture) -> Iterator[Sighting]:
    """The target answers ping, and no TCP connection to it comes about; that BGP's does not has other reasons."""
    tests: dict[str, list[Reach]] = defaultdict(list)
    for reach in picture.all(Reach):
        tests[reach.target].append(reach)
    for target, reaches in tests.items():
        pinged = any(reach.protocol == "icmp" and reach.outcome == "ok" for reach in reaches)
        others = [reach for reach in reaches if reach.protocol in ("tcp", "http") and reach.port != BGP_PORT]
        if pinged and others and all(reach.outcome == "timeout" for reach in others):
            yield Sighting(line=others[0].at, node=_node(others[0], picture), values={"target": target})


def _pods_lost(picture: Picture) -> Iterator[Sighting]:
    agents = picture.latest_pods("calico-node")
    well = all(is_healthy(pod) for pod in agents if pod.status)
    well = well and all(peer.established for peer in latest_sessions(picture))
    if not well:
        return
    homes = {pod.ip: pod.node for pod in picture.all(Pod) if pod.ip}
    for reach in picture.all(Reach):
        device = _device(reach.target, picture) or _pool_device(reach.target, picture)
        node = _node(reach, picture)
        if reach.outcome in _LOST and device and (node is None or homes.get(reach.target) != node):
            yield Sighting(line=reach.at, node=node, values={"target": reach.target, "device": device})


def _fails_only(picture: Picture, *, through_tunnel: bool) -> Iterator[Sighting]:
    lost: dict[bool, list[Reach]] = {True: [], False: []}
    passed: dict[bool, list[Reach]] = {True: [], False: []}
    for reach in picture.all(Reach):
        device = _device(reach.target, picture)
        if device:
            (passed if reach.outcome == "ok" else lost)[device in TUNNELS].append(reach)
    if lost[through_tunnel] and passed[not through_tunnel] and not lost[not through_tunnel]:
        first, other = lost[through_tunnel][0], passed[not through_tunnel][0]
        values = {"lost": first.target, "passed": other.target}
        yield Sighting(line=first.at, node=_node(first, picture), values=values)


def _device(target: str, picture: Picture) -> str | None:
    """The device of Calico's route to another node's pod; None where hosts differ or no route was shown."""
    found = set(_routes(picture).holding(target))
    return found.pop() if len(found) == 1 else None


@once
def _routes(picture: Picture) -> NetworkTable[str]:
    """The devices of Calico's routes; every host has the same ones, so each is kept once."""
    found: dict[tuple[Network, str], None] = {}
    for route in picture.all(Route):
        device = route.device or ""
        own = device in TUNNELS or (route.protocol in _CALICO_PROTOCOLS and route.via)
        where = network(route.destination) if own and route.kind == "unicast" else None
        if where and where.prefixlen:
            found[where, device] = None
    return NetworkTable(found)


def _pool_device(target: str, picture: Picture) -> str | None:
    """The tunnel that the target's pool always uses, or "no tunnel" where it never uses one."""
    for pool in _pools(picture).holding(target):
        if "Always" in (pool.ipip, pool.vxlan):
            return "tunl0" if pool.ipip == "Always" else "vxlan.calico"
        if (pool.ipip, pool.vxlan) in (("Never", "Never"), ("Never", None)):
            return "no tunnel"
    return None


@once
def _pools(picture: Picture) -> NetworkTable[Pool]:
    return NetworkTable((where, pool) for pool in picture.all(Pool) if (where := network(pool.cidr)))


def _node(reach: Reach, picture: Picture) -> str | None:
    return picture.node_of_pod(reach.pod) or picture.names.node(reach.host) or reach.host


SIGNS = {
    "fails-only-encapsulated": fails_only_encapsulated,
    "fails-only-unencapsulated": fails_only_unencapsulated,
    "tunnelled-pods-lost": tunnelled_pods_lost,
    "bare-pods-lost": bare_pods_lost,
    "icmp-passes-tcp-lost": icmp_passes_tcp_lost,
}
