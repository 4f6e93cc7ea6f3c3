"""The nodes and their BGP sessions, drawn and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from calivet.messages.message import Area
from calivet.reports.diagnosis.html.drawing import (
    Anchor,
    clean_text,
    count_columns,
    cut_middle,
    describe_left_out,
    draw_each_width,
    draw_legend,
    draw_link,
    draw_picture,
    draw_sample_line,
    draw_shape,
    draw_table,
    find_no_anchor,
    fold_tables,
    isolate_markup,
    isolate_text,
    link_line,
    measure_pixels,
    tag,
)
from calivet.reports.diagnosis.html.map_layout import (
    HEADING_SIZE,
    NAME_SIZE,
    SESSION_STATES,
    STATES,
    ZONES_AT_MOST,
    Frame,
    MapParts,
    MarkPlace,
    Pen,
    Plan,
    Zone,
    choose_parts,
    count_between,
    draw_between_table,
    group_by_zone,
    make_natural_key,
    place_in_grid,
    place_on_circle,
    rank_node,
    shorten_names,
    tally,
)
from calivet.reports.diagnosis.html.page_model.model import DOWN, HALF, SICK, UP, PageModel, Session, Spot
from calivet.reports.layout.terminal import name_place as place_of
from calivet.reports.layout.wording import join_names

word = Area("drawing")

RING_AT_MOST = 12
GRID_AT_MOST = 240
LINES_AT_MOST = 30
ROWS_AT_MOST = 240
_CELL = 120
LEAST_TO_DRAW = 2
CULPRIT, VICTIM = "culprit", "victim"
LOOKS = (CULPRIT, VICTIM, *(state for state in STATES if state != SICK))
_NODE_HEADS = ("node", "state", "zone", "address", "agent", "causes", "place")
_SESSION_HEADS = ("node", "sees", "state", "info", "since", "place")


def draw_node_map(model: PageModel, language: str, anchor: Anchor = find_no_anchor) -> Markup:
    """The figure; nothing where there is no session and one node at most. `anchor` tells where a line is shown."""
    if len(model.spots) < LEAST_TO_DRAW and not model.sessions:
        return Markup("")
    pen = Pen(language, shorten_names(spot.name for spot in model.spots), anchor)
    tables = [draw_node_table(model.spots, language, anchor)] if model.spots else []
    if model.sessions:
        tables.append(draw_session_table(model.sessions, language, anchor))
    draw = _draw_groups if len(model.spots) > GRID_AT_MOST else _draw_nodes
    summary = _summarize_map(model, language)
    body = draw(model, pen, (word("map", language), summary))
    return tag("figure", tag("figcaption", summary), *body, fold_tables(language, *tables), class_="drawing-figure")


def _summarize_map(model: PageModel, language: str) -> str:
    """So many nodes and sessions, and how they are."""
    nodes = tally((spot.state for spot in model.spots), STATES, language)
    sessions = tally((session.state for session in model.sessions), SESSION_STATES, language)
    said = [word("nodes.summary", language, count=len(model.spots), states=nodes)] if nodes else []
    if sessions:
        said.append(word("sessions.summary", language, count=len(model.sessions), states=sessions))
    else:
        said.append(word("sessions.none", language))
    return ("" if language == "zh" else " ").join(said)


def _draw_nodes(model: PageModel, pen: Pen, says: tuple[str, str]) -> Iterator[Markup]:
    """Every node has its own place."""
    small = len(model.spots) <= RING_AT_MOST
    parts = choose_parts(model.spots, model.sessions, len(model.sessions) if small else LINES_AT_MOST, healthy=small)

    def draw(name: str, width: float) -> Markup:
        plan = (
            place_on_circle(parts, width, pen.language)
            if small
            else place_in_grid(parts, pen.names, width, pen.language)
        )
        return draw_picture(f"map-{name}", (plan.width, plan.height), says, *draw_plan(plan, parts, pen))

    yield _draw_map_legend(model, parts, pen.language)
    yield draw_each_width(draw)
    if not small and model.sessions:
        yield tag("p", word("up.hidden", pen.language), class_="drawing-note")
    if parts.folded:
        yield tag("p", word("folded.rays" if parts.rays else "folded", pen.language), class_="drawing-note")


def _draw_groups(model: PageModel, pen: Pen, says: tuple[str, str]) -> Iterator[Markup]:
    """Only zones have a place."""
    zones = group_by_zone(model.spots, ZONES_AT_MOST)
    counts = count_between(zones, model.sessions)
    notes = [counts.note(number, pen.language) for number in range(len(zones))]

    def draw(name: str, width: float) -> Markup:
        height, boxes = draw_zones(zones, notes, width, pen)
        return draw_picture(f"map-{name}", (width, height), says, *boxes)

    yield _draw_map_legend(model, MapParts([], [], [], {}, {}), pen.language)
    yield draw_each_width(draw)
    yield draw_between_table(zones, counts, pen.language)


def _draw_map_legend(model: PageModel, parts: MapParts, language: str) -> Markup:
    """Only what is on the map."""
    looks = {find_look(spot) for spot in model.spots}
    lines = {session.state for session in parts.lines}
    entries = [(draw_shape(look, 0, 0), word(look, language)) for look in LOOKS if look in looks]
    if parts.peers:
        entries.append((draw_shape("peer", 0, 0), word("peer", language)))
    entries += [(draw_sample_line(state), word(state, language)) for state in SESSION_STATES if state in lines]
    return draw_legend(entries)


def draw_node_table(spots: list[Spot], language: str, anchor: Anchor) -> Markup:
    """Sick nodes first."""
    kept = sorted(spots, key=rank_node)[:ROWS_AT_MOST]
    rows = [
        [
            isolate_markup(spot.name, _CELL),
            word(spot.state, language),
            isolate_markup(spot.zone, _CELL),
            isolate_markup(spot.address, _CELL),
            isolate_markup(spot.agent, _CELL),
            isolate_markup(join_names(list(spot.causes), language)),
            link_line(spot.line, anchor),
        ]
        for spot in kept
    ]
    heads = [word(head, language) for head in _NODE_HEADS]
    return draw_table(word("table.nodes", language), heads, rows, describe_left_out(len(spots) - len(kept), language))


def draw_session_table(sessions: list[Session], language: str, anchor: Anchor) -> Markup:
    """A row for each end, those that are not up first."""
    ranked = sorted(sessions, key=lambda found: (SESSION_STATES.index(found.state), make_natural_key(found.one)))
    rows: list[list[str]] = []
    for session in ranked[:ROWS_AT_MOST]:
        rows += _list_end_rows(session, language, anchor)
    heads = [word(head, language) for head in _SESSION_HEADS]
    beyond = sum(len(session.ends) for session in sessions) - len(rows[:ROWS_AT_MOST])
    return draw_table(word("table.sessions", language), heads, rows[:ROWS_AT_MOST], describe_left_out(beyond, language))


def _list_end_rows(session: Session, language: str, anchor: Anchor) -> Iterator[list[str]]:
    for end in session.ends:
        other = session.other if end.node == session.one else session.one
        yield [
            isolate_markup(end.node, _CELL),
            isolate_markup(other, _CELL),
            word(session.state, language),
            isolate_markup(end.info, _CELL),
            isolate_markup(end.since, _CELL),
            link_line(end.line, anchor),
        ]


_LINKED_LINES = 24
"""More lines than this are not stepped through by keyboard: the table has the same links."""
_BEND = 0.07
_NARROWEST, _GAP, _MARGIN = 280.0, 14.0, 14.0
_TOP, _ROW = 92.0, 24.0
_NAMED = 8
_THINNEST = 5.0


def draw_plan(plan: Plan, parts: MapParts, pen: Pen) -> Iterator[Markup]:
    """All of the drawing, from the bottom to the top."""
    for frame in plan.frames:
        yield tag("rect", class_="frame", x=frame.x, y=frame.y, width=frame.width, height=frame.height, rx=8)
    yield from draw_sessions(plan, parts, pen)
    yield from (_draw_heading(frame) for frame in plan.frames)
    for spot in parts.spots:
        node = _draw_node(spot, plan.places[spot.name], parts.folded.get(spot.name, ""), pen)
        lines = parts.rays.get(spot.name)
        yield tag("g", node, *draw_rays(spot.name, lines, plan), class_="node") if lines else node
    for peer in parts.peers:
        if peer in plan.places:
            yield _draw_peer(peer, plan.places[peer], parts.folded.get(peer, ""))


def describe_node(spot: Spot, language: str) -> str:
    """Everything that is known of a node, in one line."""
    parts = (spot.name, word(spot.state, language), spot.zone, spot.address, spot.agent, *spot.causes)
    return " · ".join(isolate_text(part) for part in parts if part)


def find_look(spot: Spot) -> str:
    """How a node is drawn: where a cause was found it is a culprit, and what is sick beside it a victim."""
    return CULPRIT if spot.causes else VICTIM if spot.state == SICK else spot.state


def _draw_heading(frame: Frame) -> Markup:
    left, right, y = frame.x + 12, frame.x + frame.width - 12, frame.y + 21
    room = right - left - measure_pixels(frame.heading, HEADING_SIZE) - 16
    note = clean_text(frame.note, count_columns(room, NAME_SIZE))
    heading = tag("text", frame.heading, class_="heading", x=left, y=y)
    return tag("g", heading, tag("text", note, class_="note", x=right, y=y))


def _draw_node(spot: Spot, place: MarkPlace, folded: str, pen: Pen) -> Markup:
    says = describe_node(spot, pen.language)
    inside = [tag("title", says), draw_shape(find_look(spot), place.x, place.y)]
    if place.columns:
        inside += _name(pen.names[spot.name], place, folded, spot.state)
    if spot.state == SICK and spot.agent and place.anchor == "middle":
        below = 14 if place.name_y > place.y else -15
        agent = clean_text(spot.agent, place.columns)
        inside.append(tag("text", agent, class_="agent", x=place.name_x, y=place.name_y + below))
    target = pen.anchor(spot.line) if spot.state == SICK and spot.line else None
    return draw_link(target, says, *inside)


def _draw_peer(name: str, place: MarkPlace, folded: str) -> Markup:
    return tag(
        "g", tag("title", isolate_text(name)), draw_shape("peer", place.x, place.y), *_name(name, place, folded, "peer")
    )


def _name(name: str, place: MarkPlace, folded: str, state: str) -> Iterator[Markup]:
    number = f"\u2002{folded}" if folded else ""
    text = cut_middle(name, max(6, place.columns - len(number)))
    more = [tag("tspan", number, class_="folded")] if number else []
    at = {"x": place.name_x, "y": place.name_y, "text_anchor": place.anchor}
    yield tag("text", text, *more, class_=f"name {state}", **at)


def draw_sessions(plan: Plan, parts: MapParts, pen: Pen) -> Iterator[Markup]:
    """Those that are up lie at the bottom, those that are down on top."""
    lines = [line for line in parts.lines if line.one in plan.places and line.other in plan.places]
    reachable = sum(line.state != UP for line in lines) <= _LINKED_LINES
    for line in sorted(lines, key=lambda line: -SESSION_STATES.index(line.state)):
        path = _draw_curve(plan.places[line.one], plan.places[line.other])
        says = _describe_session(line, pen.language)
        seen = tag("path", class_=f"session {line.state}", d=path)
        if line.state == UP:
            yield seen
            continue
        wide = tag("path", tag("title", says), class_="session-reach", d=path)
        worst = min(line.ends, key=lambda end: end.up, default=None)
        target = pen.anchor(worst.line) if reachable and worst else None
        yield draw_link(target, says, seen, wide, class_="wire")


def draw_rays(name: str, sessions: list[Session], plan: Plan) -> Iterator[Markup]:
    """The lines of a node for those who point at it: one path for each state, shown and hidden together."""
    here = plan.places[name]
    for state in (DOWN, HALF):
        ends = [line.other if line.one == name else line.one for line in sessions if line.state == state]
        far = [plan.places[end] for end in ends if end in plan.places]
        if far:
            path = "".join(f"M{here.x:.0f} {here.y:.0f}L{end.x:.0f} {end.y:.0f}" for end in far)
            yield tag("path", class_=f"session {state} rays", d=path)


def _draw_curve(one: MarkPlace, other: MarkPlace) -> str:
    """Slightly bent, so that lines along a row of nodes do not run through all of them."""
    across, down = other.x - one.x, other.y - one.y
    x, y = (one.x + other.x) / 2 - down * _BEND, (one.y + other.y) / 2 + across * _BEND
    return f"M{one.x:.0f} {one.y:.0f}Q{x:.0f} {y:.0f} {other.x:.0f} {other.y:.0f}"


def _describe_session(session: Session, language: str) -> str:
    """What each end says, in BIRD's words."""
    return "\n".join(
        word(
            "sees.title",
            language,
            node=isolate_text(end.node),
            other=isolate_text(session.other if end.node == session.one else session.one),
            info=isolate_text(end.info) or word(UP if end.up else "down", language),
        )
        + f" ({isolate_text(place_of(end.line))})"
        for end in session.ends
    )


