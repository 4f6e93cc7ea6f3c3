"""Signs of routes and interfaces that are not Calico's and take its traffic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer
from calivet.facts.host import Interface, Route
from calivet.facts.picture import Picture, once
from calivet.facts.sessions import waiting_sessions
from calivet.signs.computed.network_table import NetworkTable
from calivet.signs.computed.networks import Network, inside, network, node_addresses, overlap, pools
from calivet.signs.computed.paths import TUNNELS
from calivet.signs.sighting import Sighting

_STRANGER = expression(
    r"(?:tun\d|tap\d|ppp\d|wg\d|tailscale|zt|docker|br-|virbr|lxcbr|lxdbr|podman|cni\d|flannel|cilium|weave|nerdctl|vpn)"
)
_DUMMY = ("kube-ipvs0", "nodelocaldns")
_OTHER_TABLE = expression(r"\btable\s+(?!main\b|local\b|default\b)\w+")


def foreign_route_inside_pods(picture: Picture) -> Iterator[Sighting]:
    """A route through a bridge or VPN into a range that is Calico's on the same host."""
    own = _own_ranges(picture)
    everywhere = [pool.network for pool in pools(picture)]
    for route in picture.all(Route):
        where = network(route.destination) if _STRANGER.match(route.device or "") else None
        if not where or where.prefixlen == 0 or route.kind == "lookup":
            continue
        around = picture.artifact(route.at)
        first = around is not None and _OTHER_TABLE.search(around.command or "") is not None
        ranges = [*own.get(route.host, ()), *everywhere]
        taken = next((one for one in ranges if _beats(where, one, first)), None)
        if taken:
            values = {"route": route.destination, "device": str(route.device), "range": str(taken)}
            yield Sighting(line=route.at, node=_node(route, picture), values=values)


def peer_behind_stranger(picture: Picture) -> Iterator[Sighting]:
    """The way to a peer whose session is down leads through a bridge or VPN."""
    waiting = waiting_sessions(picture)
    strange = _strange_ways(picture) if waiting else {}
    for peer in waiting:
        near = (strange[host].holding(peer.address) for host in dict.fromkeys((peer.host, None)) if host in strange)
        if device := next((devices[0] for devices in near if devices), None):
            values = {"peer": peer.address, "device": device}
            yield Sighting(line=peer.at, node=picture.names.node(peer.host) or peer.host, values=values)


def nodes_behind_stranger(picture: Picture) -> Iterator[Sighting]:
    """A bridge or VPN interface whose own network holds the address of another node."""
    known = node_addresses(picture)
    holds: dict[str, list[str]] = {}
    for device in picture.all(Interface):
        here = _node(device, picture)
        for address in device.addresses if _STRANGER.match(device.name) else ():
            where = network(address)
            if not where or where.num_addresses == 1:
                continue
            if str(where) not in holds:
                holds[str(where)] = [node for node, own in known.items() if inside(own, where)]
            other = next((node for node in holds[str(where)] if node != here), None)
            if other:
                values = {"device": device.name, "address": address, "other": other}
                yield Sighting(line=device.at, node=here, values=values)


def node_address_on_ipvs(picture: Picture) -> Iterator[Sighting]:
    """The interface of kube-proxy's ipvs mode holds the address of another node."""
    peers = {peer.address for peer in picture.all(BgpPeer) if "mesh" in (peer.type or "mesh")}
    for device in picture.all(Interface):
        if device.name not in _DUMMY:
            continue
        here = picture.names.node(device.host)
        for address in device.addresses:
            bare = address.split("/")[0]
            other = picture.names.node(bare) or (bare if bare in peers else None)
            if other and other != here:
                values = {"device": device.name, "address": address, "other": other}
                yield Sighting(line=device.at, node=_node(device, picture), values=values)


def peer_taken_for_local(picture: Picture) -> Iterator[Sighting]:
    """The kernel, asked for the way to a peer, says that the address is its own."""
    peers = {(peer.host, peer.address) for peer in picture.all(BgpPeer)}
    for route in picture.all(Route):
        if route.device == "lo" and (route.host, route.destination) in peers:
            yield Sighting(line=route.at, node=_node(route, picture), values={"peer": route.destination})


@once
def _strange_ways(picture: Picture) -> dict[str | None, NetworkTable[str]]:
    """The networks that each host reaches through a bridge or VPN, with its device."""
    found: dict[str | None, list[tuple[Network, str]]] = defaultdict(list)
    ways = [
        (route.host, route.destination, route.device or "") for route in picture.all(Route) if route.kind != "lookup"
    ]
    ways += [(device.host, address, device.name) for device in picture.all(Interface) for address in device.addresses]
    for host, text, name in ways:
        where = network(text) if _STRANGER.match(name) else None
        if where and where.prefixlen and where.num_addresses > 1:
            found[host].append((where, name))
    return {host: NetworkTable(ways) for host, ways in found.items()}


@once
def _own_ranges(picture: Picture) -> dict[str | None, list[Network]]:
    """Calico's routes on each host."""
    found: dict[str | None, list[Network]] = defaultdict(list)
    for route in picture.all(Route):
        own = route.device in TUNNELS or route.protocol in ("bird", "80")
        if own and (where := network(route.destination)):
            found[route.host].append(where)
    return found


def _beats(foreign: Network, own: Network, first: bool) -> bool:
    """In one table the more specific route wins; a table that is asked first wins whatever its routes."""
    return overlap(foreign, own) and (first or foreign.prefixlen >= own.prefixlen)


def _node(fact: Route | Interface, picture: Picture) -> str | None:
    return picture.names.node(fact.host) or fact.host


SIGNS = {
    "foreign-route-inside-pods": foreign_route_inside_pods,
    "peer-behind-stranger": peer_behind_stranger,
    "nodes-behind-stranger": nodes_behind_stranger,
    "node-address-on-ipvs": node_address_on_ipvs,
    "peer-taken-for-local": peer_taken_for_local,
}
