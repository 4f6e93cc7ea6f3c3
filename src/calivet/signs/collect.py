"""Looks for everything the catalogue names, in one pass, and says where it was seen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from calivet.catalogue.load import CatalogueError
from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact
from calivet.facts.picture import Picture
from calivet.facts.whereabouts import Whereabouts
from calivet.signs.computed.registry import COMPUTED
from calivet.signs.keeping import Keeper
from calivet.signs.lookout import PatternLookout
from calivet.signs.patterns import Key, fits, observations
from calivet.signs.prose import asserted
from calivet.signs.sighting import Sighting

Seen = Mapping[Key, list[Sighting]]


class Watch:
    """A catalogue made ready for looking."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Find out what is to be looked for where."""
        wanted = list(observations(catalogue))
        self._computed = [item for item in wanted if item.what.computed]
        self._patterns = [item for item in wanted if item.what.pattern]
        for item in self._computed:
            if item.what.computed not in COMPUTED:
                raise CatalogueError(f"{item.key.owner}: there is no computed sign named {item.what.computed}")
        self.output = self._lookout("output", prose=False)
        self.failed: list[str] = []

    def look(self, picture: Picture) -> dict[Key, list[Sighting]]:
        """Everything seen, in order of the evidence."""
        keeper, whereabouts = Keeper(), Whereabouts(picture)
        for artifact in picture.artifacts:
            self._look_at(artifact, keeper, whereabouts)
        self.failed = []
        for item in self._computed:
            name = str(item.what.computed)
            try:
                found = list(COMPUTED[name](picture))
            except Exception as error:  # noqa: BLE001 - a bug in one sign must not cost the others
                self.failed.append(f"the sign {name} has a bug: {type(error).__name__}: {error}")
                continue
            if found:
                keeper.seen[item.key] = found
        return keeper.seen

    @cached_property
    def prose(self) -> PatternLookout:
        """Made where there is prose: most evidence is output alone, and a scanner costs time and memory."""
        return self._lookout("prose", prose=True)

    def _lookout(self, name: str, *, prose: bool) -> PatternLookout:
        return PatternLookout(name, [item for item in self._patterns if fits(item.what.scope, prose=prose)])

    def _look_at(self, artifact: Artifact, keeper: Keeper, whereabouts: Whereabouts) -> None:
        lookout = self.prose if artifact.prose else self.output
        counts = Counter[int]()
        for hit in lookout.scan(artifact.lines):
            text = artifact.lines[hit.line]
            places = lookout.matches(hit.pattern, text)
            if artifact.prose:
                places = (place for place in places if asserted(text, place.start(), place.end()))
            if found := next(places, None):
                counts[hit.pattern] += 1
                keeper.add(lookout.items[hit.pattern].key, _sighting(artifact, hit.line, found, whereabouts))
        for number, count in (Counter(artifact.counts) - counts).items() if artifact.counts else ():
            keeper.count(lookout.items[number].key, count)


def _sighting(artifact: Artifact, index: int, found: re.Match[str], whereabouts: Whereabouts) -> Sighting:
    values = {name: value for name, value in found.groupdict().items() if value}
    return Sighting(
        line=artifact.at(index),
        node=whereabouts.node(artifact, index),
        order=artifact.order,
        note=artifact.prose,
        values=values,
        words=found[0],
    )
