"""Which nodes reach each other directly, and what a pool's encapsulation means between them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations

from msgspec import Struct

from calivet.facts.calico import CniConfig
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.host import Interface
from calivet.forecast.cards import Address, find_listing, parse_address
from calivet.forecast.methods import Network
from calivet.forecast.settings import ALWAYS, CROSS_SUBNET, NEVER, PoolMode, Settings

_Group = tuple[tuple[bool, Network], list[int]]


class NodePlace(Struct, frozen=True):
    """Where the others look for a node. Addresses are kept as numbers: a mesh compares each with each."""

    text: str
    number: int
    network: Network
    first: int
    last: int
    own: bool
    """It is the node's InternalIP, at which Kubernetes' nodes reach each other anyway."""


def place_nodes(addresses: Mapping[str, str | None], internal: Mapping[str, str | None]) -> dict[str, NodePlace]:
    """The place of each node that has an address. An InternalIP that several nodes have leads to none of them."""
    holders = Counter(internal.values())
    found = {}
    for node, written in addresses.items():
        if address := parse_address(written):
            known = internal.get(node)
            found[node] = _build_place(address, own=known == str(address.ip) and holders[known] == 1)
    return found


def _build_place(address: Address, *, own: bool) -> NodePlace:
    network = address.network
    first, last = int(network.network_address), int(network.broadcast_address)
    return NodePlace(str(address.ip), int(address.ip), network, first, last, own)


def can_reach(one: NodePlace, other: NodePlace) -> bool:
    """Whether packets find their way: home to home, or inside the network of one's card.

    The same address twice leads nowhere.
    """
    if one.number == other.number:
        return False
    if one.own and other.own:
        return True
    return other.first <= one.number <= other.last or one.first <= other.number <= one.last


def can_all_reach(places: Iterable[NodePlace]) -> bool:
    """Whether each, at an address of its own, reaches each. Those on one network do, so networks are compared."""
    groups: dict[tuple[bool, Network], list[int]] = defaultdict(list)
    for place in places:
        groups[place.own, place.network].append(place.number)
    away = [group for group in groups.items() if not group[0][0]]
    return all(_do_meet(one, other) for one in away for other in groups.items() if one is not other)


def _do_meet(one: _Group, other: _Group) -> bool:
    """If one on either side is outside the other's network, these two miss each other."""
    return _does_hold(one[0][1], other[1]) or _does_hold(other[0][1], one[1])


def _does_hold(network: Network, numbers: list[int]) -> bool:
    return int(network.network_address) <= min(numbers) and max(numbers) <= int(network.broadcast_address)


OVERHEAD = {"": 0, "IPIP": 20, "VXLAN": 50}
"""Bytes that wrapping adds to a packet of IPv4."""
_MORE_FOR_IPV6 = 20
_LARGEST = 5
"""Digits of a size that is one."""


class TooLarge(Struct, frozen=True):
    """A node whose pods may send larger packets than its card takes."""

    node: str
    pod_mtu: int
    card: str
    card_mtu: int
    fixed: bool
    """The size is written in the CNI configuration; else Calico sets a new one, and only running pods keep the old."""


def find_too_large(picture: ClusterFacts, places: Mapping[str, NodePlace], pool: PoolMode) -> tuple[TooLarge, ...]:
    """Where both the pods' and the card's sizes were seen."""
    overhead = OVERHEAD[pool.wrapping] + (_MORE_FOR_IPV6 if pool.wrapping and pool.family == 6 else 0)
    configured = _read_configured_mtu(picture)
    pods = _collect_pod_mtus(picture)
    found = []
    for node, place in places.items():
        cards = find_listing(picture, node, place.network.version)
        held = cards.find_holder(place.text) if cards else None
        size = configured or pods.get(node)
        if held and held[0].mtu and size and size > held[0].mtu - overhead:
            found.append(TooLarge(node, size, held[0].name, held[0].mtu, bool(configured)))
    return tuple(found)


def _read_configured_mtu(picture: ClusterFacts) -> int | None:
    """A size that is written down; 0 lets Calico choose."""
    written = [config.mtu for config in picture.all(CniConfig) if config.mtu and config.mtu.isdecimal()]
    return int(written[-1][:_LARGEST]) or None if written else None


def _collect_pod_mtus(picture: ClusterFacts) -> dict[str, int]:
    found: dict[str, int] = {}
    for device in picture.all(Interface):
        node = picture.names.find_node_or_host(device.host)
        if node and device.mtu and device.name.startswith("cali"):
            found[node] = max(found.get(node, 0), device.mtu)
    return found


BOTH_MODES = "both-modes"
NO_BIRD = "no-bird"
NEEDS_ROUTERS = "needs-routers"
TOO_LARGE = "too-large"


class PoolOutcome(Struct, frozen=True):
    """A pool before and after."""

    before: PoolMode
    after: PoolMode
    near: int
    """Pairs of nodes that share a network."""
    far: int
    """Pairs that meet only across a router."""
    troubles: tuple[str, ...]
    too_large: tuple[TooLarge, ...]

    @property
    def wrapped(self) -> int:
        """Pairs of nodes whose pods meet through a tunnel."""
        return {ALWAYS: self.near + self.far, CROSS_SUBNET: self.far, NEVER: 0}[self.after.mode]


def compare_pools(
    picture: ClusterFacts, before: Settings, after: Settings, places: Mapping[str, NodePlace], *, routers: bool
) -> list[PoolOutcome]:
    """For every pool that is in use; routers that take part in BGP know the pods' addresses, others do not."""
    near, far = _count_pairs(places)
    outcomes = []
    for old, new in zip(before.pools, after.pools, strict=True):
        large = find_too_large(picture, places, new)
        troubles = (
            (BOTH_MODES, NEVER not in (new.ipip, new.vxlan)),
            # Up to 3.32 the routes of IPIP and of plain pools come from BIRD alone.
            (NO_BIRD, new.wrapping != "VXLAN" and not after.has_bgp),
            (NEEDS_ROUTERS, bool(far) and new.mode == NEVER and not routers),
            (TOO_LARGE, any(one.fixed for one in large)),
        )
        held = tuple(trouble for trouble, holds in troubles if holds)
        outcomes.append(PoolOutcome(old, new, near, far, held, large))
    return outcomes


def _count_pairs(places: Mapping[str, NodePlace]) -> tuple[int, int]:
    """How many pairs of nodes share a network, and how many do not."""
    networks = Counter(place.network for place in places.values())
    near = sum(count * (count - 1) // 2 for count in networks.values())
    # One network inside another: prefix lengths that do not agree.
    near += sum(networks[one] * networks[other] for one, other in combinations(networks, 2) if _do_overlap(one, other))
    return near, len(places) * (len(places) - 1) // 2 - near


def _do_overlap(one: Network, other: Network) -> bool:
    return one.version == other.version and one.overlaps(other)
