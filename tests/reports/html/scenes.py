"""Scenes made by hand, and a look into what was drawn from them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, fromstring

from calivet.evidence.artifact import Line
from calivet.messages.words import Words
from calivet.reports.diagnosis.html.page_model.model import (
    DOWN,
    EVENT,
    SICK,
    UP,
    WELL,
    End,
    Happening,
    PageModel,
    Session,
    Spot,
)

SVG = frozenset("svg title desc g path rect circle text tspan a".split())
HTML = frozenset("figure figcaption ul li div p details summary table caption thead tbody tr th td bdi strong".split())
TAKEN = 1_746_541_800.0
"""6 May 2025, 14:30 UTC."""


def line(number: int = 1, document: str = "status.txt") -> Line:
    return Line(document, number, "text")


def anchor(where: Line) -> str | None:
    return f"#L-{where.artifact}-{where.number}"


def spot(name: str, state: str = WELL, **more: object) -> Spot:
    return Spot(name=name, state=state, line=line(), **more)  # type: ignore[arg-type]


def session(one: str, other: str, state: str = UP, info: str = "Established") -> Session:
    return Session(
        one=one, other=other, state=state, ends=(End(node=one, info=info, up=state == UP, since="09:11", line=line(7)),)
    )


def cluster(count: int, zones: int = 1, every: int = 10) -> list[Spot]:
    """Every tenth node is sick."""
    return [
        spot(
            f"oak-{number}",
            WELL if number % every else SICK,
            zone=f"east-{number % zones}" if zones > 1 else "",
            agent="1/1 Running" if number % every else "0/1 CrashLoopBackOff",
        )
        for number in range(count)
    ]


def mesh(spots: list[Spot], seen_from: int) -> list[Session]:
    """As the first few see it; sick nodes have no session that is up."""
    return [
        session(
            one.name, other.name, DOWN if SICK in (one.state, other.state) else UP, "Active Socket: Connection refused"
        )
        for number, one in enumerate(spots[:seen_from])
        for other in spots[number + 1 :]
    ]


def scene(count: int, zones: int = 1, seen_from: int = 3) -> PageModel:
    spots = cluster(count, zones)
    return PageModel(spots=spots, sessions=mesh(spots, seen_from))


def happening(start: float, end: float | None = None, title: str = "BackOff", **more: object) -> Happening:
    """Seconds after a fixed time."""
    last = start if end is None else end
    fields: dict[str, object] = {"lane": "oak-1", "kind": EVENT, "line": line(3, "events.txt")} | more
    return Happening(title=Words(title, title), start=TAKEN + start, end=TAKEN + last, **fields)  # type: ignore[arg-type]


def parsed(markup: str) -> Element:
    """Every element is closed and everything escaped, so XML can read it."""
    assert " style=" not in markup
    tree = fromstring(markup)
    assert {element.tag for element in tree.iter()} <= SVG | HTML
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    return tree


def drawing(markup: str, width: str = "wide") -> Element:
    """The picture for a desk or for a phone."""
    tree = parsed(markup)
    return next(box for box in tree.iter("div") if box.get("class") == f"drawing-{width}")[0]


def of_class(tree: Element, *names: str) -> list[Element]:
    return [element for element in tree.iter() if set(names) <= set((element.get("class") or "").split())]


def said(tree: Element, *classes: str) -> list[str]:
    """The text of all elements of a class."""
    return ["".join(element.itertext()) for element in of_class(tree, *classes)]


def rows(tree: Element) -> Iterator[list[str]]:
    """The cells of all tables."""
    for row in tree.iter("tr"):
        yield ["".join(cell.itertext()) for cell in row]
