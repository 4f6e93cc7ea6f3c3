"""The sessions on the map: lines between places, and what each end says of them."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_plan import Parts, Pen, Place, Plan
from calivet.reports.html.map_zones import SESSION_STATES
from calivet.reports.html.svg import isolated, linked, tag
from calivet.reports.layout import place as place_of
from calivet.scene.scene import DOWN, HALF, UP, Session

_LINKED_LINES = 24
"""More lines than this are not stepped through by keyboard: the table has the same links."""
_BEND = 0.07


def session_lines(plan: Plan, parts: Parts, pen: Pen) -> Iterator[Markup]:
    """Those that are up lie at the bottom, those that are down on top."""
    lines = [line for line in parts.lines if line.one in plan.places and line.other in plan.places]
    reachable = sum(line.state != UP for line in lines) <= _LINKED_LINES
    for line in sorted(lines, key=lambda line: -SESSION_STATES.index(line.state)):
        path = _bow(plan.places[line.one], plan.places[line.other])
        says = _told(line, pen.language)
        seen = tag("path", class_=f"session {line.state}", d=path)
        if line.state == UP:
            yield seen
            continue
        wide = tag("path", tag("title", says), class_="session-reach", d=path)
        worst = min(line.ends, key=lambda end: end.up, default=None)
        target = pen.anchor(worst.line) if reachable and worst else None
        yield linked(target, says, seen, wide, class_="wire")


def rays(name: str, sessions: list[Session], plan: Plan) -> Iterator[Markup]:
    """The lines of a node for those who point at it: one path for each state, shown and hidden together."""
    here = plan.places[name]
    for state in (DOWN, HALF):
        ends = [line.other if line.one == name else line.one for line in sessions if line.state == state]
        far = [plan.places[end] for end in ends if end in plan.places]
        if far:
            path = "".join(f"M{here.x:.0f} {here.y:.0f}L{end.x:.0f} {end.y:.0f}" for end in far)
            yield tag("path", class_=f"session {state} rays", d=path)


def _bow(one: Place, other: Place) -> str:
    """Slightly bent, so that lines along a row of nodes do not run through all of them."""
    across, down = other.x - one.x, other.y - one.y
    x, y = (one.x + other.x) / 2 - down * _BEND, (one.y + other.y) / 2 + across * _BEND
    return f"M{one.x:.0f} {one.y:.0f}Q{x:.0f} {y:.0f} {other.x:.0f} {other.y:.0f}"


def _told(session: Session, language: str) -> str:
    """What each end says, in BIRD's words."""
    return "\n".join(
        word(
            "sees.title",
            language,
            node=isolated(end.node),
            other=isolated(session.other if end.node == session.one else session.one),
            info=isolated(end.info) or word(UP if end.up else "down", language),
        )
        + f" ({isolated(place_of(end.line))})"
        for end in session.ends
    )
