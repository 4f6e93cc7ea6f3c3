"""The graph from causes over effects to symptoms."""

from __future__ import annotations

from functools import cache

from calivet.catalogue.model import Catalogue, Cause, Effect


class Graph:
    """What follows from what, directly and in the end."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Take the edges from the catalogue."""
        entries: list[Cause | Effect] = [*catalogue.causes.values(), *catalogue.effects.values()]
        self._edges = {entry.id: list(entry.leads_to) for entry in entries}
        self.reached = cache(self._reached)

    def next(self, name: str) -> list[str]:
        """What follows directly."""
        return self._edges.get(name, [])

    def leads(self, start: str, end: str) -> bool:
        """Whether end follows, over whatever steps, from start."""
        return end in self.reached(start)

    def chain(self, cause: str, observed: set[str]) -> list[str]:
        """The way from the cause through the most observed effects, ending at the last observed one."""
        best = self._best(cause, frozenset(observed), {})
        while len(best) > 1 and best[-1] not in observed:
            best = best[:-1]
        return best

    def _best(self, name: str, observed: frozenset[str], known: dict[str, list[str]]) -> list[str]:
        if name not in known:
            known[name] = [name]  # a cycle, were there one, ends here
            ways = [self._best(after, observed, known) for after in self.next(name)]
            # Most observed steps first; of equals the shorter way, then the catalogue's order.
            ways.sort(key=lambda way: (-sum(step in observed for step in way), len(way)))
            if ways and any(step in observed for step in ways[0]):
                known[name] = [name, *ways[0]]
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
