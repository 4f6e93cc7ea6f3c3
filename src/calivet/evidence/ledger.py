"""What may be read at most, and the list of what could not be read."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field

from calivet.evidence.artifact import Unreadable
from calivet.evidence.lookout import Lookout
from calivet.evidence.names import printable

NAMED = 3


class Limits(Struct, frozen=True):
    """Bounds that no honest evidence reaches and every bomb does."""

    document: int = 64 << 30
    """Bytes of one file or member."""
    total: int = 256 << 30
    """Bytes of all members of one source together."""
    held: int = 19 << 20
    """Bytes that are kept in memory of all sources together, where a lookout says which."""
    members: int = 100_000
    depth: int = 8
    """Archives and compressions inside one another."""
    ratio: int = 500
    """How many times its packed size something may unpack to, once it is larger than `swollen`."""
    swollen: int = 64 << 20
    line: int = 1 << 20
    """Characters of one line."""


class Ledger(Struct):
    """Kept while one haul is gathered: what the source at hand has used up, and every complaint so far."""

    limits: Limits = field(default_factory=Limits)
    used: int = 0
    members: int = 0
    lookout: Lookout | None = None
    """Knows what is worth keeping of a long log; without one, all is kept."""
    held: int = 0
    """Bytes that are kept in memory, over all sources."""
    refused: list[list[Unreadable]] = field(default_factory=lambda: [[]])
    """The complaints about each source."""

    @property
    def unreadable(self) -> list[Unreadable]:
        """All complaints, alike ones about one source put together."""
        return [item for refused in self.refused for item in _few(refused)]

    def open_source(self) -> None:
        """A new source starts with the full allowance, whatever the one before did."""
        self.used = self.members = 0
        self.refused.append([])

    def refuse(self, what: str, why: str) -> None:
        """This was not read, or not whole."""
        self.refused[-1].append(Unreadable(printable(what), printable(why)))

    def count(self, size: int, *, kept: int = 0) -> None:
        """One more document of this size has been read, and so much of it is kept."""
        self.used += size
        self.members += 1
        self.held += kept

    def exhausted(self) -> str | None:
        """Why nothing more of this source may be read."""
        if self.members >= self.limits.members:
            return f"has more than {self.limits.members:,} members; the rest was not read"
        if self.lookout and self.held >= self.limits.held:
            return f"comes behind {self.limits.held:,} bytes of evidence that are kept already; the rest was not read"
        if self.used >= self.limits.total:
            return f"holds more than {self.limits.total:,} bytes; the rest was not read"
        return None


def _few(refused: list[Unreadable]) -> list[Unreadable]:
    """Archives hold empty files by the hundred: of those with one reason the first are named, the others counted."""
    counts = Counter(item.why for item in refused)
    seen: Counter[str] = Counter()
    few: list[Unreadable] = []
    for item in refused:
        seen[item.why] += 1
        others = counts[item.why] - NAMED
        if seen[item.why] == NAMED and others > 0:
            few.append(Unreadable(f"{item.what} (+{others})", item.why))
        elif seen[item.why] <= NAMED:
            few.append(item)
    return few
