"""The map of the nodes and of the BGP sessions between them, with its legend and the same in tables."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from calivet.reports.html.anchors import Anchor, nowhere
from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_between import between, between_table
from calivet.reports.html.map_circle import circle
from calivet.reports.html.map_grid import ZONES_AT_MOST, grid
from calivet.reports.html.map_groups import groups
from calivet.reports.html.map_marks import drawn
from calivet.reports.html.map_names import short_names
from calivet.reports.html.map_plan import Parts, Pen, parts_of
from calivet.reports.html.map_table import node_table, session_table
from calivet.reports.html.map_zones import SESSION_STATES, STATES, by_zone, tally
from calivet.reports.html.shapes import legend, sample_line, shape
from calivet.reports.html.svg import picture, tag
from calivet.reports.html.tables import folded
from calivet.reports.html.widths import at_each_width
from calivet.scene.scene import Scene

RING_AT_MOST = 12
GRID_AT_MOST = 240
LINES_AT_MOST = 30


def node_map(scene: Scene, language: str, anchor: Anchor = nowhere) -> Markup:
    """The figure; nothing where no node and no session is known. `anchor` tells where a line is shown."""
    if not scene.spots and not scene.sessions:
        return Markup("")
    pen = Pen(language, short_names(spot.name for spot in scene.spots), anchor)
    tables = [node_table(scene.spots, language, anchor)] if scene.spots else []
    if scene.sessions:
        tables.append(session_table(scene.sessions, language, anchor))
    draw = _grouped if len(scene.spots) > GRID_AT_MOST else _spread
    summary = _summary(scene, language)
    body = draw(scene, pen, (word("map", language), summary))
    return tag("figure", tag("figcaption", summary), *body, folded(language, *tables), class_="drawing-figure")


def _summary(scene: Scene, language: str) -> str:
    """So many nodes and sessions, and how they are."""
    nodes = tally((spot.state for spot in scene.spots), STATES, language)
    sessions = tally((session.state for session in scene.sessions), SESSION_STATES, language)
    said = [word("nodes.summary", language, count=len(scene.spots), states=nodes)] if nodes else []
    if sessions:
        said.append(word("sessions.summary", language, count=len(scene.sessions), states=sessions))
    else:
        said.append(word("sessions.none", language))
    return ("" if language == "zh" else " ").join(said)


def _spread(scene: Scene, pen: Pen, says: tuple[str, str]) -> Iterator[Markup]:
    """Every node has its own place."""
    small = len(scene.spots) <= RING_AT_MOST
    parts = parts_of(scene.spots, scene.sessions, len(scene.sessions) if small else LINES_AT_MOST, healthy=small)

    def draw(name: str, width: float) -> Markup:
        plan = circle(parts, width, pen.language) if small else grid(parts, pen.names, width, pen.language)
        return picture(f"map-{name}", (plan.width, plan.height), says, *drawn(plan, parts, pen))

    yield _legend(scene, parts, pen.language)
    yield at_each_width(draw)
    if not small and scene.sessions:
        yield tag("p", word("up.hidden", pen.language), class_="drawing-note")
    if parts.folded:
        yield tag("p", word("folded.rays" if parts.rays else "folded", pen.language), class_="drawing-note")


def _grouped(scene: Scene, pen: Pen, says: tuple[str, str]) -> Iterator[Markup]:
    """Only zones have a place."""
    zones = by_zone(scene.spots, ZONES_AT_MOST)
    counts = between(zones, scene.sessions)
    notes = [counts.note(number, pen.language) for number in range(len(zones))]

    def draw(name: str, width: float) -> Markup:
        height, boxes = groups(zones, notes, width, pen)
        return picture(f"map-{name}", (width, height), says, *boxes)

    yield _legend(scene, Parts([], [], [], {}, {}), pen.language)
    yield at_each_width(draw)
    yield between_table(zones, counts, pen.language)


def _legend(scene: Scene, parts: Parts, language: str) -> Markup:
    """Only what is on the map."""
    states = {spot.state for spot in scene.spots}
    lines = {session.state for session in parts.lines}
    entries = [(shape(state, 0, 0), word(state, language)) for state in STATES if state in states]
    if parts.peers:
        entries.append((shape("peer", 0, 0), word("peer", language)))
    entries += [(sample_line(state), word(state, language)) for state in SESSION_STATES if state in lines]
    return legend(entries)
