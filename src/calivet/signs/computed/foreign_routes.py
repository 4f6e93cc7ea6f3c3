"""Signs of routes and interfaces that are not Calico's and take its traffic."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.host import Interface, Route
from calivet.facts.picture import Picture
from calivet.signs.computed.networks import Network, inside, network, overlap, pools
from calivet.signs.computed.paths import TUNNELS
from calivet.signs.sighting import Sighting

_STRANGER = re.compile(
    r"(?:tun\d|tap\d|ppp\d|wg\d|tailscale|zt|docker|br-|virbr|lxcbr|lxdbr|podman|cni\d|flannel|cilium|weave|nerdctl|vpn)"
)
_DUMMY = ("kube-ipvs0", "nodelocaldns")


def foreign_route_inside_pods(picture: Picture) -> Iterator[Sighting]:
    """A route through a bridge or VPN into a range that is Calico's on the same host."""
    for route in picture.all(Route):
        where = network(route.destination)
        if not where or where.prefixlen == 0 or route.kind == "lookup" or not _STRANGER.match(route.device or ""):
            continue
        taken = next((own for own in _own_ranges(picture, route.host) if _beats(where, own)), None)
        if taken:
            values = {"route": route.destination, "device": str(route.device), "range": str(taken)}
            yield Sighting(line=route.at, node=picture.names.node(route.host) or route.host, values=values)


def peer_behind_stranger(picture: Picture) -> Iterator[Sighting]:
    """The way to a peer whose session is down leads through a bridge or VPN."""
    routes = [(network(route.destination), route) for route in picture.all(Route) if route.kind != "lookup"]
    for peer in picture.all(BgpPeer):
        for where, route in routes:
            strange = _STRANGER.match(route.device or "") and where and where.prefixlen
            if strange and where and not peer.established and inside(peer.address, where):
                values = {"peer": peer.address, "device": str(route.device)}
                yield Sighting(line=peer.at, node=picture.names.node(peer.host) or peer.host, values=values)
                break


def node_address_on_ipvs(picture: Picture) -> Iterator[Sighting]:
    """The interface of kube-proxy's ipvs mode holds the address of another node."""
    for device in picture.all(Interface):
        if device.name not in _DUMMY:
            continue
        here = picture.names.node(device.host)
        for address in device.addresses:
            other = picture.names.node(address.split("/")[0])
            if other and other != here:
                node = here or device.host
                values = {"device": device.name, "address": address, "other": other}
                yield Sighting(line=device.at, node=node, values=values)


def _own_ranges(picture: Picture, host: str | None) -> list[Network]:
    """Calico's routes on this host, and the pools."""
    routes = (
        network(route.destination)
        for route in picture.all(Route)
        if route.host == host and (route.device in TUNNELS or route.protocol in ("bird", "80"))
    )
    return [own for own in routes if own] + [pool.network for pool in pools(picture)]


def _beats(foreign: Network, own: Network) -> bool:
    """The kernel takes the more specific route, so a wider foreign one does no harm."""
    return overlap(foreign, own) and foreign.prefixlen >= own.prefixlen


SIGNS = {
    "foreign-route-inside-pods": foreign_route_inside_pods,
    "peer-behind-stranger": peer_behind_stranger,
    "node-address-on-ipvs": node_address_on_ipvs,
}
