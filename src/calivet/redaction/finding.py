"""What a finder is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct


class Span(Struct, frozen=True):
    """A stretch of a line that must not be shown."""

    line: int
    start: int
    stop: int
    kind: str
    secret: str
    """What is hidden: the text itself, or the whole of which this line holds a part."""
    quote: str = ""
    """Goes around the mark where a bare number stood and a bare mark would break the format."""


Find = Callable[[Sequence[str], int], Iterable[Span]]


class Finder(Struct, frozen=True):
    """Knows one way in which secrets stand in text."""

    hint: str
    """For the scanner: fires on every line worth a look, and on few others."""
    find: Find
    """Lines, and the index of one that the hint fired on, to what must be hidden there and around it."""


def spans_of(kind: str, pieces: Sequence[tuple[int, int, int]], lines: Sequence[str], secret: str = "") -> list[Span]:
    """One secret in several pieces of (line, start, stop)."""
    whole = secret or "".join(lines[line][start:stop] for line, start, stop in pieces)
    return [Span(line, start, stop, kind, whole) for line, start, stop in pieces]
