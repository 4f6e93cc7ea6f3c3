"""A dozen nodes in a ring, every session a chord; peers that are no nodes in a row beneath."""

from __future__ import annotations

from math import cos, pi, sin

from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_plan import NAME_SIZE, Frame, Parts, Place, Plan, few_peers
from calivet.reports.html.map_zones import telling
from calivet.reports.html.svg import columns_in

_NAME_ROOM = 168.0
_ABOVE, _BELOW = -15.0, 22.0
_EDGE = 48.0
_PEER_HEIGHT = 50.0


def circle(parts: Parts, width: float, language: str) -> Plan:
    """Places on an ellipse as large as the names need."""
    room = min(_NAME_ROOM, width * 0.29)
    nodes = sorted(parts.spots, key=telling)
    tall = 60 + 12.0 * len(nodes) if len(nodes) > 2 else 0.0
    wide = min(width / 2 - room / 2 - 4, max(tall * 1.75, room)) if len(nodes) > 1 else 0.0
    first = pi / 2 if len(nodes) > 2 else pi
    angles = [2 * pi * number / len(nodes) - first for number in range(len(nodes))]
    plan = Plan(width=width)
    for spot, angle in zip(nodes, angles, strict=True):
        x, y = width / 2 + wide * cos(angle), _EDGE + tall * (1 + sin(angle))
        name_y = y + (_ABOVE if tall and sin(angle) < -0.01 else _BELOW)
        plan.places[spot.name] = Place(x, y, x, name_y, "middle", columns_in(room, NAME_SIZE))
    plan.height = max((place.y for place in plan.places.values()), default=0.0) + _EDGE
    if parts.peers:
        _peers_beneath(plan, parts.peers, language)
    return plan


def _peers_beneath(plan: Plan, peers: list[str], language: str) -> None:
    kept, note = few_peers(peers, language)
    across = min(len(kept), max(2, int(plan.width / 150)))
    room = (plan.width - 16) / across
    top = plan.height + 14
    rows = -(-len(kept) // across)
    for number, name in enumerate(kept):
        x, y = 8 + room * (number % across + 0.5), top + 42 + _PEER_HEIGHT * (number // across)
        plan.places[name] = Place(x, y, x, y + _BELOW, "middle", columns_in(min(room - 10, _NAME_ROOM), NAME_SIZE))
    height = 34 + rows * _PEER_HEIGHT
    plan.frames.append(Frame(1, top, plan.width - 2, height, word("peers", language), note))
    plan.height = top + height + 2
