"""The sessions between nodes, now and afterwards: which come up, which go down, and which fail for another reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct

from calivet.facts.calico import BgpPeer
from calivet.facts.picture import Picture, once
from calivet.forecast.peering import Pair, Wanted
from calivet.forecast.reach import Place, reachable

UP, DOWN = "up", "down"
ABSENT = "absent"
"""Nobody asks for it."""
OTHERWISE_DOWN = "otherwise-down"
"""Down although the addresses are right: something else is wrong, and the change does not touch it."""
ROUTER = "router"
"""A router must be told the node's new address."""
UNKNOWN = "unknown"


class Session(Struct, frozen=True):
    """One session, seen from either end."""

    one: str
    other: str
    before: str
    after: str


class View(Struct, frozen=True):
    """All nodes at one moment: where each is, and who should speak with whom."""

    places: Mapping[str, Place]
    wanted: Wanted
    lost: frozenset[str] = frozenset()
    """Nodes that surely have no place; of others that have none it is not known."""


class Comparison:
    """The sessions of two views; what is asked again and again is worked out once, for a mesh has many pairs."""

    def __init__(self, picture: Picture, before: View, after: View) -> None:
        """Note who moves, and what was seen."""
        self._before, self._after = before, after
        everyone = before.places.keys() | after.places.keys() | before.lost | after.lost
        self._moving = {node for node in everyone if before.places.get(node) != after.places.get(node)}
        self._seen = _seen(picture)

    def between_nodes(self) -> Iterator[Session]:
        """Every session between nodes that is wanted now or afterwards."""
        asked = self._after.wanted
        gone = (pair for pair in self._before.wanted.pairs() if not asked.asks_for(pair))
        for pair in chain(asked.pairs(), gone):
            now = self._now(pair)
            yield Session(*pair, now, self._then(pair, now))

    def with_routers(self) -> Iterator[Session]:
        """Every session with a router: it knows the node by its address, so a new one has to be told there."""
        before, after = self._before.wanted.with_routers, self._after.wanted.with_routers
        for pair in sorted(before | after):
            now = self._seen.get(pair, UNKNOWN) if pair in before else ABSENT
            then = ROUTER if pair[0] in self._moving else now
            yield Session(*pair, now, then if pair in after else ABSENT)

    def _now(self, pair: Pair) -> str:
        """As one of the ends was seen to have it, else as the addresses let expect."""
        if not self._before.wanted.asks_for(pair):
            return ABSENT
        judged = _judged(pair, self._before)
        if not self._seen:
            return judged
        seen = {self._seen.get((one, _address(self._before, other))) for one, other in (pair, pair[::-1])}
        if UP in seen:
            return UP
        return OTHERWISE_DOWN if DOWN in seen and judged == UP else judged

    def _then(self, pair: Pair, now: str) -> str:
        if not self._after.wanted.asks_for(pair):
            return ABSENT
        return now if now != ABSENT and self._moving.isdisjoint(pair) else _judged(pair, self._after)


def _judged(pair: Pair, view: View) -> str:
    if not view.lost.isdisjoint(pair):
        return DOWN
    one, other = view.places.get(pair[0]), view.places.get(pair[1])
    if one is None or other is None:
        return UNKNOWN
    return UP if reachable(one, other) else DOWN


def _address(view: View, node: str) -> str:
    place = view.places.get(node)
    return place.text if place else ""


@once
def _seen(picture: Picture) -> dict[tuple[str, str], str]:
    """By node and peer address, how the session was last seen."""
    found = {}
    for peer in picture.all(BgpPeer):
        node = picture.names.node(peer.host) or picture.node_of_pod(peer.pod) or peer.host
        if node:
            found[node, peer.address] = UP if peer.established else DOWN
    return found
