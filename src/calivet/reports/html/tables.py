"""Tables beneath a drawing: the same in words, for those who cannot see it or want to search it."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from calivet.reports.html.drawing_words import word
from calivet.reports.html.svg import joined, tag


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], after: str = "") -> Markup:
    """A table in a box of its own, so that a phone scrolls it and not the page; columns with nothing in them go."""
    filled = [number for number in range(len(heads)) if any(row[number] for row in rows)]
    heads, rows = ([heads[number] for number in filled], [[row[number] for number in filled] for row in rows])
    head = tag("tr", *(tag("th", text, scope="col") for text in heads))
    body = (tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows)
    drawn = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    box = tag("div", drawn, class_="drawing-table", tabindex="0", role="region", aria_label=caption)
    return joined((box, tag("p", after, class_="drawing-note") if after else ""))


def folded(language: str, *tables: str) -> Markup:
    """Tables that open when asked for."""
    return tag("details", tag("summary", word("table", language)), *tables, class_="drawing-alternative")


def left_out(count: int, language: str) -> str:
    """How many rows a table does not show."""
    return word("table.left", language, count=count) if count > 0 else ""
