"""What is drawn or quoted: data only, without language or layout."""

from __future__ import annotations

from msgspec import Struct, field

from calivet.evidence.artifact import Line
from calivet.messages.words import Words

SICK, WELL, UNSEEN = "sick", "well", "unseen"
UP, DOWN, HALF = "up", "down", "half"
EVENT, RESTART, SIGN, HARMLESS, CONDITION = "event", "restart", "sign", "harmless", "condition"


class Spot(Struct, frozen=True, kw_only=True):
    """A node on the map."""

    name: str
    state: str
    """sick, well, or unseen where nothing tells."""
    zone: str = ""
    address: str = ""
    """The one that Calico uses, else the node's own."""
    agent: str = ""
    """calico-node there, as kubectl prints it: 0/1 CrashLoopBackOff."""
    causes: tuple[str, ...] = ()
    """The findings that name this node."""
    line: Line | None = None
    """Where its state was seen."""


class End(Struct, frozen=True, kw_only=True, gc=False):
    """A BGP session as one of its ends sees it."""

    node: str
    info: str
    """In BIRD's words: Established; Active Socket: Connection refused."""
    up: bool
    since: str = ""
    line: Line


class Session(Struct, frozen=True, kw_only=True, gc=False):
    """Two ends of BGP; the names are those of spots, or addresses where no node is known to have them."""

    one: str
    other: str
    state: str
    """up, down, or half where the ends disagree."""
    ends: tuple[End, ...]


class Happening(Struct, frozen=True, kw_only=True):
    """Something with a time: once, or again and again from start to end."""

    lane: str
    """The node it happened on; empty where it belongs to the cluster."""
    kind: str
    """event, restart, sign, harmless, condition."""
    title: Words
    start: float
    end: float
    """Seconds, as the timeline counts them."""
    count: int = 1
    bad: bool = True
    cause: str = ""
    """The finding that it is evidence for."""
    line: Line


class Timeline(Struct, frozen=True, kw_only=True):
    """All happenings on one axis."""

    happenings: list[Happening] = field(default_factory=list)
    clock: bool = True
    """Seconds since 1970; else, where no time of day was seen, seconds before the evidence was taken (negative)."""
    assumed: bool = False
    """Ages ("5m ago") were counted back from the latest time seen, because nothing tells when they were printed."""
    zone: int | None = None
    """Minutes east of UTC of the clock that most lines were written by; None where no line says."""
    year: bool = True
    """False where nothing tells the year: the times are those of 2000, and only month, day and time mean something."""
    left_out: int = 0
    """Happenings that are not here because there are too many, or because their clock is plainly wrong."""


class Quote(Struct, frozen=True):
    """A stretch of a document around a line that was cited."""

    first: int
    lines: list[str]


class PageModel(Struct, frozen=True, kw_only=True):
    """Everything that is drawn or quoted."""

    spots: list[Spot] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    timeline: Timeline = field(default_factory=Timeline)
    quotes: dict[tuple[str, int], Quote] = field(default_factory=dict)
    """By document and number of the cited line."""
