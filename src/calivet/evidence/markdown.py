"""Cuts a Markdown text: code is output, the rest is prose unless it plainly is output."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.evidence.fences import has_fences, split_fences
from calivet.evidence.heads import peel
from calivet.evidence.pieces import Mode, Piece, paragraphs
from calivet.evidence.prompts import bare_command, prompt
from calivet.evidence.sessions import cut_session
from calivet.evidence.shapes import is_plainly_output

SUFFIXES = (".md", ".markdown", ".mdx", ".mkd", ".rst", ".adoc")
FRONT_MATTER = expression(r"(?:---|\+\+\+)\s*$")
FRONT_MATTER_LINES = 60
QUOTE = expression(r"\s{0,3}> ?")
INDENTED = expression(r" {4}|\t")
DEEPEST = 4


def is_markdown(name: str, lines: list[str]) -> bool:
    """By its name or by fenced code."""
    return name.lower().endswith(SUFFIXES) or has_fences(lines)


def cut_markdown(lines: list[str], depth: int = 0) -> list[Piece]:
    """The pieces of the text; quotes and long fences may hold a Markdown text of their own."""
    pieces: list[Piece] = []
    body = _behind_front_matter(lines) if not depth else 0
    if body:
        pieces.append(Piece(0, lines[:body], prose=True))
    for block in split_fences(lines[body:]):
        found = _code(block.lines, depth) if block.code else _text(block.lines, depth)
        pieces += [piece.moved(body + block.start) for piece in found]
    return pieces


def _behind_front_matter(lines: list[str]) -> int:
    if not lines or not FRONT_MATTER.match(lines[0]):
        return 0
    for index in range(1, min(len(lines), FRONT_MATTER_LINES)):
        if lines[index].rstrip() == lines[0].rstrip():
            return index + 1
    return 0


def _code(lines: list[str], depth: int) -> list[Piece]:
    lines = peel(lines).lines
    if depth < DEEPEST and has_fences(lines):
        return cut_markdown(lines, depth + 1)
    return cut_session(lines, Mode.OUTPUT)


def _text(lines: list[str], depth: int) -> list[Piece]:
    """Quotes and indented code are cut out; the rest goes on as one text."""
    pieces: list[Piece] = []
    start = index = 0
    while index < len(lines):
        stop = _end_of_quote(lines, index) if depth < DEEPEST else index
        if stop > index:
            inner = cut_markdown([QUOTE.sub("", line, count=1) for line in lines[index:stop]], depth + 1)
        else:
            stop = _end_of_indented(lines, index)
            inner = cut_session([INDENTED.sub("", line, count=1) for line in lines[index:stop]], Mode.OUTPUT)
        if stop == index:
            index += 1
            continue
        pieces += [piece.moved(start) for piece in cut_session(lines[start:index], Mode.PROSE)]
        pieces += [piece.moved(index) for piece in inner]
        start = index = stop
    return pieces + [piece.moved(start) for piece in cut_session(lines[start:], Mode.PROSE)]


def _end_of_quote(lines: list[str], index: int) -> int:
    """A single marked line with unmarked lines under it is a prompt rather than a quote."""
    stop = index
    while stop < len(lines) and QUOTE.match(lines[stop]):
        stop += 1
    if stop == index + 1 and stop < len(lines) and lines[stop].strip() and prompt(lines[index]):
        return index
    return stop


def _end_of_indented(lines: list[str], index: int) -> int:
    """Indented paragraphs are code where their first line looks like it; a list goes on in indented prose."""
    if (index and lines[index - 1].strip()) or not INDENTED.match(lines[index]) or not lines[index].strip():
        return index
    first = INDENTED.sub("", lines[index], count=1)
    if not (prompt(first) or bare_command(first) or is_plainly_output(first)):
        return index
    stop = index
    for start, end in paragraphs(lines[index:]):
        if not all(INDENTED.match(line) for line in lines[index + start : index + end]):
            break
        stop = index + end
    return stop
