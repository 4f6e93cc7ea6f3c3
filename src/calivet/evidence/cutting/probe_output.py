"""Cuts what calivet's own probe of a node prints. Its marks are exact, so nothing in between is guessed at.

From format 2 on every head and foot ends in a mark that was drawn for this run: a file or a process of the machine,
which could not know it, cannot print a section, the end, or the probe of another machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from calivet.evidence.cutting.pieces import Piece
from calivet.evidence.decoding.line_prefixes import peel
from calivet.search.expressions import expression

BEGINS = "# calivet-probe "
BEGIN = expression(rf"{BEGINS}\d+ host=(?P<host>[\w.-]+) user=(?P<user>\S+) time=\S+(?P<mark> #:[\w-]{{8,40}})?\s*$")
END = f"{BEGINS}end "
FOOT = "#= "
"""How a section ended. A piece of its own: to a reader of the section it is no output."""


def find_probes(lines: list[str]) -> list[tuple[int, int]]:
    """Where the output of each probe begins, and the index behind it.

    Without a mark, one that was cut short goes on to the next; with one, whatever stands before its end is its own.
    """
    found: list[tuple[int, int]] = []
    for start, mark in _find_begun(lines):
        if not found or start >= found[-1][1]:
            found.append((start, _find_end(lines, start, mark)))
    return found


def cut_probe(lines: list[str]) -> list[Piece]:
    """Each section under its command, what closes it, and the two marks."""
    begin = BEGIN.match(lines[0])
    if not begin:
        return []
    host, mark = begin["host"], begin["mark"] or ""
    prompts = tuple(f"[{begin['user']}@{host} ~]{sign} " for sign in "#$")
    starts = [index for index, line in enumerate(lines) if line.startswith(prompts) and is_marked(line, mark)]
    last = len(lines) - (lines[-1].startswith(END) and is_marked(lines[-1], mark))
    first = [strip_mark(lines[0], mark), *lines[1 : starts[0] if starts else last]]
    pieces = [Piece(0, first, host=host)]
    for start, stop in pairwise([*starts, last]):
        command = strip_mark(lines[start], mark)[len(prompts[0]) :].strip()
        pieces += _cut_section(lines, stop, mark, Piece(start, [], command=command, host=host))
    if last < len(lines):
        pieces.append(Piece(last, [strip_mark(lines[last], mark), *lines[last + 1 :]], host=host))
    return pieces


def is_marked(line: str, mark: str) -> bool:
    """Whether the probe itself wrote it; in the first format nothing tells."""
    return line.rstrip().endswith(mark)


def strip_mark(line: str, mark: str) -> str:
    """As a reader expects it."""
    return line.rstrip().removesuffix(mark) if mark else line


def _cut_section(lines: list[str], stop: int, mark: str, piece: Piece) -> Iterator[Piece]:
    start = piece.start
    while stop > start + 1 and not lines[stop - 1].strip():
        stop -= 1
    closed = stop > start + 1 and lines[stop - 1].startswith(FOOT) and is_marked(lines[stop - 1], mark)
    output = peel(lines[start + 1 : stop - closed]).lines
    piece.lines = [strip_mark(lines[start], mark), *output]
    yield piece
    if closed:
        yield Piece(stop - 1, [strip_mark(lines[stop - 1], mark)], command=piece.command, host=piece.host)


def _find_begun(lines: list[str]) -> list[tuple[int, str]]:
    heads = ((index, BEGIN.match(line)) for index, line in enumerate(lines) if line.startswith(BEGINS))
    return [(index, head["mark"] or "") for index, head in heads if head]


def _find_end(lines: list[str], start: int, mark: str) -> int:
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if not line.startswith(BEGINS):
            continue
        if line.startswith(END) and is_marked(line, mark):
            return index + 1
        if not mark and BEGIN.match(line):
            return index
    return len(lines)
