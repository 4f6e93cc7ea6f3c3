"""Where the nodes stand on the map: around a circle while they are few, in a grid by zone when they are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import cos, pi, sin

from markupsafe import Markup
from msgspec import Struct

from calivet.messages.message import Area
from calivet.reports.diagnosis.html.drawing import (
    BOLD,
    Anchor,
    clean_text,
    count_columns,
    draw_table,
    isolate_text,
    measure_pixels,
    tag,
)
from calivet.reports.diagnosis.html.page_model.model import DOWN, HALF, SICK, UNSEEN, UP, WELL, Session, Spot
from calivet.reports.layout.wording import join_names
from calivet.search.expressions import expression

word = Area("drawing")

NAME_SIZE, HEADING_SIZE = 12.0, 13.0
_PEERS_AT_MOST = 24
_RAYS_AT_MOST = 3_000
_NAME_ROOM = 168.0
_ABOVE, _BELOW = -15.0, 22.0
_EDGE = 48.0
_PEER_HEIGHT = 50.0
ZONES_AT_MOST = 12
_MARGIN, _HEADING, _GAP = 12.0, 34.0, 12.0
_ROW, _DOT = 24.0, 21.0
_MARK_ROOM, _NUMBER_ROOM = 28.0, 60.0
_LONGEST_NAME = 24
_ROWS_OF_NAMES = 60
"""Where all names would need more rows than this, only those that matter are written."""


class Pen(Struct, frozen=True):
    """What every mark needs to know."""

    language: str
    names: dict[str, str]
    anchor: Anchor


class MarkPlace(Struct, frozen=True):
    """The middle of a mark, and where its name stands."""

    x: float
    y: float
    name_x: float
    name_y: float
    anchor: str
    columns: int
    """How much of the name fits; nothing where it is 0."""


class Frame(Struct, frozen=True):
    """A box with a heading around some of the nodes."""

    x: float
    y: float
    width: float
    height: float
    heading: str
    note: str = ""


class Plan(Struct):
    """A layout."""

    width: float
    height: float = 0.0
    places: dict[str, MarkPlace] = {}
    frames: list[Frame] = []


class MapParts(Struct, frozen=True):
    """What is laid out: nodes, peers that are none, the sessions that get a line, and those that are only counted."""

    spots: list[Spot]
    peers: list[str]
    lines: list[Session]
    folded: dict[str, str]
    """What stands behind the name of a node instead of its lines."""
    rays: dict[str, list[Session]]
    """The lines of such a node, for those who point at it."""


def choose_parts(spots: list[Spot], sessions: list[Session], lines_at_most: int, *, healthy: bool) -> MapParts:
    """Healthy says whether sessions that are up get a line too."""
    nodes = {spot.name for spot in spots}
    peers = dict.fromkeys(name for session in sessions for name in (session.one, session.other) if name not in nodes)
    lines = [session for session in sessions if session.state != UP]
    folded = _choose_folded(lines, lines_at_most, {spot.name for spot in spots if spot.state == SICK})
    bad, seen = _count_ends(lines), _count_ends(sessions)
    rays = {name: [line for line in lines if name in (line.one, line.other)] for name in _limit_folded(folded, bad)}
    lines = _drop_lines(lines, folded)
    if healthy:
        lines += [session for session in sessions if session.state == UP]
    numbers = {name: f"{bad[name]:,}/{seen[name]:,}" for name in folded}
    return MapParts(spots, sorted(peers), lines, numbers, rays)


def limit_peers(peers: list[str], language: str) -> tuple[list[str], str]:
    """Those that get a place, and a word on the others."""
    beyond = len(peers) - _PEERS_AT_MOST
    return peers[:_PEERS_AT_MOST], word("more", language, count=beyond) if beyond > 0 else ""


def _choose_folded(lines: list[Session], at_most: int, sick: set[str]) -> set[str]:
    """Where lines would cover everything, nodes get a number instead: the sick ones, then those with most lines."""
    if len(lines) <= at_most:
        return set()
    folded = sick & _count_ends(lines).keys()
    while len(left := _drop_lines(lines, folded)) > at_most:
        counts = _count_ends(left)
        folded.add(max(counts, key=lambda name: (counts[name], name)))
    return folded


def _limit_folded(folded: set[str], bad: Counter[str]) -> set[str]:
    """A drawing in which everything is down would hold more lines than anyone looks at."""
    return folded if sum(bad[name] for name in folded) <= _RAYS_AT_MOST else set()


def _drop_lines(lines: list[Session], names: set[str]) -> list[Session]:
    return [line for line in lines if line.one not in names and line.other not in names]


def _count_ends(sessions: list[Session]) -> Counter[str]:
    return Counter(name for session in sessions for name in (session.one, session.other))


def shorten_names(names: Iterable[str]) -> dict[str, str]:
    """By full name; ip-10-1-2-3.eu-west-1.compute.internal is ip-10-1-2-3 where all nodes are of that domain."""
    full = list(names)
    domains = {name.partition(".")[2] for name in full}
    hosts = {name: name.partition(".")[0] for name in full}
    if len(full) > 1 and len(domains) == 1 and len(set(hosts.values())) == len(full) and all(hosts.values()):
        return hosts
    return {name: name for name in full}


def place_on_circle(parts: MapParts, width: float, language: str) -> Plan:
    """Places on an ellipse as large as the names need."""
    room = min(_NAME_ROOM, width * 0.29)
    nodes = sorted(parts.spots, key=rank_node)
    tall = 60 + 12.0 * len(nodes) if len(nodes) > 2 else 0.0
    wide = min(width / 2 - room / 2 - 4, max(tall * 1.75, room)) if len(nodes) > 1 else 0.0
    first = pi / 2 if len(nodes) > 2 else pi
    angles = [2 * pi * number / len(nodes) - first for number in range(len(nodes))]
    plan = Plan(width=width)
    for spot, angle in zip(nodes, angles, strict=True):
        x, y = width / 2 + wide * cos(angle), _EDGE + tall * (1 + sin(angle))
        name_y = y + (_ABOVE if tall and sin(angle) < -0.01 else _BELOW)
        plan.places[spot.name] = MarkPlace(x, y, x, name_y, "middle", count_columns(room, NAME_SIZE))
    plan.height = max((place.y for place in plan.places.values()), default=0.0) + _EDGE
    if parts.peers:
        _place_peers(plan, parts.peers, language)
    return plan


def _place_peers(plan: Plan, peers: list[str], language: str) -> None:
    kept, note = limit_peers(peers, language)
    across = min(len(kept), max(2, int(plan.width / 150)))
    room = (plan.width - 16) / across
    top = plan.height + 14
    rows = -(-len(kept) // across)
    for number, name in enumerate(kept):
        x, y = 8 + room * (number % across + 0.5), top + 42 + _PEER_HEIGHT * (number // across)
        plan.places[name] = MarkPlace(
            x, y, x, y + _BELOW, "middle", count_columns(min(room - 10, _NAME_ROOM), NAME_SIZE)
        )
    height = 34 + rows * _PEER_HEIGHT
    plan.frames.append(Frame(1, top, plan.width - 2, height, word("peers", language), note))
    plan.height = top + height + 2


class _Flow(Struct, frozen=True):
    """Marks in rows, each with this much room; without their names where there are none to be written."""

    members: list[str]
    room: float
    height: float
    columns: int


def place_in_grid(parts: MapParts, names: dict[str, str], width: float, language: str) -> Plan:
    """Zones one above the other; `names` are the names as they are written."""
    longest = _measure_longest(names.values())
    matter = {spot.name for spot in parts.spots if spot.state == SICK} | set(parts.folded)
    first = _compute_room(width, longest + (_NUMBER_ROOM if parts.folded else 0))
    room = _compute_room(width, longest)
    all_named = len(parts.spots) * room <= width * _ROWS_OF_NAMES
    plan = Plan(width=width)
    zones = group_by_zone(parts.spots, ZONES_AT_MOST)
    for zone in zones:
        members = [spot.name for spot in zone.spots]
        rest = [name for name in members if name not in matter]
        flows = [_arrange_names([name for name in members if name in matter], first)]
        flows.append(_arrange_names(rest, room) if all_named else _Flow(rest, _DOT, _DOT, 0))
        heading = zone.heading(language, alone=len(zones) == 1)
        _add_frame(plan, flows, heading, tally((spot.state for spot in zone.spots), STATES, language))
    if parts.peers:
        kept, note = limit_peers(parts.peers, language)
        _add_frame(
            plan, [_arrange_names(kept, _compute_room(width, _measure_longest(kept)))], word("peers", language), note
        )
    plan.height -= _GAP - 2
    return plan


def _measure_longest(names: Iterable[str]) -> float:
    return max((measure_pixels(clean_text(name, _LONGEST_NAME), NAME_SIZE * BOLD) for name in names), default=0.0)


def _compute_room(width: float, name: float) -> float:
    """Room for a mark and its name, such that a whole number of them fills a row."""
    inner = width - 2 * _MARGIN
    return inner / max(2, int(inner / (name + _MARK_ROOM)))


def _arrange_names(members: list[str], room: float) -> _Flow:
    return _Flow(members, room, _ROW, count_columns(room - _MARK_ROOM, NAME_SIZE * BOLD))


def _add_frame(plan: Plan, flows: list[_Flow], heading: str, note: str) -> None:
    """One zone beneath what is planned already."""
    y = plan.height + _HEADING
    for flow in flows:
        across = int((plan.width - 2 * _MARGIN) / flow.room + 0.01)
        for number, name in enumerate(flow.members):
            x, at = _MARGIN + flow.room * (number % across) + 10, y + flow.height * (number // across) + 10
            plan.places[name] = MarkPlace(x, at, x + 13, at + 4, "start", flow.columns)
        y += flow.height * -(-len(flow.members) // across)
    y += 4
    plan.frames.append(Frame(1, plan.height + 1, plan.width - 2, y - plan.height, heading, note))
    plan.height = y + _GAP


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
        return isolate_text(self.name, 40)


def group_by_zone(spots: Iterable[Spot], at_most: int) -> list[Zone]:
    """The zones, those with most sick nodes first; beyond a number they are taken together."""
    found: dict[str, list[Spot]] = {}
    for spot in sorted(spots, key=rank_node):
        found.setdefault(spot.zone, []).append(spot)
    zones = [Zone(name, members) for name, members in sorted(found.items(), key=_rank_zone)]
    if len(zones) <= at_most:
        return zones
    rest = sorted((spot for zone in zones[at_most - 1 :] for spot in zone.spots), key=rank_node)
    return [*zones[: at_most - 1], Zone("", rest, len(zones) - at_most + 1)]


def rank_node(spot: Spot) -> tuple[int, list[str | int]]:
    """Sick nodes first, then by name, where worker-10 comes after worker-9."""
    return STATES.index(spot.state), make_natural_key(spot.name)


def make_natural_key(name: str) -> list[str | int]:
    """A key that sorts numbers in names as numbers."""
    return [int(part) if place % 2 else part for place, part in enumerate(_NUMBER.split(name))]


def tally(states: Iterable[str], order: tuple[str, ...], language: str) -> str:
    """How many of each: 2 sick, 9 healthy."""
    counts = Counter(states)
    return join_names(
        [word(f"{state}.count", language, count=counts[state]) for state in order if counts[state]], language
    )


def _rank_zone(zone: tuple[str, list[Spot]]) -> tuple[int, bool, list[str | int]]:
    name, members = zone
    return -sum(spot.state == SICK for spot in members), not name, make_natural_key(name)


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


def count_between(zones: list[Zone], sessions: list[Session]) -> Between:
    """Count every session under the zones of its ends."""
    zone_of = {spot.name: number for number, zone in enumerate(zones) for spot in zone.spots}
    found = Between(Counter(), Counter())
    for session in sessions:
        one, other = sorted((zone_of.get(session.one, len(zones)), zone_of.get(session.other, len(zones))))
        found.seen[one, other] += 1
        found.bad[one, other] += session.state != UP
    return found


def draw_between_table(zones: list[Zone], found: Between, language: str) -> Markup:
    """A square table; nothing where there is only one zone or all is well."""
    headings = [zone.heading(language, alone=len(zones) == 1) for zone in zones]
    if any(len(zones) in pair for pair in found.seen):
        headings.append(word("peers", language))
    if len(headings) < 2 or not found.bad.total():
        return Markup("")
    numbers = range(len(headings))
    rows = [
        [headings[one], *(_format_cell(found, (min(one, other), max(one, other))) for other in numbers)]
        for one in numbers
    ]
    return draw_table(word("between", language), [word("zone", language), *headings], rows)


def _format_cell(found: Between, pair: tuple[int, int]) -> Markup | str:
    if not found.seen[pair]:
        return "–"
    text = f"{found.bad[pair]:,} / {found.seen[pair]:,}"
    return tag("strong", text, class_="drawing-bad") if found.bad[pair] else text
