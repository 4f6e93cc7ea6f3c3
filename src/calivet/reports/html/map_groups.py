"""Thousands of nodes: a box for each zone with a bar and counts by state, and the names of some that are sick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_marks import described
from calivet.reports.html.map_plan import NAME_SIZE, Pen
from calivet.reports.html.map_zones import STATES, Zone, tally
from calivet.reports.html.shapes import shape
from calivet.reports.html.svg import columns_in, linked, middle_cut, shown, tag
from calivet.scene.scene import SICK, Spot

_NARROWEST, _GAP, _MARGIN = 280.0, 14.0, 14.0
_TOP, _ROW = 92.0, 24.0
_NAMED = 8
_THINNEST = 5.0


class _Box(Struct, frozen=True):
    x: float
    y: float
    width: float
    height: float


def groups(zones: list[Zone], notes: list[str], width: float, pen: Pen) -> tuple[float, list[Markup]]:
    """The height and the boxes, side by side; the notes tell of each zone's sessions."""
    rows = -(-len(zones) // max(1, int((width + _GAP) / (_NARROWEST + _GAP))))
    across = -(-len(zones) // rows)
    room = (width - 2 - _GAP * (across - 1)) / across
    y, drawn = 1.0, []
    for first in range(0, len(zones), across):
        row = list(zip(zones, notes, strict=True))[first : first + across]
        height = max(_height(zone) for zone, _ in row)
        for number, (zone, note) in enumerate(row):
            box = _Box(1 + number * (room + _GAP), y, room, height)
            heading = zone.heading(pen.language, alone=len(zones) == 1)
            drawn.append(tag("g", *_head(zone, box, heading, note, pen.language), *_named(zone, box, pen)))
        y += height + _GAP
    return y - _GAP + 1, drawn


def _sick(zone: Zone) -> list[Spot]:
    return [spot for spot in zone.spots if spot.state == SICK]


def _height(zone: Zone) -> float:
    sick = len(_sick(zone))
    rows = -(-min(sick, _NAMED) // 2) + (sick > _NAMED)
    return _TOP + rows * _ROW + (6 if rows else -4)


def _head(zone: Zone, box: _Box, heading: str, note: str, language: str) -> Iterator[Markup]:
    columns = columns_in(box.width - 2 * _MARGIN, NAME_SIZE)
    x, right = box.x + _MARGIN, box.x + box.width - _MARGIN
    count = word("nodes.count", language, count=len(zone.spots))
    yield tag("rect", class_="frame", x=box.x, y=box.y, width=box.width, height=box.height, rx=8)
    yield tag("text", shown(heading, columns - len(count) * 2), class_="heading", x=x, y=box.y + 23)
    yield tag("text", count, class_="note", x=right, y=box.y + 23)
    yield from _bar(zone, x, box.y + 34, box.width - 2 * _MARGIN)
    states = tally((spot.state for spot in zone.spots), STATES, language)
    yield tag("text", shown(states, columns), class_="name", x=x, y=box.y + 64)
    yield tag("text", shown(note, columns), class_="agent left", x=x, y=box.y + 81)


def _bar(zone: Zone, x: float, y: float, width: float) -> Iterator[Markup]:
    """Shares of the states; one sick node among thousands still shows."""
    counts = Counter(spot.state for spot in zone.spots)
    least = {state: _THINNEST for state in STATES if counts[state]}
    spare = width - sum(least.values())
    for state in least:
        part = _THINNEST + spare * counts[state] / len(zone.spots)
        yield tag("rect", class_=f"share {state}", x=x, y=y, width=max(part - 1.5, 1.0), height=12, rx=2)
        x += part


def _named(zone: Zone, box: _Box, pen: Pen) -> Iterator[Markup]:
    sick = _sick(zone)
    room = (box.width - 2 * _MARGIN) / 2
    columns = columns_in(room - 24, NAME_SIZE)
    for number, spot in enumerate(sick[:_NAMED]):
        x, y = box.x + _MARGIN + 8 + room * (number % 2), box.y + _TOP + 10 + _ROW * (number // 2)
        says = described(spot, pen.language)
        name = tag("text", middle_cut(pen.names[spot.name], columns), class_="name sick", x=x + 14, y=y + 4)
        target = pen.anchor(spot.line) if spot.line else None
        yield linked(target, says, tag("title", says), shape(SICK, x, y), name)
    if len(sick) > _NAMED:
        y = box.y + _TOP + 14 + _ROW * (_NAMED // 2)
        more = word("more", pen.language, count=len(sick) - _NAMED)
        yield tag("text", more, class_="agent left", x=box.x + _MARGIN, y=y)
