"""Few short words instead of many long ones: the fewer the automaton looks for, the faster it is."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Set

from calivet.evidence.rarity import parts, rarity

GOOD = 0.7
"""A part does for a word if it is nearly as rare as the word's rarest part."""


def cover(words: Iterable[str], without: Set[str] = frozenset()) -> dict[str, list[str]]:
    """Parts such that each word holds one, each with its words; what many words share is taken first."""
    wanted = list(words)
    holders: dict[str, set[str]] = {}
    for word in wanted:
        for part in _good_parts(word, without):
            holders.setdefault(part, set()).add(word)
    left = set(wanted)
    found: dict[str, list[str]] = {}
    queue = [(-len(held), -rarity(part), part) for part, held in holders.items()]
    heapq.heapify(queue)
    while left:
        counted, order, part = heapq.heappop(queue)
        held = holders[part] & left
        if len(held) == -counted:
            found[part] = sorted(held)
            left -= held
        elif held:  # others have taken some of its words since
            heapq.heappush(queue, (-len(held), order, part))
    return found


def _good_parts(word: str, without: Set[str]) -> list[str]:
    """The word itself where one of its parts turned out to be no good: another may not be better."""
    found = parts(word)
    if not without.isdisjoint(found):
        return [word]
    rarest = max(map(rarity, found))
    return [part for part in found if rarity(part) >= GOOD * rarest]
