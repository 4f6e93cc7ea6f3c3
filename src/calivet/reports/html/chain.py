"""The chain of a finding as a picture: boxes from the cause over its effects to the symptom, row by row."""

from __future__ import annotations

from itertools import pairwise

from markupsafe import Markup
from msgspec import Struct

from calivet.reports.html.svg import joined, tag
from calivet.reports.html.visible import visible
from calivet.reports.html.words import word
from calivet.reports.wrapping import wrapped

GAP_X, GAP_Y, EDGE = 26, 30, 2
PADDING, LABEL, LINE, LAST = 11, 22, 17, 9


class Shape(Struct, frozen=True):
    """How the boxes stand: so many in a row, so wide, with so many columns of text."""

    columns: int
    box: int
    letters: int


NARROW = Shape(1, 320, 44)
ROOMY, CLOSE = (196, 25), (160, 20)
"""Width and letters of boxes side by side, up to four and up to five of them."""


class Link(Struct, frozen=True):
    """A link of the chain."""

    title: str
    part: str
    """cause, effect or symptom."""
    seen: bool
    """Otherwise it follows from what stands before it, without a line of its own."""
    target: str | None = None
    """The line that shows it."""


class Box(Struct, frozen=True):
    """A link with its place in the picture."""

    link: Link
    title: list[str]
    x: int
    y: int
    width: int
    height: int


def chain(links: list[Link], name: str, language: str) -> Markup:
    """The picture, once for wide pages and once for narrow ones: the style shows the one that fits."""
    if len(links) < 2:
        return Markup()
    shapes = {"wide": _wide(len(links)), "narrow": NARROW}
    return joined(_picture(links, shape, kind, f"{name}-{kind}", language) for kind, shape in shapes.items())


def _wide(count: int) -> Shape:
    """Rows of about the same length, so that no box is left alone in one."""
    rows = -(-count // 5)
    columns = -(-count // rows)
    return Shape(columns, *(ROOMY if columns < 5 else CLOSE))


def _picture(links: list[Link], shape: Shape, kind: str, name: str, language: str) -> Markup:
    boxes = _boxes(links, shape)
    width = max(box.x + box.width for box in boxes) + EDGE
    height = boxes[-1].y + boxes[-1].height + EDGE
    return tag(
        "svg",
        tag("title", word("chain.line", language), id=f"{name}-title"),
        tag("desc", " → ".join(str(visible(link.title)) for link in links), id=f"{name}-words"),
        *(_arrow(*pair) for pair in pairwise(boxes)),
        *(_drawn(box, language) for box in boxes),
        class_=f"chain chain-{kind}",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_labelledby=f"{name}-title {name}-words",
    )


def _boxes(links: list[Link], shape: Shape) -> list[Box]:
    """Row by row; the boxes of a row are as high as the one with the longest title."""
    titles = [_balanced(str(visible(link.title)), shape.letters) for link in links]
    boxes: list[Box] = []
    top = EDGE
    for first in range(0, len(links), shape.columns):
        row = range(first, min(first + shape.columns, len(links)))
        height = LABEL + LINE * max(len(titles[at]) for at in row) + LAST
        for column, at in enumerate(row):
            boxes.append(Box(links[at], titles[at], EDGE + column * (shape.box + GAP_X), top, shape.box, height))
        top += height + GAP_Y
    return boxes


def _balanced(title: str, letters: int) -> list[str]:
    """As few lines as can be, of about the same length: no single word is left for the last."""
    lines = wrapped(title, letters)
    for fewer in range(letters - 1, letters // 2, -1):
        tighter = wrapped(title, fewer)
        if len(tighter) > len(lines):
            break
        lines = tighter
    return lines


def _drawn(box: Box, language: str) -> Markup:
    link, x = box.link, box.x + PADDING
    label = word(f"chain.{link.part}", language)
    if link.part != "cause":
        label += f" · {word('chain.seen' if link.seen else 'chain.inferred', language)}"
    return tag(
        "a" if link.target else "g",
        tag("rect", class_="chain-box", x=box.x, y=box.y, width=box.width, height=box.height, rx=7),
        tag("text", label, class_="chain-label", x=x, y=box.y + LABEL - 4),
        *(tag("text", line, x=x, y=box.y + LABEL + number * LINE - 3) for number, line in enumerate(box.title, 1)),
        class_=f"chain-{link.part} chain-{'seen' if link.seen else 'inferred'}",
        href=link.target,
    )


def _arrow(start: Box, end: Box) -> Markup:
    """To the right neighbour, or from the end of a row round to the start of the next."""
    if start.y == end.y:
        middle = start.y + start.height // 2
        line, head = f"M{start.x + start.width} {middle}H{end.x - 7}", f"M{end.x} {middle}l-8 -5v10z"
    else:
        out, into = start.x + start.width // 2, end.x + end.width // 2
        line = f"M{out} {start.y + start.height}v{GAP_Y // 2}H{into}V{end.y - 7}"
        head = f"M{into} {end.y}l-5 -8h10z"
    return tag("path", class_="chain-line", d=line) + tag("path", class_="chain-head", d=head)
