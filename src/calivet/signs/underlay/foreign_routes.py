"""Signs of routes and interfaces that are not Calico's and take its traffic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import list_pools, list_waiting_sessions, map_node_addresses
from calivet.facts.host import Interface, Route
from calivet.facts.networks import Network, NetworkTable, do_overlap, is_inside, parse_network
from calivet.facts.vocabulary.commands import lists_other_table, sends_all_first
from calivet.facts.vocabulary.identifiers import TUNNELS, is_foreign_device
from calivet.signs.sighting import Sighting

_DUMMY = ("kube-ipvs0", "nodelocaldns")


def find_foreign_route_inside_pods(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A route through a bridge or VPN into a range that is Calico's on the same host."""
    own = _collect_calico_routes(cluster)
    everywhere = [pool.network for pool in list_pools(cluster)]
    for route in cluster.all(Route):
        where = parse_network(route.destination) if is_foreign_device(route.device) else None
        if not where or where.prefixlen == 0 or route.kind == "lookup":
            continue
        first = lists_other_table(cluster.find_command_of(route.at))
        ranges = [*own.get(route.host, ()), *everywhere]
        taken = next((one for one in ranges if _is_preferred(where, one, first)), None)
        if taken:
            values = {"route": route.destination, "device": str(route.device), "range": str(taken)}
            yield Sighting(line=route.at, node=_find_node(route, cluster), values=values)


def find_default_of_table_asked_first(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A VPN's own table, asked before the main one, takes all that it does not except, and Calico's range with it."""
    own = _collect_calico_routes(cluster)
    everywhere = [pool.network for pool in list_pools(cluster)]
    for route in cluster.all(Route):
        if route.destination != "default" or not is_foreign_device(route.device):
            continue
        if not sends_all_first(cluster.find_command_of(route.at)):
            continue
        excepted = _collect_exceptions(cluster, route)
        ranges = [*own.get(route.host, ()), *everywhere]
        taken = next((one for one in ranges if not any(do_overlap(one, left) for left in excepted)), None)
        if taken:
            values = {"device": str(route.device), "range": str(taken)}
            yield Sighting(line=route.at, node=_find_node(route, cluster), values=values)


def find_peer_behind_stranger(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The way to a peer whose session is down leads through a bridge or VPN."""
    waiting = list_waiting_sessions(cluster)
    strange = _collect_foreign_routes(cluster) if waiting else {}
    for peer in waiting:
        near = (
            strange[host].find_holding(peer.address) for host in dict.fromkeys((peer.host, None)) if host in strange
        )
        if device := next((devices[0] for devices in near if devices), None):
            values = {"peer": peer.address, "device": device}
            yield Sighting(line=peer.at, node=cluster.names.find_node_or_host(peer.host), values=values)


def find_nodes_behind_stranger(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A bridge or VPN interface whose own network holds the address of another node."""
    known = map_node_addresses(cluster)
    holds: dict[str, list[str]] = {}
    for device in cluster.all(Interface):
        here = _find_node(device, cluster)
        for address in device.addresses if is_foreign_device(device.name) else ():
            where = parse_network(address)
            if not where or where.num_addresses == 1:
                continue
            if str(where) not in holds:
                holds[str(where)] = [node for node, own in known.items() if is_inside(own, where)]
            other = next((node for node in holds[str(where)] if node != here), None)
            if other:
                values = {"device": device.name, "address": address, "other": other}
                yield Sighting(line=device.at, node=here, values=values)


def find_node_address_on_ipvs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The interface of kube-proxy's ipvs mode holds the address of another node."""
    peers = {peer.address for peer in cluster.all(BgpPeer) if "mesh" in (peer.type or "mesh")}
    for device in cluster.all(Interface):
        if device.name not in _DUMMY:
            continue
        here = cluster.names.node(device.host)
        for address in device.addresses:
            bare = address.split("/")[0]
            other = cluster.names.node(bare) or (bare if bare in peers else None)
            if other and other != here:
                values = {"device": device.name, "address": address, "other": other}
                yield Sighting(line=device.at, node=_find_node(device, cluster), values=values)


def find_peer_taken_for_local(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel, asked for the way to a peer, says that the address is its own."""
    peers = {(peer.host, peer.address) for peer in cluster.all(BgpPeer)}
    for route in cluster.all(Route):
        if route.device == "lo" and (route.host, route.destination) in peers:
            yield Sighting(line=route.at, node=_find_node(route, cluster), values={"peer": route.destination})


@once
def _collect_foreign_routes(cluster: ClusterFacts) -> dict[str | None, NetworkTable[str]]:
    """The networks that each host reaches through a bridge or VPN, with its device."""
    found: dict[str | None, list[tuple[Network, str]]] = defaultdict(list)
    ways = [
        (route.host, route.destination, route.device or "") for route in cluster.all(Route) if route.kind != "lookup"
    ]
    ways += [(device.host, address, device.name) for device in cluster.all(Interface) for address in device.addresses]
    for host, text, name in ways:
        where = parse_network(text) if is_foreign_device(name) else None
        if where and where.prefixlen and where.num_addresses > 1:
            found[host].append((where, name))
    return {host: NetworkTable(ways) for host, ways in found.items()}


def _collect_exceptions(cluster: ClusterFacts, listed: Route) -> list[Network]:
    """What the table of this route leaves to the next one: `throw 10.42.0.0/16`."""
    table = cluster.artifact(listed.at)
    thrown = (one for one in cluster.all(Route) if one.kind == "throw" and cluster.artifact(one.at) is table)
    return [where for one in thrown if (where := parse_network(one.destination))]


@once
def _collect_calico_routes(cluster: ClusterFacts) -> dict[str | None, list[Network]]:
    """Calico's routes on each host."""
    found: dict[str | None, list[Network]] = defaultdict(list)
    for route in cluster.all(Route):
        own = route.device in TUNNELS or route.protocol in ("bird", "80")
        if own and (where := parse_network(route.destination)):
            found[route.host].append(where)
    return found


def _is_preferred(foreign: Network, own: Network, first: bool) -> bool:
    """In one table the more specific route wins; a table that is asked first wins whatever its routes."""
    return do_overlap(foreign, own) and (first or foreign.prefixlen >= own.prefixlen)


def _find_node(fact: Route | Interface, cluster: ClusterFacts) -> str | None:
    return cluster.names.find_node_or_host(fact.host)


SIGNS = {
    "foreign-route-inside-pods": find_foreign_route_inside_pods,
    "default-of-table-asked-first": find_default_of_table_asked_first,
    "peer-behind-stranger": find_peer_behind_stranger,
    "nodes-behind-stranger": find_nodes_behind_stranger,
    "node-address-on-ipvs": find_node_address_on_ipvs,
    "peer-taken-for-local": find_peer_taken_for_local,
}
