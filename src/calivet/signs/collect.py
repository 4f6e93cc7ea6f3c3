"""Looks for everything the catalogue names, in one pass, and says where it was seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from calivet.catalogue.load import CatalogueError
from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.evidence.scanner import Hit, PatternError, Scanner
from calivet.facts.picture import Picture
from calivet.facts.whereabouts import Whereabouts
from calivet.signs.computed.registry import COMPUTED
from calivet.signs.keeping import Keeper
from calivet.signs.patterns import Key, fits, observations
from calivet.signs.prose import asserted
from calivet.signs.sighting import Sighting

Seen = Mapping[Key, list[Sighting]]


class Watch:
    """A catalogue made ready for looking: its scanner, and whom each pattern belongs to."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Take the patterns as compiled in an earlier run, or compile them."""
        wanted = list(observations(catalogue))
        self._computed = [item for item in wanted if item.what.computed]
        self._patterns = [item for item in wanted if item.what.pattern]
        for item in self._computed:
            if item.what.computed not in COMPUTED:
                raise CatalogueError(f"{item.key.owner}: there is no computed sign named {item.what.computed}")
        self.scanner = self._scanner()
        self.failed: list[str] = []

    def look(self, picture: Picture) -> dict[Key, list[Sighting]]:
        """Everything seen, in order of the evidence."""
        keeper, whereabouts = Keeper(), Whereabouts(picture)
        for artifact in picture.artifacts:
            for hit in self.scanner.scan(artifact.lines):
                self._keep(keeper, artifact, hit, whereabouts)
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

    def _keep(self, keeper: Keeper, artifact: Artifact, hit: Hit, whereabouts: Whereabouts) -> None:
        item = self._patterns[hit.pattern]
        if not fits(item.what.scope, prose=artifact.prose):
            return
        text = artifact.lines[hit.line]
        places = _expression(str(item.what.pattern)).finditer(text)
        if artifact.prose:
            places = (place for place in places if asserted(text, place.start(), place.end()))
        if found := next(places, None):
            keeper.add(item.key, _sighting(artifact, hit.line, found, whereabouts))

    def _scanner(self) -> Scanner:
        try:
            return Scanner.kept("patterns", [str(item.what.pattern) for item in self._patterns])
        except PatternError as error:
            culprit = self._patterns[error.number].key
            what = f"{culprit.owner}: sign {culprit.part}: the pattern is not usable"
            raise CatalogueError(f"{what}: {error}") from None


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


@lru_cache(maxsize=4096)
def _expression(pattern: str) -> re.Pattern[str]:
    return expression(pattern, re.IGNORECASE)
