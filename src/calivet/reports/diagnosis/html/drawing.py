"""What every drawing is made of: elements and texts of SVG, marks and legends, links to the evidence, tables."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup, escape

from calivet.evidence.artifact import Line
from calivet.messages.message import Area
from calivet.reports.layout.terminal import name_place
from calivet.reports.layout.wrapping import cut_line, measure_width

word = Area("drawing")

# Line breaks and tabs, which text keeps elsewhere.
_ONE_LINE = str.maketrans({"\n": "\u240a", "\t": "\u2409"})
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_LONGEST = 300
_COLUMN = 0.58
"""How wide a letter is on average, as a part of the height of its font."""
BOLD = 1.1
"""How much wider bold letters are."""
_ROUND = "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"
_LARGE_ROUND = "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0z"
_SQUARE = "M-5.5-5.5h11v11h-11z"
_DIAMOND = "M0-7.5L7.5 0L0 7.5L-7.5 0z"
_OCTAGON = "M-3.3-8h6.6L8-3.3v6.6L3.3 8h-6.6L-8 3.3v-6.6z"
_TRIANGLE = "M0-7L7 5.5H-7z"
_SMALL_ROUND = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
_TWO_SQUARES = "M-6-6h8v8h-8zM-2-2h8v8h-8z"
SHAPES = {
    "sick": _OCTAGON,
    "culprit": _OCTAGON,
    "victim": _LARGE_ROUND,
    "well": _ROUND,
    "unseen": _LARGE_ROUND,
    "peer": _SQUARE,
    "event": _ROUND,
    "restart": _TRIANGLE,
    "sign": _DIAMOND,
    "harmless": _SMALL_ROUND,
    "condition": _SQUARE,
    "mixed": _TWO_SQUARES,
}
_LETTERS = {"sick": "!", "culprit": "!", "victim": "–", "unseen": "?"}
_LINE = "M-14 0H14"
Anchor = Callable[[Line], str | None]
WIDTHS = {"wide": 920.0, "narrow": 344.0}
LONGEST = 10_000
"""Letters of any one text: accents without end take no room on a line and much in a file."""
_KEPT = frozenset("\n\t")
# U+2400 and on are pictures of the first 32 control characters.
_PICTURES = 0x2400
_DELETE, _PICTURE_OF_DELETE = "\x7f", "\u2421"


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """An element; `class_` and `text_anchor` become class and text-anchor, what is None is left out."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_format_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{pairs}>{join_markup(inside)}</{name}>")  # noqa: S704 - names are ours, the rest is escaped


def join_markup(parts: Iterable[str]) -> Markup:
    """One after the other, escaped where they are not markup yet."""
    return Markup("").join(parts)


def clean_text(text: str, columns: int = _LONGEST) -> str:
    """Text of others on one bounded line, with what would be invisible or turn the line around made visible."""
    return cut_line(str(make_visible(text[: columns * 2])).translate(_ONE_LINE), columns)


def isolate_text(text: str, columns: int = _LONGEST) -> str:
    """The same for places that know no markup, such as titles: its direction does not reach its neighbours."""
    clean = clean_text(text, columns)
    return clean if clean.isascii() else f"{_ISOLATE}{clean}{_END_OF_ISOLATE}"


def isolate_markup(text: str, columns: int = _LONGEST) -> Markup:
    """The same in HTML; nothing stays nothing."""
    return tag("bdi", clean_text(text, columns)) if text else Markup("")


def cut_middle(text: str, columns: int) -> str:
    """A name that fits: its ends tell more than its middle."""
    clean = clean_text(text)
    if measure_width(clean) <= columns:
        return clean
    tail = columns // 2
    return cut_line(clean, columns - tail) + clean[-tail:]


def measure_pixels(text: str, size: float) -> float:
    """About how many pixels a text takes in a font of this size."""
    return measure_width(text) * size * _COLUMN


def count_columns(pixels: float, size: float) -> int:
    """How many columns of text fit."""
    return max(1, int(pixels / (size * _COLUMN)))


