"""Where things stand on the map: the common shape of its layouts, and what they are laid out from."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from calivet.reports.html.anchors import Anchor
from calivet.reports.html.drawing_words import word
from calivet.scene.scene import SICK, UP, Session, Spot

NAME_SIZE, HEADING_SIZE = 12.0, 13.0
_PEERS_AT_MOST = 24
_RAYS_AT_MOST = 3_000


class Pen(Struct, frozen=True):
    """What every mark needs to know."""

    language: str
    names: dict[str, str]
    anchor: Anchor


class Place(Struct, frozen=True):
    """The middle of a mark, and where its name stands."""

    x: float
    y: float
    name_x: float
    name_y: float
    anchor: str
    columns: int
    """How much of the name fits; nothing where it is 0."""


class Frame(Struct, frozen=True):
    """A box with a heading around some of the nodes."""

    x: float
    y: float
    width: float
    height: float
    heading: str
    note: str = ""


class Plan(Struct):
    """A layout."""

    width: float
    height: float = 0.0
    places: dict[str, Place] = {}
    frames: list[Frame] = []


class Parts(Struct, frozen=True):
    """What is laid out: nodes, peers that are none, the sessions that get a line, and those that are only counted."""

    spots: list[Spot]
    peers: list[str]
    lines: list[Session]
    folded: dict[str, str]
    """What stands behind the name of a node instead of its lines."""
    rays: dict[str, list[Session]]
    """The lines of such a node, for those who point at it."""


def parts_of(spots: list[Spot], sessions: list[Session], lines_at_most: int, *, healthy: bool) -> Parts:
    """Healthy says whether sessions that are up get a line too."""
    nodes = {spot.name for spot in spots}
    peers = dict.fromkeys(name for session in sessions for name in (session.one, session.other) if name not in nodes)
    lines = [session for session in sessions if session.state != UP]
    folded = _folded(lines, lines_at_most, {spot.name for spot in spots if spot.state == SICK})
    bad, seen = _ends(lines), _ends(sessions)
    rays = {name: [line for line in lines if name in (line.one, line.other)] for name in _few(folded, bad)}
    lines = _without(lines, folded)
    if healthy:
        lines += [session for session in sessions if session.state == UP]
    numbers = {name: f"{bad[name]:,}/{seen[name]:,}" for name in folded}
    return Parts(spots, sorted(peers), lines, numbers, rays)


def few_peers(peers: list[str], language: str) -> tuple[list[str], str]:
    """Those that get a place, and a word on the others."""
    beyond = len(peers) - _PEERS_AT_MOST
    return peers[:_PEERS_AT_MOST], word("more", language, count=beyond) if beyond > 0 else ""


def _folded(lines: list[Session], at_most: int, sick: set[str]) -> set[str]:
    """Where lines would cover everything, nodes get a number instead: the sick ones, then those with most lines."""
    if len(lines) <= at_most:
        return set()
    folded = sick & _ends(lines).keys()
    while len(left := _without(lines, folded)) > at_most:
        counts = _ends(left)
        folded.add(max(counts, key=lambda name: (counts[name], name)))
    return folded


def _few(folded: set[str], bad: Counter[str]) -> set[str]:
    """A drawing in which everything is down would hold more lines than anyone looks at."""
    return folded if sum(bad[name] for name in folded) <= _RAYS_AT_MOST else set()


def _without(lines: list[Session], names: set[str]) -> list[Session]:
    return [line for line in lines if line.one not in names and line.other not in names]


def _ends(sessions: list[Session]) -> Counter[str]:
    return Counter(name for session in sessions for name in (session.one, session.other))
