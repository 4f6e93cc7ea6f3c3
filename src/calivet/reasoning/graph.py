"""The graph from causes over effects to symptoms."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Set
from functools import cache

from calivet.catalogue.model import Catalogue, Cause, Effect
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Object
from calivet.facts.platform import find_platform
from calivet.forecast.releases import find_running_release, parse_release
from calivet.reasoning.diagnosis import Explained
from calivet.search.expressions import expression
from calivet.signs.sighting import Key, Sighting

Edge = tuple[str, str]
_NEEDS_BGP_ROUTES: frozenset[Edge] = frozenset({("bgp-down", "traffic-lost")})
_FELIX_ROUTES_IPIP = "3.33"


def find_absent_edges(picture: ClusterFacts) -> frozenset[Edge]:
    """What does not follow here: where the routes between nodes are not BIRD's, BGP may be down unnoticed."""
    is_other = find_platform(picture).answer("network") not in (None, "calico")
    return _NEEDS_BGP_ROUTES if is_other or _is_routed_by_felix(picture) else frozenset()


def _is_routed_by_felix(picture: ClusterFacts) -> bool:
    """With VXLAN always; without, where it was told to, and for IP-in-IP from this release on unless told not to."""
    way = find_platform(picture).answer("encapsulation")
    told = [thing.values.get("spec.programClusterRoutes") for thing in picture.all(Object)]
    said = next((str(one) for one in reversed(told) if one), None)
    if said:
        return way == "vxlan" or said == "Enabled" or (said == "EnabledIPIPOnly" and way == "ipip")
    newer = find_running_release(picture).since(parse_release(_FELIX_ROUTES_IPIP).least) is True
    return way == "vxlan" or (way == "ipip" and newer)


class Graph:
    """What follows from what, directly and in the end."""

    def __init__(self, catalogue: Catalogue, absent: Set[Edge] = frozenset()) -> None:
        """Take the edges from the catalogue, but for those that this cluster does not have."""
        entries: list[Cause | Effect] = [*catalogue.causes.values(), *catalogue.effects.values()]
        self._edges = {entry.id: [one for one in entry.leads_to if (entry.id, one) not in absent] for entry in entries}
        self._effects = catalogue.effects.keys()
        self.reached = cache(self._collect_reached)

    def next(self, name: str) -> list[str]:
        """What follows directly."""
        return self._edges.get(name, [])

    def leads(self, start: str, end: str) -> bool:
        """Whether end follows, over whatever steps, from start."""
        return end in self.reached(start)

    def list_explained_effects(self, cause: str, observed: Set[str]) -> list[str]:
        """The observed effects that follow from the cause, nearest first.

        The way leads through what was seen; only the cause's own first effects may have gone unseen.
        """
        found: dict[str, None] = {}
        row = self.next(cause)
        unseen = [name for name in row if name in self._effects and name not in observed]
        row = [*row, *(after for name in unseen for after in self.next(name))]
        while row := [name for name in dict.fromkeys(row) if name in observed and name not in found]:
            found.update(dict.fromkeys(row))
            row = [after for name in row for after in self.next(name)]
        return list(found)

    def chain(self, cause: str, observed: Set[str]) -> list[str]:
        """The longest way from the cause through what was seen; only an effect right behind it may have gone unseen."""
        best: list[str] = []
        for first in self.next(cause):
            if first not in observed and first not in self._effects:
                continue  # another cause that nothing was seen of is no link of the chain
            way = self._find_longest(first, observed, {})
            if len(way) - (first not in observed) > len(best) - bool(best and best[0] not in observed):
                best = way
        return [cause, *best]

    def _find_longest(self, name: str, observed: Set[str], known: dict[str, list[str]]) -> list[str]:
        """The longest way that begins here and goes on through observed effects alone."""
        if name not in known:
            known[name] = [name]  # a cycle, were there one, ends here
            ways = [self._find_longest(after, observed, known) for after in self.next(name) if after in observed]
            known[name] = [name, *max(ways, key=len, default=[])]
        return known[name]

    def _collect_reached(self, start: str) -> frozenset[str]:
        found: set[str] = set()
        open_ends = list(self.next(start))
        while open_ends:
            name = open_ends.pop()
            if name not in found:
                found.add(name)
                open_ends += self.next(name)
        return frozenset(found)


Observed = dict[str, list[Sighting]]


def observe_symptoms(catalogue: Catalogue, seen: Mapping[Key, list[Sighting]]) -> Observed:
    """Each effect with its sightings, printed or told."""
    found: Observed = {}
    for effect in catalogue.effects.values():
        traces = range(len(effect.traces))
        if places := [one for number in traces for one in seen.get(Key(effect.id, str(number)), [])]:
            found[effect.id] = places
    return found


def observe_effects(catalogue: Catalogue, seen: Mapping[Key, list[Sighting]]) -> Observed:
    """Each effect with its sightings; the author's words alone establish none."""
    told = observe_symptoms(catalogue, seen)
    printed = {effect: [one for one in places if not one.note] for effect, places in told.items()}
    return {effect: places for effect, places in printed.items() if places}


# What the same log says once it is over.
_OVER = {
    "api-unreachable": expression(r"Datastore connection verified|health status changed: live=true ready=true"),
    "network-plugin-not-ready": expression(r"node status as it just became ready|\bNodeReady\b"),
}


def drop_recovered(observed: Observed, picture: ClusterFacts) -> Observed:
    """Without what the same log later calls over: two refusals in the first second, and then it is connected."""
    left = dict(observed)
    for effect, over in _OVER.items():
        known: dict[int, list[int]] = {}
        found = [one for one in observed.get(effect, ()) if not _is_over(one, over, picture, known)]
        if effect in left and not found:
            del left[effect]
        elif found:
            left[effect] = found
    return left


def _is_over(sighting: Sighting, over: re.Pattern[str], picture: ClusterFacts, known: dict[int, list[int]]) -> bool:
    """What is known are the lines of artifacts that were gone through before: many sightings are in the same one."""
    artifact = picture.artifact(sighting.line)
    if artifact is None:
        return False
    if id(artifact) not in known:
        known[id(artifact)] = [index for index, text in enumerate(artifact.lines) if over.search(text)]
    ends = known[id(artifact)]
    behind = bisect_right(ends, artifact.index(sighting.line.number))
    # Of a message that is repeated only some places are kept as sightings, so its words are looked for once more.
    return behind < len(ends) and not any(sighting.words in text for text in artifact.lines[ends[behind] :])


def list_explained(cause: str, catalogue: Catalogue, graph: Graph, observed: Observed) -> list[Explained]:
    """What the cause accounts for: each effect once for each node, nearest effects first."""
    explained: dict[tuple[str, str | None], Explained] = {}
    for effect in graph.list_explained_effects(cause, observed.keys()):
        for sighting in observed.get(effect, ()):
            subject = sighting.values.get("pod") or sighting.node
            item = Explained(effect, catalogue.effects[effect].title, subject, sighting.line)
            explained.setdefault((effect, subject), item)
    return list(explained.values())
