"""The way from cause to symptom, as boxes and arrows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from markupsafe import Markup
from msgspec import Struct

from calivet.messages.message import Area
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Finding
from calivet.reports.diagnosis.html.claims import Effect
from calivet.reports.diagnosis.html.drawing import Anchor, join_markup, make_visible, tag
from calivet.reports.layout.wrapping import wrap_text

word = Area("page")

GAP_X, GAP_Y, EDGE = 26, 30, 2
PADDING, LABEL, LINE, LAST = 11, 22, 17, 9
ROOMY, CLOSE = (196, 25), (160, 20)
"""Width and letters of boxes side by side, up to four and up to five of them."""


class Shape(Struct, frozen=True):
    """How the boxes stand: so many in a row, so wide, with so many columns of text."""

    columns: int
    box: int
    letters: int


NARROW = Shape(1, 320, 44)


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


def draw_chain(links: list[Link], name: str, language: str) -> Markup:
    """The picture, once for wide pages and once for narrow ones: the style shows the one that fits."""
    if len(links) < 2:
        return Markup()
    shapes = {"wide": _choose_shape(len(links)), "narrow": NARROW}
    return join_markup(_draw_links(links, shape, kind, f"{name}-{kind}", language) for kind, shape in shapes.items())


def _choose_shape(count: int) -> Shape:
    """Rows of about the same length, so that no box is left alone in one."""
    rows = -(-count // 5)
    columns = -(-count // rows)
    return Shape(columns, *(ROOMY if columns < 5 else CLOSE))


def _draw_links(links: list[Link], shape: Shape, kind: str, name: str, language: str) -> Markup:
    boxes = _place_boxes(links, shape)
    width = max(box.x + box.width for box in boxes) + EDGE
    height = boxes[-1].y + boxes[-1].height + EDGE
    return tag(
        "svg",
        tag("title", word("chain.line", language), id=f"{name}-title"),
        tag("desc", " → ".join(str(make_visible(link.title)) for link in links), id=f"{name}-words"),
        *(_draw_arrow(*pair) for pair in pairwise(boxes)),
        *(_draw_box(box, language) for box in boxes),
        class_=f"chain chain-{kind}",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_labelledby=f"{name}-title {name}-words",
    )


def _place_boxes(links: list[Link], shape: Shape) -> list[Box]:
    """Row by row; the boxes of a row are as high as the one with the longest title."""
    titles = [_balance_lines(str(make_visible(link.title)), shape.letters) for link in links]
    boxes: list[Box] = []
    top = EDGE
    for first in range(0, len(links), shape.columns):
        row = range(first, min(first + shape.columns, len(links)))
        height = LABEL + LINE * max(len(titles[at]) for at in row) + LAST
        for column, at in enumerate(row):
            boxes.append(Box(links[at], titles[at], EDGE + column * (shape.box + GAP_X), top, shape.box, height))
        top += height + GAP_Y
    return boxes


def _balance_lines(title: str, letters: int) -> list[str]:
    """As few lines as can be, of about the same length: no single word is left for the last."""
    lines = wrap_text(title, letters)
    for fewer in range(letters - 1, letters // 2, -1):
        tighter = wrap_text(title, fewer)
        if len(tighter) > len(lines):
            break
        lines = tighter
    return lines


def _draw_box(box: Box, language: str) -> Markup:
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


def _draw_arrow(start: Box, end: Box) -> Markup:
    """To the right neighbour, or from the end of a row round to the start of the next."""
    if start.y == end.y:
        middle = start.y + start.height // 2
        line, head = f"M{start.x + start.width} {middle}H{end.x - 7}", f"M{end.x} {middle}l-8 -5v10z"
    else:
        out, into = start.x + start.width // 2, end.x + end.width // 2
        line = f"M{out} {start.y + start.height}v{GAP_Y // 2}H{into}V{end.y - 7}"
        head = f"M{into} {end.y}l-5 -8h10z"
    return tag("path", class_="chain-line", d=line) + tag("path", class_="chain-head", d=head)


def build_links(
    finding: Finding, effects: list[Effect], titles: Mapping[str, Words], anchor: Anchor, language: str
) -> list[Link]:
    """A link for each step of the chain; what was seen leads to its line."""
    seen = {effect.id: anchor(effect.seen[0][1].line) for effect in effects}
    if finding.evidence:
        seen[finding.chain[0]] = anchor(finding.evidence[0].line)
    last = len(finding.chain) - 1
    return [
        Link(
            titles[step].read(language),
            "cause" if not number else "symptom" if number == last else "effect",
            step in seen or step in finding.consequences,
            seen.get(step),
        )
        for number, step in enumerate(finding.chain)
    ]
