"""Whether a pattern can keep Python's `re` busy for ever, as `(a+)+$` does, which cuts a run of letters in every way.

Two markers walk the pattern with the same text. Where they can part inside a loop and meet again in it, each round of
the loop doubles the ways in which the text can be matched, and `re` may try them all.
"""

from __future__ import annotations

from itertools import combinations, product

from calivet.catalogue.machine import Machine, machine

Pair = tuple[int, int]
MOST_STEPS = 1_000_000
"""A pattern in which the markers can walk further is taken for one of those."""


def is_explosive(pattern: str) -> bool:
    """Whether there is such a loop."""
    made = machine(pattern)
    inside = {
        place: [following for following in made.ways[place] if made.loops.get(following) == loop]
        for place, loop in made.loops.items()
    }
    twice = any(made.ways[place][following] > 1 for place, ways in inside.items() for following in ways)
    return twice or _meet_again(made, inside)


def _meet_again(made: Machine, inside: dict[int, list[int]]) -> bool:
    """Whether two markers that part can come to one place."""
    waiting = [pair for ways in {tuple(ways) for ways in inside.values()} for pair in combinations(ways, 2)]
    seen: set[Pair] = set()
    steps = 0
    while waiting:
        one, other = pair = waiting.pop()
        if pair in seen or not made.letters[one] & made.letters[other]:
            continue
        seen.add(pair)
        for following in product(inside[one], inside[other]):
            steps += 1
            if following[0] == following[1] or steps > MOST_STEPS:
                return True
            waiting.append((min(following), max(following)))
    return False
