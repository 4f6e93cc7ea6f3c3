"""A plan as SVG: boxes, the lines of sessions, then nodes and their names on top of them."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_lines import rays, session_lines
from calivet.reports.html.map_plan import HEADING_SIZE, NAME_SIZE, Frame, Parts, Pen, Place, Plan
from calivet.reports.html.shapes import shape
from calivet.reports.html.svg import columns_in, isolated, linked, middle_cut, shown, tag, text_width
from calivet.scene.scene import SICK, Spot


def drawn(plan: Plan, parts: Parts, pen: Pen) -> Iterator[Markup]:
    """All of the drawing, from the bottom to the top."""
    for frame in plan.frames:
        yield tag("rect", class_="frame", x=frame.x, y=frame.y, width=frame.width, height=frame.height, rx=8)
    yield from session_lines(plan, parts, pen)
    yield from (_heading(frame) for frame in plan.frames)
    for spot in parts.spots:
        node = _spot(spot, plan.places[spot.name], parts.folded.get(spot.name, ""), pen)
        lines = parts.rays.get(spot.name)
        yield tag("g", node, *rays(spot.name, lines, plan), class_="node") if lines else node
    for peer in parts.peers:
        if peer in plan.places:
            yield _peer(peer, plan.places[peer], parts.folded.get(peer, ""))


def described(spot: Spot, language: str) -> str:
    """Everything that is known of a node, in one line."""
    parts = (spot.name, word(spot.state, language), spot.zone, spot.address, spot.agent, *spot.causes)
    return " · ".join(isolated(part) for part in parts if part)


def _heading(frame: Frame) -> Markup:
    left, right, y = frame.x + 12, frame.x + frame.width - 12, frame.y + 21
    room = right - left - text_width(frame.heading, HEADING_SIZE) - 16
    note = shown(frame.note, columns_in(room, NAME_SIZE))
    heading = tag("text", frame.heading, class_="heading", x=left, y=y)
    return tag("g", heading, tag("text", note, class_="note", x=right, y=y))


def _spot(spot: Spot, place: Place, folded: str, pen: Pen) -> Markup:
    says = described(spot, pen.language)
    inside = [tag("title", says), shape(spot.state, place.x, place.y)]
    if place.columns:
        inside += _name(pen.names[spot.name], place, folded, spot.state)
    if spot.state == SICK and spot.agent and place.anchor == "middle":
        below = 14 if place.name_y > place.y else -15
        agent = shown(spot.agent, place.columns)
        inside.append(tag("text", agent, class_="agent", x=place.name_x, y=place.name_y + below))
    target = pen.anchor(spot.line) if spot.state == SICK and spot.line else None
    return linked(target, says, *inside)


def _peer(name: str, place: Place, folded: str) -> Markup:
    return tag("g", tag("title", isolated(name)), shape("peer", place.x, place.y), *_name(name, place, folded, "peer"))


def _name(name: str, place: Place, folded: str, state: str) -> Iterator[Markup]:
    number = f"\u2002{folded}" if folded else ""
    text = middle_cut(name, max(6, place.columns - len(number)))
    more = [tag("tspan", number, class_="folded")] if number else []
    at = {"x": place.name_x, "y": place.name_y, "text_anchor": place.anchor}
    yield tag("text", text, *more, class_=f"name {state}", **at)
