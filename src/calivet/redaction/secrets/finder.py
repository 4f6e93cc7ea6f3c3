"""What a finder is: it knows one way in which secrets stand in text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from calivet.redaction.spans import Span

Find = Callable[[Sequence[str], Sequence[int]], Iterable[Span]]
FindOnLine = Callable[[str], Iterable[tuple[int, int, str]]]


class Finder(Struct, frozen=True):
    """Woken by its hint, so that most lines cost it nothing."""

    hint: str
    """For the scanner: fires on every line worth a look, and on few others."""
    find: Find
    """All lines, and the indexes of those that the hint fired on, in order, to what must be hidden there and around.

    It is given all of them at once so that what spans many lines is gone through once, not from each of them.
    """
    wide_hint: str = ""
    """Never narrower than the hint and cheaper to look for, where the hint has no rare word: for long logs."""
    needs_one_line: bool = False
    """What it hides can be told from the line alone, whenever that is looked at."""


def build_line_finder(hint: str, find: FindOnLine) -> Finder:
    """A finder that needs no other line: `find` gives start, stop and kind."""

    def find_all(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
        for index in hits:
            line = lines[index]
            for start, stop, kind in find(line):
                yield Span(index, start, stop, kind, line[start:stop])

    return Finder(hint, find_all, needs_one_line=True)
