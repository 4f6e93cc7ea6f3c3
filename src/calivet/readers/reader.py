"""What a reader is, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.search.expressions import expression

NOWHERE = expression(r"(?!)")
"""The anchor of a reader that only a command calls for."""


class Reading(Struct):
    """What a reader found in an artifact. Indexes count from the artifact's first line."""

    facts: list[Fact] = field(default_factory=list)
    claimed: set[int] = field(default_factory=set)
    """The lines that belong to this format."""
    unread: set[int] = field(default_factory=set)
    """The lines that belong to this format but could not be understood."""

    def claim(self, start: int, stop: int) -> None:
        """These lines, from start up to but without stop, are of this format."""
        self.claimed.update(range(start, stop))


class Reader(Struct, frozen=True):
    """A format. It finds its own blocks anywhere in an artifact, so unmarked pastes need no cutting."""

    kind: str
    """What an artifact with this format is called; empty for statements, which may stand in text of any format."""
    read: Callable[[Artifact, list[int]], Reading]
    """Gets the artifact and the indexes of the lines with the anchor."""
    anchor: re.Pattern[str] = NOWHERE
    """Searched in each line."""
    command: re.Pattern[str] | None = None
    """Searched in the command. Where neither is found, `read` is not called."""
    notes: bool = False
    """Whether the author's own words are read as well as output."""


def read_statements(
    statements: Callable[[Artifact, list[int]], Iterable[Fact]],
    *,
    anchor: re.Pattern[str] = NOWHERE,
    command: re.Pattern[str] | None = None,
    notes: bool = False,
) -> Reader:
    """A reader of statements: it claims no lines, for they belong to whatever format they stand in."""

    def read(artifact: Artifact, anchors: list[int]) -> Reading:
        return Reading(facts=list(statements(artifact, anchors)))

    return Reader(kind="", read=read, anchor=anchor, command=command, notes=notes)
