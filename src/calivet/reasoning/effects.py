"""The effects that were observed, and which of them a cause accounts for."""

from __future__ import annotations

from collections.abc import Mapping

from calivet.catalogue.model import Catalogue
from calivet.reasoning.diagnosis import Explained
from calivet.reasoning.graph import Graph
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

Observed = dict[str, list[Sighting]]


def observed_effects(catalogue: Catalogue, seen: Mapping[Key, list[Sighting]]) -> Observed:
    """Each effect with its sightings; the author's words alone establish none."""
    found: Observed = {}
    for effect in catalogue.effects.values():
        places = [
            sighting
            for number in range(len(effect.traces))
            for sighting in seen.get(Key(effect.id, str(number)), [])
            if not sighting.note
        ]
        if places:
            found[effect.id] = places
    return found


def explained_by(cause: str, catalogue: Catalogue, graph: Graph, observed: Observed) -> list[Explained]:
    """What the cause accounts for: each effect once for each node, nearest effects first."""
    explained: dict[tuple[str, str | None], Explained] = {}
    for effect in graph.explained(cause, observed.keys()):
        for sighting in observed.get(effect, ()):
            subject = sighting.values.get("pod") or sighting.node
            item = Explained(effect, catalogue.effects[effect].title, subject, sighting.line)
            explained.setdefault((effect, subject), item)
    return list(explained.values())
