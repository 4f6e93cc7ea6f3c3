"""What this room asks of those who know what a line means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

Found = tuple[int, int, int]
"""A pattern, and where the line that it is in begins and ends."""


class Lookout(Protocol):
    """Knows what is worth keeping of a long log."""

    def find(self, text: bytes) -> Iterable[Found]:
        """Every line with a pattern in it, in order; a line once for each of its patterns."""
