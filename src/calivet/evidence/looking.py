"""What can be told of a block without those before it: where each pattern is, and how many lines there are."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.decoding import decode
from calivet.evidence.lookout import Lookout

# What terminals and other systems leave in text; most logs hold none of it, and then their bytes are taken as they are.
_LEFTOVERS = (b"\x1b", b"\r", b"\b", b"\a", b"\0")
_SHORT = 1 << 12
"""Bytes in which counting is fast enough."""

Place = tuple[int, int, int]
"""A line's number in its block, and where it begins and ends."""


class Places(Struct):
    """Where a pattern is: all places counted, and some from either end."""

    count: int
    first: list[Place]
    last: list[Place]
    """Of those that are not among the first."""


class LookedAt(Struct):
    """A block of whole lines."""

    size: int
    text: bytes
    lines: int
    found: dict[int, Places]

    @property
    def hits(self) -> int:
        """How many there are in all."""
        return sum(places.count for places in self.found.values())


def look(lookout: Lookout, block: bytes, most: int) -> LookedAt:
    """Keeps so many places of each pattern from either end."""
    text = plain(block)
    found: dict[int, list[Place]] = {}
    number, counted = 1, 0
    for pattern, start, end in lookout.find(text):
        if start > counted:  # further patterns may be in the same line
            number += newlines(text, counted, start)
            counted = start
        found.setdefault(pattern, []).append((number, start, end))
    lines = number + newlines(text, counted, len(text)) - text.endswith(b"\n")
    places = {pattern: Places(len(every), every[:most], every[most:][-most:]) for pattern, every in found.items()}
    return LookedAt(len(block), text, lines, places)


def newlines(text: bytes, start: int, end: int) -> int:
    """How many there are. Over a long stretch, taking them out is several times as fast as counting them."""
    if end - start < _SHORT:
        return text.count(b"\n", start, end)
    part = text[start:end]
    return len(part) - len(part.replace(b"\n", b""))


def plain(block: bytes) -> bytes:
    """The block as a person would see it, in UTF-8."""
    if block.isascii() and not any(leftover in block for leftover in _LEFTOVERS):
        return block
    return "\n".join(decode(block)).encode("utf-8", "replace")
