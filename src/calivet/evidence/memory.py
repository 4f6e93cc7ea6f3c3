"""What was found in lines, for others of the same outline.

Where a log says much, it says the same over and over, at another time and of another number.
"""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.sought import Alternative

LONGEST = 1 << 10
"""Bytes of a line that is remembered."""
MOST = 1 << 13
"""Lines that are remembered; then all of them are forgotten."""

Unused = tuple[tuple[str, str], ...]
"""Parts that announced nothing, each with its word if that was there too."""


class Known(Struct, frozen=True):
    """What holds for all lines of one outline."""

    found: frozenset[int]
    """Patterns that are in them."""
    doubtful: frozenset[Alternative]
    """What may be in them: the digits decide."""
    unused: Unused


class Memory(dict[bytes, Known]):
    """What is known of lines, by their outlines."""

    def keep(self, line: bytes, known: Known) -> None:
        """For the next line of this outline."""
        if len(line) > LONGEST:
            return
        if len(self) >= MOST:
            self.clear()
        self[line] = known
