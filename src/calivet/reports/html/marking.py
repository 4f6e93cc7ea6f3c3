"""A line in pieces: the decisive words, and the rest."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

SURE = 3
"""Words of this length are meant wherever they stand; shorter ones may be part of anything."""
TELLING = 20
"""So many letters of long words tell where they begin."""


class Piece(Struct, frozen=True):
    """A stretch of a line."""

    text: str
    decisive: bool = False


def marked(line: str, words: Iterable[str]) -> list[Piece]:
    """The line cut where the decisive words begin and end; words that overlap become one piece."""
    pieces: list[Piece] = []
    done = 0
    for start, end in _joined(place for one in words if (place := _found(line, one))):
        if start > done:
            pieces.append(Piece(line[done:start]))
        pieces.append(Piece(line[start:end], decisive=True))
        done = end
    return [*pieces, Piece(line[done:])] if done < len(line) else pieces


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _found(line: str, words: str) -> tuple[int, int] | None:
    """Where they stand by themselves: the 8 of x8, not that of 2018; longer words also where a number goes on."""
    start = line.find(words) if words else -1
    first = start
    while start >= 0:
        end = start + len(words)
        if not _goes_on(line, start - 1, words[0]) and not _goes_on(line, end, words[-1]):
            return start, end
        start = line.find(words, start + 1)
    if first < 0:
        return _cut_off(line, words)
    return (first, _whole(line, first + len(words))) if len(words) >= SURE else None


def _whole(line: str, end: int) -> int:
    """The end of the number, where words stop within one: 243.8 of 243.80."""
    while end < len(line) and _goes_on(line, end, line[end - 1]):
        end += 1
    return end


def _cut_off(line: str, words: str) -> tuple[int, int] | None:
    """Long words of which a line shows only the beginning."""
    start = line.find(words[:TELLING]) if len(words) > TELLING and line.endswith("…") else -1
    return (start, len(line) - 1) if start >= 0 else None


def _goes_on(line: str, at: int, edge: str) -> bool:
    """Whether a number goes on beyond its edge."""
    return edge.isdigit() and 0 <= at < len(line) and line[at].isdigit()
