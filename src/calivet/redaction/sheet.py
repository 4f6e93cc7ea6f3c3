"""A document's lines in one list, whichever artifacts they are kept in: what spans two artifacts is seen as one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

Part = tuple[Callable[[int], int], list[str]]
"""Lines, and what tells the number of each in the document by its index."""


class Sheet:
    """Lines to be worked on."""

    def __init__(self, name: str, parts: Sequence[Part]) -> None:
        self.name = name
        self.lines = [line for _, lines in parts for line in lines]
        self._parts = parts
        self._starts = [0, *accumulate(len(lines) for _, lines in parts)]

    def number(self, index: int) -> int:
        """The line's number in the document."""
        part = bisect_right(self._starts, index) - 1
        within = index - self._starts[part]
        return self._parts[part][0](within) if part < len(self._parts) else within

    def pieces(self) -> Iterator[list[str]]:
        """The lines as they are now, cut as they were."""
        at = 0
        for _, lines in self._parts:
            yield self.lines[at : at + len(lines)]
            at += len(lines)

    def put_back(self) -> None:
        """Into the lists from which the lines came."""
        for (_, lines), piece in zip(self._parts, list(self.pieces()), strict=True):
            lines[:] = piece
