"""The graph from causes over effects to symptoms."""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from calivet.catalogue.model import Catalogue, Cause, Effect


class Graph:
    """What follows from what, directly and in the end."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Take the edges from the catalogue."""
        entries: list[Cause | Effect] = [*catalogue.causes.values(), *catalogue.effects.values()]
        self._edges = {entry.id: list(entry.leads_to) for entry in entries}
        self._effects = catalogue.effects.keys()
        self.reached = cache(self._reached)

    def next(self, name: str) -> list[str]:
        """What follows directly."""
        return self._edges.get(name, [])

    def leads(self, start: str, end: str) -> bool:
        """Whether end follows, over whatever steps, from start."""
        return end in self.reached(start)

    def explained(self, cause: str, observed: Set[str]) -> list[str]:
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
        """The longest way from the cause through observed effects; only its first step may have gone unseen."""
        best: list[str] = []
        for first in self.next(cause):
            way = self._longest(first, observed, {})
            if len(way) - (first not in observed) > len(best) - bool(best and best[0] not in observed):
                best = way
        return [cause, *best]

    def _longest(self, name: str, observed: Set[str], known: dict[str, list[str]]) -> list[str]:
        """The longest way that begins here and goes on through observed effects alone."""
        if name not in known:
            known[name] = [name]  # a cycle, were there one, ends here
            ways = [self._longest(after, observed, known) for after in self.next(name) if after in observed]
            known[name] = [name, *max(ways, key=len, default=[])]
        return known[name]

    def _reached(self, start: str) -> frozenset[str]:
        found: set[str] = set()
        open_ends = list(self.next(start))
        while open_ends:
            name = open_ends.pop()
            if name not in found:
                found.add(name)
                open_ends += self.next(name)
        return frozenset(found)
