"""Up to a few hundred nodes: a box for each zone, the nodes in rows, the sick ones first and always named."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_plan import NAME_SIZE, Frame, Parts, Place, Plan, few_peers
from calivet.reports.html.map_zones import STATES, by_zone, tally
from calivet.reports.html.svg import BOLD, columns_in, shown, text_width
from calivet.scene.scene import SICK

ZONES_AT_MOST = 12
_MARGIN, _HEADING, _GAP = 12.0, 34.0, 12.0
_ROW, _DOT = 24.0, 21.0
_MARK_ROOM, _NUMBER_ROOM = 28.0, 60.0
_LONGEST_NAME = 24
_ROWS_OF_NAMES = 60
"""Where all names would need more rows than this, only those that matter are written."""


class _Flow(Struct, frozen=True):
    """Marks in rows, each with this much room; without their names where there are none to be written."""

    members: list[str]
    room: float
    height: float
    columns: int


def grid(parts: Parts, names: dict[str, str], width: float, language: str) -> Plan:
    """Zones one above the other; `names` are the names as they are written."""
    longest = _longest(names.values())
    matter = {spot.name for spot in parts.spots if spot.state == SICK} | set(parts.folded)
    first = _named_room(width, longest + (_NUMBER_ROOM if parts.folded else 0))
    room = _named_room(width, longest)
    all_named = len(parts.spots) * room <= width * _ROWS_OF_NAMES
    plan = Plan(width=width)
    zones = by_zone(parts.spots, ZONES_AT_MOST)
    for zone in zones:
        members = [spot.name for spot in zone.spots]
        rest = [name for name in members if name not in matter]
        flows = [_named([name for name in members if name in matter], first)]
        flows.append(_named(rest, room) if all_named else _Flow(rest, _DOT, _DOT, 0))
        heading = zone.heading(language, alone=len(zones) == 1)
        _box(plan, flows, heading, tally((spot.state for spot in zone.spots), STATES, language))
    if parts.peers:
        kept, note = few_peers(parts.peers, language)
        _box(plan, [_named(kept, _named_room(width, _longest(kept)))], word("peers", language), note)
    plan.height -= _GAP - 2
    return plan


def _longest(names: Iterable[str]) -> float:
    return max((text_width(shown(name, _LONGEST_NAME), NAME_SIZE * BOLD) for name in names), default=0.0)


def _named_room(width: float, name: float) -> float:
    """Room for a mark and its name, such that a whole number of them fills a row."""
    inner = width - 2 * _MARGIN
    return inner / max(2, int(inner / (name + _MARK_ROOM)))


def _named(members: list[str], room: float) -> _Flow:
    return _Flow(members, room, _ROW, columns_in(room - _MARK_ROOM, NAME_SIZE * BOLD))


def _box(plan: Plan, flows: list[_Flow], heading: str, note: str) -> None:
    """One zone beneath what is planned already."""
    y = plan.height + _HEADING
    for flow in flows:
        across = int((plan.width - 2 * _MARGIN) / flow.room + 0.01)
        for number, name in enumerate(flow.members):
            x, at = _MARGIN + flow.room * (number % across) + 10, y + flow.height * (number // across) + 10
            plan.places[name] = Place(x, at, x + 13, at + 4, "start", flow.columns)
        y += flow.height * -(-len(flow.members) // across)
    y += 4
    plan.frames.append(Frame(1, plan.height + 1, plan.width - 2, y - plan.height, heading, note))
    plan.height = y + _GAP
