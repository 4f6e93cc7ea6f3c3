"""What a pool's encapsulation means between the nodes: which pairs are wrapped, and who depends on routers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from msgspec import Struct

from calivet.facts.picture import Picture
from calivet.forecast.methods import Network
from calivet.forecast.packet_sizes import TooLarge, too_large
from calivet.forecast.pools import ALWAYS, CROSS_SUBNET, NEVER, PoolMode
from calivet.forecast.reach import Place
from calivet.forecast.settings import Settings

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


def pool_outcomes(
    picture: Picture, before: Settings, after: Settings, places: Mapping[str, Place], *, routers: bool
) -> list[PoolOutcome]:
    """For every pool that is in use; routers that take part in BGP know the pods' addresses, others do not."""
    near, far = _pairs(places)
    outcomes = []
    for old, new in zip(before.pools, after.pools, strict=True):
        large = too_large(picture, places, new)
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


def _pairs(places: Mapping[str, Place]) -> tuple[int, int]:
    """How many pairs of nodes share a network, and how many do not."""
    networks = Counter(place.network for place in places.values())
    near = sum(count * (count - 1) // 2 for count in networks.values())
    # One network inside another: prefix lengths that do not agree.
    near += sum(networks[one] * networks[other] for one, other in combinations(networks, 2) if _overlap(one, other))
    return near, len(places) * (len(places) - 1) // 2 - near


def _overlap(one: Network, other: Network) -> bool:
    return one.version == other.version and one.overlaps(other)
