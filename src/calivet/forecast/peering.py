"""Which BGP sessions the configuration asks for, by mesh, reflectors and named peers, and who learns routes by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from msgspec import Struct

from calivet.facts.calico import BgpPeer
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.kubernetes import Object
from calivet.facts.selectors import does_select
from calivet.forecast.nodes import collect_internal_addresses, collect_stored_addresses, find_labels, find_reflectors
from calivet.forecast.reachability import NodePlace, can_reach

Pair = tuple[str, str]
"""Two nodes in the order of their names, or a node and the address of a router."""
MOST_NODES = 500
"""Of larger clusters labels are not listed, so who is peered with whom is not known."""


class WantedSessions(Struct, frozen=True):
    """The sessions that should be there. A mesh is kept as its members: its pairs may be millions."""

    mesh: frozenset[str] = frozenset()
    named: frozenset[Pair] = frozenset()
    with_routers: frozenset[Pair] = frozenset()

    def is_wanted(self, pair: Pair) -> bool:
        """Whether these two nodes should have a session."""
        return pair in self.named or (pair[0] in self.mesh and pair[1] in self.mesh)

    def list_pairs(self) -> Iterator[Pair]:
        """Every two nodes that should, once."""
        yield from combinations(sorted(self.mesh), 2)
        yield from (pair for pair in sorted(self.named) if not self.mesh.issuperset(pair))


def find_wanted_sessions(picture: ClusterFacts, nodes: Sequence[str], mesh: bool) -> WantedSessions:
    """With the mesh on or off; route reflectors are no part of it."""
    known = frozenset(nodes)
    named: set[Pair] = set()
    routers: set[Pair] = set()
    for peering in picture.all(Object):
        for one, other in _list_pairs_of_peer(picture, peering, nodes) if peering.kind == "BGPPeer" else ():
            if other in known:
                named.add((min(one, other), max(one, other)))
            else:
                routers.add((one, other))
    inside = known - find_reflectors(picture) if mesh else frozenset()
    return WantedSessions(inside, frozenset(named), frozenset(routers))


def list_lone_nodes(picture: ClusterFacts, nodes: Sequence[str]) -> list[str]:
    """Nodes that no peering gives a neighbour to, once the mesh is off; where labels decide, only those with labels.

    A peering by an address is one node's own; one by a selector Calico sets up at both ends.
    """
    met: set[str] = set()
    for peering in picture.all(Object):
        if peering.kind == "BGPPeer":
            pairs = list(_list_pairs_of_peer(picture, peering, nodes))
            met.update(one for one, _ in pairs)
            met.update(other for _, other in pairs if peering.values.get("spec.peerSelector"))
    unknown = set(list_nodes_without_labels(picture, nodes))
    return [node for node in nodes if node not in met | unknown]


def list_nodes_without_labels(picture: ClusterFacts, nodes: Sequence[str]) -> list[str]:
    """Nodes whose labels were not seen although a peering selects by labels."""
    by_labels = any(
        peering.kind == "BGPPeer" and any(path.endswith("elector") for path in peering.values)
        for peering in picture.all(Object)
    )
    return [node for node in nodes if by_labels and not find_labels(picture, node)]


def _list_pairs_of_peer(picture: ClusterFacts, peering: Object, nodes: Sequence[str]) -> Iterator[Pair]:
    told = {
        key: str(peering.values.get(f"spec.{key}") or "") for key in ("node", "nodeSelector", "peerIP", "peerSelector")
    }
    ends = [told["node"]] if told["node"] else _select_nodes(picture, told["nodeSelector"], nodes)
    if told["peerSelector"]:
        others = _select_nodes(picture, told["peerSelector"], nodes)
    else:
        others = [_find_owner(picture, told["peerIP"])] if told["peerIP"] else []
    yield from ((one, other) for one, other in product(ends, others) if one != other)


def _select_nodes(picture: ClusterFacts, selector: str, nodes: Sequence[str]) -> list[str]:
    """No selector selects every node."""
    return [node for node in nodes if not selector or does_select(selector, find_labels(picture, node))]


def _find_owner(picture: ClusterFacts, address: str) -> str:
    """The node behind the address, or the address itself: a router."""
    bare = address.rpartition(":")[0] if address.count(":") == 1 else address.strip("[]")
    return _collect_owners(picture).get(bare, bare)


@once
def _collect_owners(picture: ClusterFacts) -> dict[str, str]:
    """By address the first node that has it in Calico's records, else by Kubernetes' word."""
    told = (*collect_stored_addresses(picture).items(), *collect_internal_addresses(picture).items())
    return {own.partition("/")[0]: node for (node, _), own in reversed(told)}


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


class SessionView(Struct, frozen=True):
    """All nodes at one moment: where each is, and who should speak with whom."""

    places: Mapping[str, NodePlace]
    wanted: WantedSessions
    lost: frozenset[str] = frozenset()
    """Nodes that surely have no place; of others that have none it is not known."""


class Comparison:
    """The sessions of two views; what is asked again and again is worked out once, for a mesh has many pairs."""

    def __init__(self, picture: ClusterFacts, before: SessionView, after: SessionView) -> None:
        """Note who moves, and what was seen."""
        self._before, self._after = before, after
        everyone = before.places.keys() | after.places.keys() | before.lost | after.lost
        self._moving = {node for node in everyone if before.places.get(node) != after.places.get(node)}
        self._seen = _collect_seen_sessions(picture)

    def list_node_sessions(self) -> Iterator[Session]:
        """Every session between nodes that is wanted now or afterwards."""
        asked = self._after.wanted
        gone = (pair for pair in self._before.wanted.list_pairs() if not asked.is_wanted(pair))
        for pair in chain(asked.list_pairs(), gone):
            now = self._find_state_before(pair)
            yield Session(*pair, now, self._find_state_after(pair, now))

    def list_router_sessions(self) -> Iterator[Session]:
        """Every session with a router: it knows the node by its address, so a new one has to be told there."""
        before, after = self._before.wanted.with_routers, self._after.wanted.with_routers
        for pair in sorted(before | after):
            now = self._seen.get(pair, UNKNOWN) if pair in before else ABSENT
            then = ROUTER if pair[0] in self._moving else now
            yield Session(*pair, now, then if pair in after else ABSENT)

    def _find_state_before(self, pair: Pair) -> str:
        """As one of the ends was seen to have it, else as the addresses let expect."""
        if not self._before.wanted.is_wanted(pair):
            return ABSENT
        judged = _judge_session(pair, self._before)
        if not self._seen:
            return judged
        seen = {self._seen.get((one, _find_address(self._before, other))) for one, other in (pair, pair[::-1])}
        if UP in seen:
            return UP
        return OTHERWISE_DOWN if DOWN in seen and judged == UP else judged

    def _find_state_after(self, pair: Pair, now: str) -> str:
        if not self._after.wanted.is_wanted(pair):
            return ABSENT
        return now if now != ABSENT and self._moving.isdisjoint(pair) else _judge_session(pair, self._after)


def _judge_session(pair: Pair, view: SessionView) -> str:
    if not view.lost.isdisjoint(pair):
        return DOWN
    one, other = view.places.get(pair[0]), view.places.get(pair[1])
    if one is None or other is None:
        return UNKNOWN
    return UP if can_reach(one, other) else DOWN


def _find_address(view: SessionView, node: str) -> str:
    place = view.places.get(node)
    return place.text if place else ""


@once
def _collect_seen_sessions(picture: ClusterFacts) -> dict[tuple[str, str], str]:
    """By node and peer address, how the session was last seen."""
    found = {}
    for peer in picture.all(BgpPeer):
        node = picture.names.node(peer.host) or picture.find_node_of_pod(peer.pod) or peer.host
        if node:
            found[node, peer.address] = UP if peer.established else DOWN
    return found


def find_unlearned_route(picture: ClusterFacts, nodes: Sequence[str], *, mesh: bool) -> Pair | None:
    """A node, and another one whose routes nobody tells it; None where all learn all, or a router may tell them.

    Over sessions of one AS only a route reflector passes on what it was told.
    """
    wanted = find_wanted_sessions(picture, nodes, mesh=mesh)
    if wanted.with_routers or len(nodes) > MOST_NODES or not (wanted.named or wanted.mesh):
        return None
    around = _collect_neighbours(wanted, nodes)
    reflectors = find_reflectors(picture)
    pairs = ((node, other) for node in nodes for other in _list_unheard(node, around, reflectors, nodes))
    return next(pairs, None)


def _collect_neighbours(wanted: WantedSessions, nodes: Sequence[str]) -> dict[str, set[str]]:
    around: dict[str, set[str]] = {node: set(wanted.mesh) - {node} if node in wanted.mesh else set() for node in nodes}
    for one, other in wanted.named:
        around[one].add(other)
        around[other].add(one)
    return around


def _list_unheard(
    node: str, around: Mapping[str, set[str]], reflectors: set[str], nodes: Sequence[str]
) -> Iterator[str]:
    """Nodes that it has no way to hear of; one without any session is another fault."""
    heard = {node}
    waiting = set(around[node])
    while waiting:
        next_one = waiting.pop()
        heard.add(next_one)
        if next_one in reflectors:
            waiting |= around[next_one] - heard
    return (other for other in nodes if other not in heard and around[node] and around[other])
