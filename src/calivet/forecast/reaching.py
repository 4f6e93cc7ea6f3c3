"""can-reach: the address from which the kernel would send to a destination."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

from calivet.facts.host import Route
from calivet.forecast import detection as came
from calivet.forecast.cards import Address, Card, Listing, parsed
from calivet.forecast.detection import Considered, Detection, Host
from calivet.forecast.methods import Network

_DEAD_ENDS = ("blackhole", "unreachable", "prohibit")
_EVERYWHERE: dict[int, Network] = {4: IPv4Network("0.0.0.0/0"), 6: IPv6Network("::/0")}
_NO_METRIC = 1024


def can_reach(host: Host, destination: str, family: int) -> Detection:
    """What the method takes on this host; nothing is sent, the kernel only chooses a way."""
    target = parsed(destination) if "/" not in destination else None
    if target is None:
        return Detection(came.NAME_NOT_RESOLVED, detail=destination)
    if target.version != family:
        return Detection(came.OTHER_FAMILY, detail=destination)
    if host.listing is None:
        return Detection(came.NOT_LISTED)
    if host.listing.holder(destination):  # the host's own address: it is reached from itself
        return _on_card(host.listing, destination, destination)
    return _by_route(host.listing, host.routes, target)


def _by_route(listing: Listing, routes: Sequence[Route], target: Address) -> Detection:
    destination = str(target.ip)
    if asked := [route for route in routes if route.kind == "lookup" and route.destination == destination]:
        return _on_card(listing, asked[-1].source, destination)
    table = [route for route in routes if route.kind != "lookup" and _in_use(route, target.version)]
    if not table:
        return Detection(came.ROUTES_NOT_SEEN, detail=destination)
    route = _best(table, destination)
    if route is None or route.kind in _DEAD_ENDS:
        return Detection(came.NO_ROUTE, detail=destination)
    return _on_card(listing, route.source or _source(listing, route, target), destination)


def _best(table: list[Route], destination: str) -> Route | None:
    """The narrowest route that fits; among equals the one that costs least."""
    target = ip_address(destination)
    fitting = [(route, network) for route in table if (network := _network(route)) and target in network]
    cost = min(fitting, key=lambda one: (-one[1].prefixlen, _metric(one[0])), default=None)
    return cost[0] if cost else None


def _source(listing: Listing, route: Route, target: Address) -> str | None:
    """Of the card that the route leaves by: its address in the next hop's network, else its first."""
    card = next((card for card in listing.cards if card.name == route.device), None)
    own = card.of(target.version) if card else []
    hop = parsed(route.via) or target
    near = [address for address in own if hop.ip in address.network]
    return str((near or own)[0].ip) if own else None


def _on_card(listing: Listing, source: str | None, destination: str) -> Detection:
    held = listing.holder(source) if source else None
    if held is None:
        why = came.NO_ADDRESS if listing.whole else came.NOT_ALL_LISTED
        return Detection(why, detail=destination)
    card, own = held
    return Detection(came.FOUND, str(own), card.name, destination, (_taken(card, own),))


def _taken(card: Card, own: Address) -> Considered:
    return Considered(card.name, str(own), came.TAKEN)


def _in_use(route: Route, family: int) -> bool:
    if route.table not in (None, "main", "default") or route.kind in ("local", "broadcast", "multicast", "anycast"):
        return False
    way = parsed(route.destination) or parsed(route.via) or parsed(route.source)
    return (way.version if way else 4) == family


def _network(route: Route) -> Network | None:
    """Where it leads; None for what is none, as a line that was cut."""
    if route.destination == "default":
        way = parsed(route.via) or parsed(route.source)
        return _EVERYWHERE[way.version if way else 4]
    whole = parsed(route.destination)
    return whole.network if whole else None


def _metric(route: Route) -> int:
    """IPv4 routes without one cost nothing; IPv6 prints its default."""
    if route.metric is not None:
        return route.metric
    return _NO_METRIC if ":" in route.destination else 0
