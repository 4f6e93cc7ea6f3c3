"""The sessions of a large cluster, zone against zone: how many of those that were seen are not up."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup
from msgspec import Struct

from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_zones import Zone
from calivet.reports.html.svg import tag
from calivet.reports.html.tables import table
from calivet.scene.scene import UP, Session


class Between(Struct):
    """Counts by the numbers of two zones; peers that are no nodes stand behind the last zone."""

    seen: Counter[tuple[int, int]]
    bad: Counter[tuple[int, int]]

    def note(self, zone: int, language: str) -> str:
        """What to say of one zone's sessions."""
        mine = [pair for pair in self.seen if zone in pair]
        if not mine:
            return word("sessions.none", language)
        bad, seen = sum(self.bad[pair] for pair in mine), sum(self.seen[pair] for pair in mine)
        return word("within", language, bad=bad, all=seen)


def between(zones: list[Zone], sessions: list[Session]) -> Between:
    """Count every session under the zones of its ends."""
    zone_of = {spot.name: number for number, zone in enumerate(zones) for spot in zone.spots}
    found = Between(Counter(), Counter())
    for session in sessions:
        one, other = sorted((zone_of.get(session.one, len(zones)), zone_of.get(session.other, len(zones))))
        found.seen[one, other] += 1
        found.bad[one, other] += session.state != UP
    return found


def between_table(zones: list[Zone], found: Between, language: str) -> Markup:
    """A square table; nothing where there is only one zone or all is well."""
    headings = [zone.heading(language, alone=len(zones) == 1) for zone in zones]
    if any(len(zones) in pair for pair in found.seen):
        headings.append(word("peers", language))
    if len(headings) < 2 or not found.bad.total():
        return Markup("")
    numbers = range(len(headings))
    rows = [
        [headings[one], *(_cell(found, (min(one, other), max(one, other))) for other in numbers)] for one in numbers
    ]
    return table(word("between", language), [word("zone", language), *headings], rows)


def _cell(found: Between, pair: tuple[int, int]) -> Markup | str:
    if not found.seen[pair]:
        return "–"
    text = f"{found.bad[pair]:,} / {found.seen[pair]:,}"
    return tag("strong", text, class_="drawing-bad") if found.bad[pair] else text