def draw_link(target: str | None, name: str, *inside: str, class_: str | None = None) -> Markup:
    """A link where there is something to go to, else a plain group."""
    if target is None:
        return tag("g", *inside, class_=class_)
    return tag("a", *inside, class_=class_, href=target, aria_label=name)


def draw_picture(name: str, size: tuple[float, float], says: tuple[str, str], *inside: str) -> Markup:
    """A drawing with its name and what it shows; with links in it a group, as nobody reaches into an image."""
    body = join_markup(inside)
    (width, height), (title, summary) = size, says
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", summary, id=f"{name}-summary"),
        body,
        class_=f"drawing {name}",
        role="group" if "<a " in body else "img",
        aria_labelledby=f"{name}-title {name}-summary",
        viewBox=f"0 0 {_format_number(width)} {_format_number(height)}",
        width=width,
        height=height,
    )


def _format_number(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def draw_shape(kind: str, x: float, y: float, *more: str) -> Markup:
    """A shape of this kind here; more classes change how it is filled."""
    letter = tag("text", _LETTERS[kind], class_="letter", y=3.8) if kind in _LETTERS else Markup("")
    return tag(
        "g",
        tag("path", class_=" ".join(("mark", kind, *more)), d=SHAPES[kind]),
        letter,
        transform=f"translate({x:.1f} {y:.1f})",
    )


def draw_legend(entries: list[tuple[Markup, str]]) -> Markup:
    """What the shapes mean; said in words beside each."""
    return tag(
        "ul",
        *(tag("li", tag("svg", mark, viewBox="-16 -9 32 18", aria_hidden="true"), says) for mark, says in entries),
        class_="drawing-legend",
    )


def draw_sample_line(state: str) -> Markup:
    """A piece of a session's line for the legend."""
    return tag("path", class_=f"session {state}", d=_LINE)


def draw_sample_bar() -> Markup:
    """A piece of a bar for the legend."""
    return tag("rect", class_="bar", x=-14, y=-3, width=28, height=6, rx=3)


def find_no_anchor(_line: Line) -> str | None:
    """For a drawing that stands alone."""
    return None


def link_line(line: Line | None, anchor: Anchor) -> Markup:
    """A line's place, as a link where the page shows the line."""
    if line is None:
        return Markup("")
    target = anchor(line)
    said = isolate_markup(name_place(line), 120)
    return said if target is None else tag("a", said, href=target)


def draw_each_width(draw: Callable[[str, float], Markup]) -> Markup:
    """`draw` gets the name of a width and the width itself."""
    return join_markup(tag("div", draw(name, width), class_=f"drawing-{name}") for name, width in WIDTHS.items())


def draw_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], after: str = "") -> Markup:
    """A table in a box of its own, so that a phone scrolls it and not the page; columns with nothing in them go."""
    filled = [number for number in range(len(heads)) if any(row[number] for row in rows)]
    heads, rows = ([heads[number] for number in filled], [[row[number] for number in filled] for row in rows])
    head = tag("tr", *(tag("th", text, scope="col") for text in heads))
    body = (tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows)
    drawn = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    box = tag("div", drawn, class_="drawing-table", tabindex="0", role="region", aria_label=caption)
    return join_markup((box, tag("p", after, class_="drawing-note") if after else ""))


def fold_tables(language: str, *tables: str) -> Markup:
    """Tables that open when asked for."""
    return tag("details", tag("summary", word("table", language)), *tables, class_="drawing-alternative")


def describe_left_out(count: int, language: str) -> str:
    """How many rows a table does not show."""
    return word("table.left", language, count=count) if count > 0 else ""


def make_visible(value: object) -> object:
    """Text with its control, direction and invisible characters made visible; markup and numbers stay as they are."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    if len(value) > LONGEST:
        value = value[:LONGEST] + "…"
    if value.isprintable():
        return value
    return "".join(letter if letter.isprintable() or letter in _KEPT else _show_character(letter) for letter in value)


def _show_character(letter: str) -> str:
    if letter < " ":
        return chr(_PICTURES + ord(letter))
    if letter == _DELETE:
        return _PICTURE_OF_DELETE
    return " " if unicodedata.category(letter) == "Zs" else f"⟨U+{ord(letter):04X}⟩"
