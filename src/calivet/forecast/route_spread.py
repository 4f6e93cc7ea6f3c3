"""Who learns whose routes: over sessions of one AS only a route reflector passes on what it was told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from calivet.facts.cluster_facts import ClusterFacts
from calivet.forecast.nodes import find_reflectors
from calivet.forecast.peering import Pair, WantedSessions, find_wanted_sessions

MOST_NODES = 500
"""Of larger clusters labels are not listed, so who is peered with whom is not known."""


def find_unlearned_route(picture: ClusterFacts, nodes: Sequence[str], *, mesh: bool) -> Pair | None:
    """A node, and another one whose routes nobody tells it; None where all learn all, or a router may tell them."""
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
