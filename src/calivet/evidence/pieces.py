"""The stretches a text is cut into, before they become artifacts."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from msgspec import Struct


class Mode(Enum):
    """What a line is when neither it nor its neighbours tell."""

    PROSE = auto()
    """Markdown outside its code."""
    EITHER = auto()
    """Plain text."""
    OUTPUT = auto()
    """Code in Markdown, configuration, logs."""


class Piece(Struct):
    """Lines that belong together; `start` counts from the first line of the text that was cut."""

    start: int
    lines: list[str]
    prose: bool = False
    command: str | None = None
    host: str | None = None
    label: str | None = None

    @property
    def stop(self) -> int:
        """The index behind the last line."""
        return self.start + len(self.lines)

    def moved(self, offset: int) -> Piece:
        """The same piece in a text that has so many lines before this one."""
        self.start += offset
        return self


def paragraphs(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of lines that are not blank."""
    start = None
    for index, line in enumerate(lines):
        blank = not line or line.isspace()
        if start is None and not blank:
            start = index
        elif start is not None and blank:
            yield start, index
            start = None
    if start is not None:
        yield start, len(lines)
