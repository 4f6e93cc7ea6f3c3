"""Nodes by zone: which belong together, and in which order they are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.reports.html.drawing_words import listed, word
from calivet.reports.html.svg import isolated
from calivet.scene.scene import DOWN, HALF, SICK, UNSEEN, UP, WELL, Spot

STATES = (SICK, UNSEEN, WELL)
SESSION_STATES = (DOWN, HALF, UP)
_NUMBER = expression(r"(\d{1,9})")


class Zone(Struct, frozen=True):
    """Nodes under one heading."""

    name: str
    spots: list[Spot]
    folded: int = 0
    """So many small zones are taken together here."""

    def heading(self, language: str, *, alone: bool) -> str:
        """The zone's name, or what stands for one."""
        if self.folded:
            return word("zone.others", language, count=self.folded)
        if not self.name:
            return word("zone.all" if alone else "zone.none", language)
        return isolated(self.name, 40)


def by_zone(spots: Iterable[Spot], at_most: int) -> list[Zone]:
    """The zones, those with most sick nodes first; beyond a number they are taken together."""
    found: dict[str, list[Spot]] = {}
    for spot in sorted(spots, key=telling):
        found.setdefault(spot.zone, []).append(spot)
    zones = [Zone(name, members) for name, members in sorted(found.items(), key=_sickest)]
    if len(zones) <= at_most:
        return zones
    rest = sorted((spot for zone in zones[at_most - 1 :] for spot in zone.spots), key=telling)
    return [*zones[: at_most - 1], Zone("", rest, len(zones) - at_most + 1)]


def telling(spot: Spot) -> tuple[int, list[str | int]]:
    """Sick nodes first, then by name, where worker-10 comes after worker-9."""
    return STATES.index(spot.state), natural(spot.name)


def natural(name: str) -> list[str | int]:
    """A key that sorts numbers in names as numbers."""
    return [int(part) if place % 2 else part for place, part in enumerate(_NUMBER.split(name))]


def tally(states: Iterable[str], order: tuple[str, ...], language: str) -> str:
    """How many of each: 2 sick, 9 healthy."""
    counts = Counter(states)
    return listed([word(f"{state}.count", language, count=counts[state]) for state in order if counts[state]], language)


def _sickest(zone: tuple[str, list[Spot]]) -> tuple[int, bool, list[str | int]]:
    name, members = zone
    return -sum(spot.state == SICK for spot in members), not name, natural(name)
