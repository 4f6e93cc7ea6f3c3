"""The shapes that tell states and kinds apart without colour; each is drawn around its own middle."""

from __future__ import annotations

from markupsafe import Markup

from calivet.reports.html.svg import tag

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
_LETTERS = {"sick": "!", "unseen": "?"}
_LINE = "M-14 0H14"


def shape(kind: str, x: float, y: float, *more: str) -> Markup:
    """A shape of this kind here; more classes change how it is filled."""
    letter = tag("text", _LETTERS[kind], class_="letter", y=3.8) if kind in _LETTERS else Markup("")
    return tag(
        "g",
        tag("path", class_=" ".join(("mark", kind, *more)), d=SHAPES[kind]),
        letter,
        transform=f"translate({x:.1f} {y:.1f})",
    )


def legend(entries: list[tuple[Markup, str]]) -> Markup:
    """What the shapes mean; said in words beside each."""
    return tag(
        "ul",
        *(tag("li", tag("svg", mark, viewBox="-16 -9 32 18", aria_hidden="true"), says) for mark, says in entries),
        class_="drawing-legend",
    )


def sample_line(state: str) -> Markup:
    """A piece of a session's line for the legend."""
    return tag("path", class_=f"session {state}", d=_LINE)


def sample_bar() -> Markup:
    """A piece of a bar for the legend."""
    return tag("rect", class_="bar", x=-14, y=-3, width=28, height=6, rx=3)
