"""The timeline in words, from the earliest to the latest."""

from __future__ import annotations

from markupsafe import Markup

from calivet.reports.html.anchors import Anchor, cited
from calivet.reports.html.drawing_words import word
from calivet.reports.html.svg import apart
from calivet.reports.html.tables import left_out, table
from calivet.reports.html.time_lanes import rank
from calivet.reports.html.time_words import Clock
from calivet.scene.scene import Happening

ROWS_AT_MOST = 300
_CELL = 160
_HEADS = ("time", "where", "kind", "what", "count", "place")


def time_table(happenings: list[Happening], clock: Clock, anchor: Anchor) -> Markup:
    """Where there are too many, the most telling ones."""
    language = clock.language
    kept = sorted(happenings, key=rank)[:ROWS_AT_MOST]
    rows = [
        [
            clock.range(one.start, one.end),
            apart(one.lane, _CELL) if one.lane else word("cluster", language),
            word(one.kind, language),
            apart(one.title.read(language), _CELL),
            f"{one.count:,}",
            cited(one.line, anchor),
        ]
        for one in sorted(kept, key=lambda one: (one.start, one.end))
    ]
    heads = [word(head, language) for head in _HEADS]
    beyond = left_out(len(happenings) - len(kept), language)
    return table(word("timeline", language), heads, rows, beyond)
