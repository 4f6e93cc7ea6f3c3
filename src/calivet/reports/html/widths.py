"""Every drawing is made for a desk and for a phone, so that its text never shrinks; CSS shows one of the two."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from calivet.reports.html.svg import joined, tag

WIDTHS = {"wide": 920.0, "narrow": 344.0}


def at_each_width(draw: Callable[[str, float], Markup]) -> Markup:
    """`draw` gets the name of a width and the width itself."""
    return joined(tag("div", draw(name, width), class_=f"drawing-{name}") for name, width in WIDTHS.items())
