"""Which BGP sessions the configuration asks for: the mesh, route reflectors, and the peers that are named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from msgspec import Struct

from calivet.facts.kubernetes import Object
from calivet.facts.picture import Picture, once
from calivet.facts.selectors import selects
from calivet.forecast.nodes import internal_addresses, labels, reflectors, stored_addresses

Pair = tuple[str, str]
"""Two nodes in the order of their names, or a node and the address of a router."""


class Wanted(Struct, frozen=True):
    """The sessions that should be there. A mesh is kept as its members: its pairs may be millions."""

    mesh: frozenset[str] = frozenset()
    named: frozenset[Pair] = frozenset()
    with_routers: frozenset[Pair] = frozenset()

    def asks_for(self, pair: Pair) -> bool:
        """Whether these two nodes should have a session."""
        return pair in self.named or (pair[0] in self.mesh and pair[1] in self.mesh)

    def pairs(self) -> Iterator[Pair]:
        """Every two nodes that should, once."""
        yield from combinations(sorted(self.mesh), 2)
        yield from (pair for pair in sorted(self.named) if not self.mesh.issuperset(pair))


def wanted(picture: Picture, nodes: Sequence[str], mesh: bool) -> Wanted:
    """With the mesh on or off; route reflectors are no part of it."""
    known = frozenset(nodes)
    named: set[Pair] = set()
    routers: set[Pair] = set()
    for peering in picture.all(Object):
        for one, other in _peerings(picture, peering, nodes) if peering.kind == "BGPPeer" else ():
            if other in known:
                named.add((min(one, other), max(one, other)))
            else:
                routers.add((one, other))
    inside = known - reflectors(picture) if mesh else frozenset()
    return Wanted(inside, frozenset(named), frozenset(routers))


def labels_missing(picture: Picture, nodes: Sequence[str]) -> list[str]:
    """Nodes whose labels were not seen although a peering selects by labels."""
    by_labels = any(
        peering.kind == "BGPPeer" and any(path.endswith("elector") for path in peering.values)
        for peering in picture.all(Object)
    )
    return [node for node in nodes if by_labels and not labels(picture, node)]


def _peerings(picture: Picture, peering: Object, nodes: Sequence[str]) -> Iterator[Pair]:
    told = {
        key: str(peering.values.get(f"spec.{key}") or "") for key in ("node", "nodeSelector", "peerIP", "peerSelector")
    }
    ends = [told["node"]] if told["node"] else _selected(picture, told["nodeSelector"], nodes)
    if told["peerSelector"]:
        others = _selected(picture, told["peerSelector"], nodes)
    else:
        others = [_owner(picture, told["peerIP"])] if told["peerIP"] else []
    yield from ((one, other) for one, other in product(ends, others) if one != other)


def _selected(picture: Picture, selector: str, nodes: Sequence[str]) -> list[str]:
    """No selector selects every node."""
    return [node for node in nodes if not selector or selects(selector, labels(picture, node))]


def _owner(picture: Picture, address: str) -> str:
    """The node behind the address, or the address itself: a router."""
    bare = address.rpartition(":")[0] if address.count(":") == 1 else address.strip("[]")
    return _owners(picture).get(bare, bare)


@once
def _owners(picture: Picture) -> dict[str, str]:
    """By address the first node that has it in Calico's records, else by Kubernetes' word."""
    told = (*stored_addresses(picture).items(), *internal_addresses(picture).items())
    return {own.partition("/")[0]: node for (node, _), own in reversed(told)}
