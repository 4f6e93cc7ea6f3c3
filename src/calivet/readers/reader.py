"""What a reader is, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact


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
    anchor: re.Pattern[str]
    """Searched in each line; where no line of an artifact has it, `read` is not called."""
    read: Callable[[Artifact, list[int]], Reading]
    """Gets the artifact and the indexes of the lines with the anchor."""
