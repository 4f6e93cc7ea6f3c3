"""The map in words: every node and its state, and who sees whom in which state."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from calivet.reports.html.anchors import Anchor, cited
from calivet.reports.html.drawing_words import listed, word
from calivet.reports.html.map_zones import SESSION_STATES, natural, telling
from calivet.reports.html.svg import apart
from calivet.reports.html.tables import left_out, table
from calivet.scene.scene import Session, Spot

ROWS_AT_MOST = 240
_CELL = 120
_NODE_HEADS = ("node", "state", "zone", "address", "agent", "causes", "place")
_SESSION_HEADS = ("node", "sees", "state", "info", "since", "place")


def node_table(spots: list[Spot], language: str, anchor: Anchor) -> Markup:
    """Sick nodes first."""
    kept = sorted(spots, key=telling)[:ROWS_AT_MOST]
    rows = [
        [
            apart(spot.name, _CELL),
            word(spot.state, language),
            apart(spot.zone, _CELL),
            apart(spot.address, _CELL),
            apart(spot.agent, _CELL),
            apart(listed(list(spot.causes), language)),
            cited(spot.line, anchor),
        ]
        for spot in kept
    ]
    heads = [word(head, language) for head in _NODE_HEADS]
    return table(word("table.nodes", language), heads, rows, left_out(len(spots) - len(kept), language))


def session_table(sessions: list[Session], language: str, anchor: Anchor) -> Markup:
    """A row for each end, those that are not up first."""
    ranked = sorted(sessions, key=lambda found: (SESSION_STATES.index(found.state), natural(found.one)))
    rows: list[list[str]] = []
    for session in ranked[:ROWS_AT_MOST]:
        rows += _ends(session, language, anchor)
    heads = [word(head, language) for head in _SESSION_HEADS]
    beyond = sum(len(session.ends) for session in sessions) - len(rows[:ROWS_AT_MOST])
    return table(word("table.sessions", language), heads, rows[:ROWS_AT_MOST], left_out(beyond, language))


def _ends(session: Session, language: str, anchor: Anchor) -> Iterator[list[str]]:
    for end in session.ends:
        other = session.other if end.node == session.one else session.one
        yield [
            apart(end.node, _CELL),
            apart(other, _CELL),
            word(session.state, language),
            apart(end.info, _CELL),
            apart(end.since, _CELL),
            cited(end.line, anchor),
        ]
