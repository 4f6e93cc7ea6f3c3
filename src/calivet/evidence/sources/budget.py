"""What may be read at most, and the list of what could not be read."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable

from msgspec import Struct, field

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import EvidenceRedactor, LineMatcher, Unreadable
from calivet.evidence.decoding.long_lines import LONGEST
from calivet.messages.message import Message, message

TIME_IS_UP = message("evidence.time_is_up")
NAMED = 3
LAYERS = 2
"""How often over an honest source packs what it holds."""
LISTED = 100
"""Complaints about one source that are worth reading."""


class Limits(Struct, frozen=True):
    """Bounds that no honest evidence reaches and every bomb does."""

    document: int = 16 << 30
    """Bytes of one file or member."""
    total: int = 32 << 30
    """Bytes of all members of one source together."""
    held: int = 19 << 20
    """Bytes that are kept in memory of all sources together, where a matcher says which."""
    members: int = 30_000
    """Documents of one source."""
    entries: int = 100_000
    """Members, folders, links and whatever else the archives in one file list."""
    refusals: int = 20_000
    """What is not read in one file, after which no more of it is looked at."""
    depth: int = 6
    """Archives and compressions inside one another."""
    ratio: int = 500
    """How many times its packed size something may unpack to, once it is larger than `swollen`."""
    swollen: int = 64 << 20
    effort: int = 128 << 20
    """Bytes that all layers of one file may unpack to together, besides `ratio` times the size of the file."""
    line: int = LONGEST
    """Characters of one line."""
    json_line: int = 1 << 20
    """Characters of a line that is one object or list of JSON."""
    until: float = math.inf
    """The moment of time.monotonic() after which nothing more is read."""


class ReadingBudget(Struct):
    """Kept while one evidence is gathered: what the source at hand has used up, and every complaint so far."""

    limits: Limits = field(default_factory=Limits)
    used: int = 0
    members: int = 0
    entries: int = 0
    """What the archives in the file at hand have listed so far."""
    refusals: int = 0
    stopped: Message | None = None
    """Why no more of the file at hand is read, however deep in it that was found out: told once."""
    packed: int = 0
    """Bytes of the file at hand that were read."""
    unpacked: int = 0
    """Bytes that came out of all its layers, those of archives inside it counted again."""
    unpacked_before: int = 0
    """The same of earlier files of this source."""
    """The moment, of time.monotonic(), after which nothing more is read."""
    matcher: LineMatcher | None = None
    """Knows what is worth keeping of a long log; without one, all is kept."""
    redactor: EvidenceRedactor | None = None
    """Takes the secrets out of a long log before it is cut into what is kept and what is not."""
    held: int = 0
    """Bytes that are kept in memory, over all sources."""
    held_of_bulk: int = 0
    """Of these, those of files that no reader knows."""
    refused: list[list[Unreadable]] = field(default_factory=lambda: [[]])
    """The complaints about each source."""

    @property
    def unreadable(self) -> list[Unreadable]:
        """All complaints, alike ones about one source put together."""
        return [item for refused in self.refused for item in _shorten_refusals(refused)]

    def open_source(self) -> None:
        """A new source starts with the full allowance, whatever the one before did."""
        self.close_file()
        self.used = self.members = self.unpacked_before = 0
        self.refused.append([])

    def count_bytes_of(self, read: Callable[..., bytes]) -> Callable[..., bytes]:
        """The same, counted as bytes of the file at hand."""

        def counted(*place: int) -> bytes:
            chunk = read(*place)
            self.packed += len(chunk)
            return chunk

        return counted

    def close_file(self) -> None:
        """The next file of the source is measured by its own size; what this one cost the source stays counted."""
        self.unpacked_before += self.unpacked
        self.packed = self.unpacked = self.entries = self.refusals = 0
        self.stopped = None

    def refuse(self, what: str, why: Message) -> None:
        """This was not read, or not whole."""
        self.refusals += 1
        self.refused[-1].append(Unreadable(make_printable(what), why.map(make_printable)))

    def count(self, size: int, *, kept: int = 0, is_bulk: bool = False) -> None:
        """One more document of this size has been read, and so much of it is kept."""
        self.used += size
        self.members += 1
        self.held += kept
        self.held_of_bulk += kept if is_bulk else 0

    @property
    def is_late(self) -> bool:
        """Whether the time for reading is over."""
        return time.monotonic() >= self.limits.until

    @property
    def overspent(self) -> bool:
        """Whether the file at hand has unpacked to more than any honest one would, in all its layers together."""
        return self.unpacked > self.limits.effort + self.limits.ratio * self.packed

    def explain_exhaustion(self) -> Message | None:
        """Why nothing more of this source may be read."""
        limits = self.limits
        unpacked = self.unpacked_before + self.unpacked
        reached = (
            (self.is_late, TIME_IS_UP),
            (self.members >= limits.members, message("evidence.too_many", limit=limits.members)),
            (self.entries > limits.entries, message("evidence.too_many", limit=limits.entries)),
            (self.refusals >= limits.refusals, message("evidence.too_many_refused", limit=limits.refusals)),
            (self.overspent, message("archive.swollen.ratio", ratio=limits.ratio)),
            (bool(self.matcher) and self.held >= limits.held, message("evidence.no_room", limit=limits.held)),
            (
                self.used >= limits.total or unpacked > LAYERS * limits.total,
                message("evidence.too_much", limit=limits.total),
            ),
        )
        return next((why for is_reached, why in reached if is_reached), None)


def _shorten_refusals(refused: list[Unreadable]) -> list[Unreadable]:
    """Archives hold empty files by the hundred: of those with one reason the first are named, the others counted.

    And where the reasons are many, as one that names each link's target, so are the reasons.
    """
    few = _merge_alike(refused)
    if len(few) <= LISTED:
        return few
    left = few[LISTED:-1]
    # The last word is why the reading ended, where it did.
    more = Unreadable(f"{left[0].what} (+{len(left) - 1})", message("evidence.too_many_reasons"))
    return [*few[:LISTED], more, few[-1]]


def _merge_alike(refused: list[Unreadable]) -> list[Unreadable]:
    counts = Counter(item.why for item in refused)
    seen: Counter[Message] = Counter()
    few: list[Unreadable] = []
    for item in refused:
        seen[item.why] += 1
        others = counts[item.why] - NAMED
        if seen[item.why] == NAMED and others > 0:
            few.append(Unreadable(f"{item.what} (+{others})", item.why))
        elif seen[item.why] <= NAMED:
            few.append(item)
    return few
