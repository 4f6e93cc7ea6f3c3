"""The autodetection method that would give every node a right address: computed for each, the most robust first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.facts.picture import Picture, once
from calivet.forecast import methods
from calivet.forecast.autodetection import autodetect
from calivet.forecast.cards import Card, parsed
from calivet.forecast.detection import Detection, Host
from calivet.forecast.exclusions import excluded
from calivet.forecast.internal_ip import may_truncate
from calivet.forecast.methods import Network
from calivet.forecast.name_patterns import first_fit
from calivet.forecast.nodes import host, node_names, stored_addresses
from calivet.forecast.reach import all_reachable, places
from calivet.forecast.releases import Running, running
from calivet.forecast.settings import settings

_FAMILY = 4
_MOST_RANGES = 4


class Remedy(Struct, frozen=True):
    """A method, and what each node would take by it."""

    method: str
    taken: dict[str, Detection]

    @property
    def kind(self) -> str:
        """The method's word."""
        return methods.kind_of(self.method) or ""


@once
def remedy(picture: Picture) -> Remedy | None:
    """The first method that surely repairs every node; None where none does, or where too little was seen to tell."""
    hosts = [host(picture, name, _FAMILY) for name in node_names(picture)]
    if len(hosts) < 2 or any(one.listing is None for one in hosts):
        return None
    release = running(picture)
    now = settings(picture).choices[_FAMILY].method
    if _repairs(hosts, _taken(hosts, now, release)):
        return None  # the method is right; whatever is stored, it is not what it would find
    for method in _candidates(picture, hosts, release):
        if release.since(methods.SINCE[methods.kind_of(method) or ""]):
            taken = _taken(hosts, method, release)
            if _repairs(hosts, taken):
                return Remedy(method, taken)
    return None


def _taken(hosts: Sequence[Host], method: str, release: Running) -> dict[str, Detection]:
    return {one.name: autodetect(one, method, _FAMILY, release) for one in hosts}


def _repairs(hosts: Sequence[Host], taken: dict[str, Detection]) -> bool:
    """Every node finds an address, no two the same, and each reaches each."""
    internal = {one.name: one.internal for one in hosts}
    where = places({name: detection.address for name, detection in taken.items()}, internal)
    if len(where) < len(hosts) or len({place.number for place in where.values()}) < len(where):
        return False
    return all_reachable(where.values())


def _candidates(picture: Picture, hosts: Sequence[Host], release: Running) -> Iterator[str]:
    """From the one that no new card can disturb to the one that only passes over today's."""
    if not may_truncate(release):
        yield methods.INTERNAL_IP
    yield from (methods.RANGE + written for written in _ranges(hosts, release))
    yield from (methods.REACH + gateway for gateway in _gateways(hosts))
    right = {card.name for one in hosts for card in _at_home(one)}
    common = set.intersection(*({card.name for card in _own_cards(one, release)} for one in hosts))
    yield from (methods.INTERFACE + _exactly(name) for name in sorted(common, key=lambda name: name not in right))
    if wrong := sorted(_wrongly_taken(picture, hosts, release) - right):
        yield methods.SKIP + ",".join(map(_exactly, wrong))


def _exactly(name: str) -> str:
    """An expression for this one name, in which only a dot could mean more."""
    return "^" + name.replace(".", r"\.") + "$"


def _ranges(hosts: Sequence[Host], release: Running) -> Iterator[str]:
    """The network of the nodes' own addresses, or these networks together; else one that every node has a card in."""
    own = [network for one in hosts for card in _at_home(one) for network in _networks(card, one.internal)]
    if len(set(own)) <= _MOST_RANGES and len(own) >= len(hosts):
        yield ",".join(dict.fromkeys(str(network) for network in own))
    shared = set.intersection(*(_all_networks(one, release) for one in hosts))
    yield from (str(network) for network in sorted(shared, key=lambda network: -network.prefixlen))


def _gateways(hosts: Sequence[Host]) -> list[str]:
    """Routers that all hosts send to by default."""
    known = [{route.via for route in one.routes if route.destination == "default" and route.via} for one in hosts]
    return sorted(set.intersection(*known))


def _at_home(one: Host) -> list[Card]:
    """The card with the node's InternalIP."""
    held = one.listing.holder(one.internal) if one.listing and one.internal else None
    return [held[0]] if held else []


def _own_cards(one: Host, release: Running) -> list[Card]:
    """Cards that are not some program's bridge or tunnel."""
    cards = one.listing.cards if one.listing else []
    return [card for card in cards if card.name and first_fit(card.name, excluded(release)) is None]


def _networks(card: Card, address: str | None = None) -> list[Network]:
    """The networks of its addresses, or of one of them; a lone address has none."""
    wanted = parsed(address)
    own = [each for each in card.of(_FAMILY) if wanted is None or each.ip == wanted.ip]
    return [each.network for each in own if each.network.prefixlen < each.max_prefixlen]


def _all_networks(one: Host, release: Running) -> set[Network]:
    return {network for card in _own_cards(one, release) for network in _networks(card)}


def _wrongly_taken(picture: Picture, hosts: Sequence[Host], release: Running) -> set[str]:
    """The cards whose address is stored, or would be taken now, and is not the node's own."""
    found = set()
    for one in hosts:
        stored = stored_addresses(picture).get((one.name, _FAMILY), "").partition("/")[0]
        now = autodetect(one, methods.FIRST_FOUND, _FAMILY, release)
        held = one.listing.holder(stored) if one.listing and stored else None
        found |= {held[0].name} if held and stored != one.internal else set()
        found |= {now.interface} if now.interface and (now.address or "").partition("/")[0] != one.internal else set()
    return {name for name in found if name}
