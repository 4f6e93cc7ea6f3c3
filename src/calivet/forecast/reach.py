"""Whether two nodes can reach each other at the addresses that Calico has for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from msgspec import Struct

from calivet.forecast.cards import Address, parsed
from calivet.forecast.methods import Network

_Group = tuple[tuple[bool, Network], list[int]]


class Place(Struct, frozen=True):
    """Where the others look for a node. Addresses are kept as numbers: a mesh compares each with each."""

    text: str
    number: int
    network: Network
    first: int
    last: int
    own: bool
    """It is the node's InternalIP, at which Kubernetes' nodes reach each other anyway."""


def places(addresses: Mapping[str, str | None], internal: Mapping[str, str | None]) -> dict[str, Place]:
    """The place of each node that has an address. An InternalIP that several nodes have leads to none of them."""
    holders = Counter(internal.values())
    found = {}
    for node, written in addresses.items():
        if address := parsed(written):
            known = internal.get(node)
            found[node] = _place(address, own=known == str(address.ip) and holders[known] == 1)
    return found


def _place(address: Address, *, own: bool) -> Place:
    network = address.network
    first, last = int(network.network_address), int(network.broadcast_address)
    return Place(str(address.ip), int(address.ip), network, first, last, own)


def reachable(one: Place, other: Place) -> bool:
    """Whether packets find their way: home to home, or inside the network of one's card.

    The same address twice leads nowhere.
    """
    if one.number == other.number:
        return False
    if one.own and other.own:
        return True
    return other.first <= one.number <= other.last or one.first <= other.number <= one.last


def all_reachable(places: Iterable[Place]) -> bool:
    """Whether each, at an address of its own, reaches each. Those on one network do, so networks are compared."""
    groups: dict[tuple[bool, Network], list[int]] = defaultdict(list)
    for place in places:
        groups[place.own, place.network].append(place.number)
    away = [group for group in groups.items() if not group[0][0]]
    return all(_meet(one, other) for one in away for other in groups.items() if one is not other)


def _meet(one: _Group, other: _Group) -> bool:
    """If one on either side is outside the other's network, these two miss each other."""
    return _holds(one[0][1], other[1]) or _holds(other[0][1], one[1])


def _holds(network: Network, numbers: list[int]) -> bool:
    return int(network.network_address) <= min(numbers) and max(numbers) <= int(network.broadcast_address)