class _Box(Struct, frozen=True):
    x: float
    y: float
    width: float
    height: float


def draw_zones(zones: list[Zone], notes: list[str], width: float, pen: Pen) -> tuple[float, list[Markup]]:
    """The height and the boxes, side by side; the notes tell of each zone's sessions."""
    rows = -(-len(zones) // max(1, int((width + _GAP) / (_NARROWEST + _GAP))))
    across = -(-len(zones) // rows)
    room = (width - 2 - _GAP * (across - 1)) / across
    y, drawn = 1.0, []
    for first in range(0, len(zones), across):
        row = list(zip(zones, notes, strict=True))[first : first + across]
        height = max(_measure_zone(zone) for zone, _ in row)
        for number, (zone, note) in enumerate(row):
            box = _Box(1 + number * (room + _GAP), y, room, height)
            heading = zone.heading(pen.language, alone=len(zones) == 1)
            drawn.append(
                tag("g", *_draw_zone_head(zone, box, heading, note, pen.language), *_draw_names(zone, box, pen))
            )
        y += height + _GAP
    return y - _GAP + 1, drawn


def _list_sick(zone: Zone) -> list[Spot]:
    return [spot for spot in zone.spots if spot.state == SICK]


def _measure_zone(zone: Zone) -> float:
    sick = len(_list_sick(zone))
    rows = -(-min(sick, _NAMED) // 2) + (sick > _NAMED)
    return _TOP + rows * _ROW + (6 if rows else -4)


def _draw_zone_head(zone: Zone, box: _Box, heading: str, note: str, language: str) -> Iterator[Markup]:
    columns = count_columns(box.width - 2 * _MARGIN, NAME_SIZE)
    x, right = box.x + _MARGIN, box.x + box.width - _MARGIN
    count = word("nodes.count", language, count=len(zone.spots))
    yield tag("rect", class_="frame", x=box.x, y=box.y, width=box.width, height=box.height, rx=8)
    yield tag("text", clean_text(heading, columns - len(count) * 2), class_="heading", x=x, y=box.y + 23)
    yield tag("text", count, class_="note", x=right, y=box.y + 23)
    yield from _draw_state_bar(zone, x, box.y + 34, box.width - 2 * _MARGIN)
    states = tally((spot.state for spot in zone.spots), STATES, language)
    yield tag("text", clean_text(states, columns), class_="name", x=x, y=box.y + 64)
    yield tag("text", clean_text(note, columns), class_="agent left", x=x, y=box.y + 81)


def _draw_state_bar(zone: Zone, x: float, y: float, width: float) -> Iterator[Markup]:
    """Shares of the states; one sick node among thousands still shows."""
    counts = Counter(spot.state for spot in zone.spots)
    least = {state: _THINNEST for state in STATES if counts[state]}
    spare = width - sum(least.values())
    for state in least:
        part = _THINNEST + spare * counts[state] / len(zone.spots)
        yield tag("rect", class_=f"share {state}", x=x, y=y, width=max(part - 1.5, 1.0), height=12, rx=2)
        x += part


def _draw_names(zone: Zone, box: _Box, pen: Pen) -> Iterator[Markup]:
    sick = _list_sick(zone)
    room = (box.width - 2 * _MARGIN) / 2
    columns = count_columns(room - 24, NAME_SIZE)
    for number, spot in enumerate(sick[:_NAMED]):
        x, y = box.x + _MARGIN + 8 + room * (number % 2), box.y + _TOP + 10 + _ROW * (number // 2)
        says = describe_node(spot, pen.language)
        name = tag("text", cut_middle(pen.names[spot.name], columns), class_="name sick", x=x + 14, y=y + 4)
        target = pen.anchor(spot.line) if spot.line else None
        yield draw_link(target, says, tag("title", says), draw_shape(SICK, x, y), name)
    if len(sick) > _NAMED:
        y = box.y + _TOP + 14 + _ROW * (_NAMED // 2)
        more = word("more", pen.language, count=len(sick) - _NAMED)
        yield tag("text", more, class_="agent left", x=box.x + _MARGIN, y=y)
