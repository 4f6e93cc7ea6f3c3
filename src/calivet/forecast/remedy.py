"""The autodetection method that would give every node a right address: computed for each, the most robust first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.forecast import methods
from calivet.forecast.autodetection import detect_address, list_excluded_names, may_truncate
from calivet.forecast.cards import Card, parse_address
from calivet.forecast.methods import Detection, HostNetwork, Network, find_first_fit
from calivet.forecast.nodes import collect_host, collect_stored_addresses, list_node_names
from calivet.forecast.reachability import can_all_reach, place_nodes
from calivet.forecast.releases import RunningRelease, find_running_release
from calivet.forecast.settings import read_settings

_FAMILY = 4
_MOST_RANGES = 4


class Remedy(Struct, frozen=True):
    """A method, and what each node would take by it."""

    method: str
    taken: dict[str, Detection]

    @property
    def kind(self) -> str:
        """The method's word."""
        return methods.read_method_kind(self.method) or ""


@once
def find_remedy(picture: ClusterFacts) -> Remedy | None:
    """The first method that surely repairs every node; None where none does, or where too little was seen to tell."""
    hosts = [collect_host(picture, name, _FAMILY) for name in list_node_names(picture)]
    if len(hosts) < 2 or any(one.listing is None for one in hosts):
        return None
    release = find_running_release(picture)
    now = read_settings(picture).choices[_FAMILY].method
    if _does_repair(hosts, _detect_on_hosts(hosts, now, release)):
        return None  # the method is right; whatever is stored, it is not what it would find
    for method in _list_candidates(picture, hosts, release):
        if release.since(methods.SINCE[methods.read_method_kind(method) or ""]):
            taken = _detect_on_hosts(hosts, method, release)
            if _does_repair(hosts, taken):
                return Remedy(method, taken)
    return None


def _detect_on_hosts(hosts: Sequence[HostNetwork], method: str, release: RunningRelease) -> dict[str, Detection]:
    return {one.name: detect_address(one, method, _FAMILY, release) for one in hosts}


def _does_repair(hosts: Sequence[HostNetwork], taken: dict[str, Detection]) -> bool:
    """Every node finds an address, no two the same, and each reaches each."""
    internal = {one.name: one.internal for one in hosts}
    where = place_nodes({name: detection.address for name, detection in taken.items()}, internal)
    if len(where) < len(hosts) or len({place.number for place in where.values()}) < len(where):
        return False
    return can_all_reach(where.values())


def _list_candidates(picture: ClusterFacts, hosts: Sequence[HostNetwork], release: RunningRelease) -> Iterator[str]:
    """From the one that no new card can disturb to the one that only passes over today's."""
    if not may_truncate(release):
        yield methods.INTERNAL_IP
    yield from (methods.RANGE + written for written in _list_ranges(hosts, release))
    yield from (methods.REACH + gateway for gateway in _find_gateways(hosts))
    right = {card.name for one in hosts for card in _find_cards_at_home(one)}
    common = set.intersection(*({card.name for card in _list_own_cards(one, release)} for one in hosts))
    yield from (methods.INTERFACE + _match_exactly(name) for name in sorted(common, key=lambda name: name not in right))
    if wrong := sorted(_find_wrongly_taken(picture, hosts, release) - right):
        yield methods.SKIP + ",".join(map(_match_exactly, wrong))


def _match_exactly(name: str) -> str:
    """An expression for this one name, in which only a dot could mean more."""
    return "^" + name.replace(".", r"\.") + "$"


def _list_ranges(hosts: Sequence[HostNetwork], release: RunningRelease) -> Iterator[str]:
    """The network of the nodes' own addresses, or these networks together; else one that every node has a card in."""
    own = [
        network for one in hosts for card in _find_cards_at_home(one) for network in _list_networks(card, one.internal)
    ]
    if len(set(own)) <= _MOST_RANGES and len(own) >= len(hosts):
        yield ",".join(dict.fromkeys(str(network) for network in own))
    shared = set.intersection(*(_list_all_networks(one, release) for one in hosts))
    yield from (str(network) for network in sorted(shared, key=lambda network: -network.prefixlen))


def _find_gateways(hosts: Sequence[HostNetwork]) -> list[str]:
    """Routers that all hosts send to by default."""
    known = [{route.via for route in one.routes if route.destination == "default" and route.via} for one in hosts]
    return sorted(set.intersection(*known))


def _find_cards_at_home(one: HostNetwork) -> list[Card]:
    """The card with the node's InternalIP."""
    held = one.listing.find_holder(one.internal) if one.listing and one.internal else None
    return [held[0]] if held else []


def _list_own_cards(one: HostNetwork, release: RunningRelease) -> list[Card]:
    """Cards that are not some program's bridge or tunnel."""
    cards = one.listing.cards if one.listing else []
    return [card for card in cards if card.name and find_first_fit(card.name, list_excluded_names(release)) is None]


def _list_networks(card: Card, address: str | None = None) -> list[Network]:
    """The networks of its addresses, or of one of them; a lone address has none."""
    wanted = parse_address(address)
    own = [each for each in card.of(_FAMILY) if wanted is None or each.ip == wanted.ip]
    return [each.network for each in own if each.network.prefixlen < each.max_prefixlen]


def _list_all_networks(one: HostNetwork, release: RunningRelease) -> set[Network]:
    return {network for card in _list_own_cards(one, release) for network in _list_networks(card)}


def _find_wrongly_taken(picture: ClusterFacts, hosts: Sequence[HostNetwork], release: RunningRelease) -> set[str]:
    """The cards whose address is stored, or would be taken now, and is not the node's own."""
    found = set()
    for one in hosts:
        stored = collect_stored_addresses(picture).get((one.name, _FAMILY), "").partition("/")[0]
        now = detect_address(one, methods.FIRST_FOUND, _FAMILY, release)
        held = one.listing.find_holder(stored) if one.listing and stored else None
        found |= {held[0].name} if held and stored != one.internal else set()
        found |= {now.interface} if now.interface and (now.address or "").partition("/")[0] != one.internal else set()
    return {name for name in found if name}
