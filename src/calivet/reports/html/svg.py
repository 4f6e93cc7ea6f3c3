"""Building blocks of drawings: elements that escape what is put into them, and text that cannot act on the page."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from calivet.reports.html.visible import visible
from calivet.reports.wrapping import cut, width_of

# Line breaks and tabs, which text keeps elsewhere.
_ONE_LINE = str.maketrans({"\n": "\u240a", "\t": "\u2409"})
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_LONGEST = 300
_COLUMN = 0.58
"""How wide a letter is on average, as a part of the height of its font."""
BOLD = 1.1
"""How much wider bold letters are."""


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """An element; `class_` and `text_anchor` become class and text-anchor, what is None is left out."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_figure(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{pairs}>{joined(inside)}</{name}>")  # noqa: S704 - names are ours, the rest is escaped


def joined(parts: Iterable[str]) -> Markup:
    """One after the other, escaped where they are not markup yet."""
    return Markup("").join(parts)


def shown(text: str, columns: int = _LONGEST) -> str:
    """Text of others on one bounded line, with what would be invisible or turn the line around made visible."""
    return cut(str(visible(text[: columns * 2])).translate(_ONE_LINE), columns)


def isolated(text: str, columns: int = _LONGEST) -> str:
    """The same for places that know no markup, such as titles: its direction does not reach its neighbours."""
    clean = shown(text, columns)
    return clean if clean.isascii() else f"{_ISOLATE}{clean}{_END_OF_ISOLATE}"


def apart(text: str, columns: int = _LONGEST) -> Markup:
    """The same in HTML; nothing stays nothing."""
    return tag("bdi", shown(text, columns)) if text else Markup("")


def middle_cut(text: str, columns: int) -> str:
    """A name that fits: its ends tell more than its middle."""
    clean = shown(text)
    if width_of(clean) <= columns:
        return clean
    tail = columns // 2
    return cut(clean, columns - tail) + clean[-tail:]


def text_width(text: str, size: float) -> float:
    """About how many pixels a text takes in a font of this size."""
    return width_of(text) * size * _COLUMN


def columns_in(pixels: float, size: float) -> int:
    """How many columns of text fit."""
    return max(1, int(pixels / (size * _COLUMN)))


def linked(target: str | None, name: str, *inside: str, class_: str | None = None) -> Markup:
    """A link where there is something to go to, else a plain group."""
    if target is None:
        return tag("g", *inside, class_=class_)
    return tag("a", *inside, class_=class_, href=target, aria_label=name)


def picture(name: str, size: tuple[float, float], says: tuple[str, str], *inside: str) -> Markup:
    """A drawing with its name and what it shows; with links in it a group, as nobody reaches into an image."""
    body = joined(inside)
    (width, height), (title, summary) = size, says
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", summary, id=f"{name}-summary"),
        body,
        class_=f"drawing {name}",
        role="group" if "<a " in body else "img",
        aria_labelledby=f"{name}-title {name}-summary",
        viewBox=f"0 0 {_figure(width)} {_figure(height)}",
        width=width,
        height=height,
    )


def _figure(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
