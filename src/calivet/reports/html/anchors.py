"""Where on the page a line of evidence is shown, if it is."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from calivet.evidence.artifact import Line
from calivet.reports.html.svg import apart, tag
from calivet.reports.layout import place

Anchor = Callable[[Line], str | None]


def nowhere(_line: Line) -> str | None:
    """For a drawing that stands alone."""
    return None


def cited(line: Line | None, anchor: Anchor) -> Markup:
    """A line's place, as a link where the page shows the line."""
    if line is None:
        return Markup("")
    target = anchor(line)
    said = apart(place(line), 120)
    return said if target is None else tag("a", said, href=target)
