"""The same message thousands of times is one sign: some places are kept to show, and the others are counted."""

from __future__ import annotations

from msgspec.structs import replace

from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

KEPT = 50
"""Places of one pattern, and one for each further node."""


class Keeper:
    """All sightings of a run."""

    def __init__(self) -> None:
        """Nothing is seen yet."""
        self.seen: dict[Key, list[Sighting]] = {}
        self._last: dict[tuple[Key, str | None], int] = {}

    def add(self, key: Key, sighting: Sighting) -> None:
        """Keep it, or let it stand for the last one on its node: that one tells whether a fault came back."""
        kept = self.seen.setdefault(key, [])
        place = self._last.get((key, sighting.node))
        if len(kept) < KEPT or place is None:
            self._last[key, sighting.node] = len(kept)
            kept.append(sighting)
        else:
            kept[place] = replace(sighting, count=kept[place].count + 1)

    def count(self, key: Key, more: int) -> None:
        """So many more were counted where the last one was seen."""
        if kept := self.seen.get(key):
            kept[-1] = replace(kept[-1], count=kept[-1].count + more)
