"""Cuts what calivet's own probe of a node prints. Its marks are exact, so nothing in between is guessed at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from calivet.evidence.expressions import expression
from calivet.evidence.heads import peel
from calivet.evidence.pieces import Piece

MARK = "# calivet-probe "
BEGIN = expression(rf"{MARK}\d+ host=(?P<host>[\w.-]+) user=(?P<user>\S+) time=\S+\s*$")
END = f"{MARK}end "
FOOT = "#= "
"""How a section ended. A piece of its own: to a reader of the section it is no output."""


def probes(lines: list[str]) -> list[tuple[int, int]]:
    """Where the output of each probe begins, and the index behind it; one that was cut short goes on to the next."""
    starts = [index for index, line in enumerate(lines) if line.startswith(MARK) and BEGIN.match(line)]
    return [(start, _behind(lines, start, stop)) for start, stop in pairwise([*starts, len(lines)])]


def cut_probe(lines: list[str]) -> list[Piece]:
    """Each section under its command, what closes it, and the two marks."""
    begin = BEGIN.match(lines[0])
    if not begin:
        return []
    host = begin["host"]
    prompts = tuple(f"[{begin['user']}@{host} ~]{sign} " for sign in "#$")
    starts = [index for index, line in enumerate(lines) if line.startswith(prompts)]
    last = len(lines) - lines[-1].startswith(END)
    pieces = [Piece(0, lines[: starts[0] if starts else last], host=host)]
    for start, stop in pairwise([*starts, last]):
        command = lines[start][len(prompts[0]) :].strip()
        pieces += _section(lines, start, stop, Piece(start, [], command=command, host=host))
    return [*pieces, Piece(last, lines[last:], host=host)] if last < len(lines) else pieces


def _section(lines: list[str], start: int, stop: int, piece: Piece) -> Iterator[Piece]:
    while stop > start + 1 and not lines[stop - 1].strip():
        stop -= 1
    closed = lines[stop - 1].startswith(FOOT)
    output = peel(lines[start + 1 : stop - closed]).lines
    piece.lines = [lines[start], *output]
    yield piece
    if closed:
        yield Piece(stop - 1, lines[stop - 1 : stop], command=piece.command, host=piece.host)


def _behind(lines: list[str], start: int, stop: int) -> int:
    return next((index + 1 for index in range(start, stop) if lines[index].startswith(END)), stop)
