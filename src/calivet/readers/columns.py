"""Tables whose cells stand under the words of a header line, as kubectl and calicoctl print them."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from msgspec import Struct

from calivet.evidence.expressions import expression

_PIECE = expression(r"\S+(?: \S+)*")
_TOKEN = expression(r"\S+(?: \([^()]*\))?")

# Headers of two words, for pastes in which runs of blanks were squeezed to one.
_SQUEEZED = expression(
    r"(?:LAST SEEN|FIRST SEEN|NOMINATED NODE|READINESS GATES|NODE SELECTOR|CREATED AT|ACCESS MODES)(?= |$)"
    r"|\S+"
)


class Column(Struct, frozen=True):
    """A column: its header and where on the screen it begins."""

    name: str
    start: int
    stop: int | None = None
    """Where the next one begins."""


def split_header(header: str) -> list[Column]:
    """The columns of a header line; words with two or more blanks (or a tab) between them are columns of their own."""
    screen = _screen(_untab(header).rstrip())
    found = list(_PIECE.finditer(screen))
    if len(found) == 1:
        found = list(_SQUEEZED.finditer(screen))
    stops = [*(piece.start() for piece in found[1:]), None]
    return [Column(piece[0].replace("\0", ""), piece.start(), stop) for piece, stop in zip(found, stops, strict=False)]


def cells(line: str, columns: list[Column]) -> dict[str, str]:
    """The cells of a row by header; an empty cell is an empty string."""
    return row(line, columns)[0]


def row(line: str, columns: list[Column]) -> tuple[dict[str, str], bool]:
    """The cells, and whether they stand straight under their headers.

    Offsets are trusted only where every cell begins right under its header; a row that was
    squeezed, shifted or overgrown is cut at blanks instead.
    """
    if not columns:
        return {}, False
    plain = _untab(line).rstrip()
    for text in (plain, _screen(plain)):
        if found := _straight(text, columns):
            return _named([cell.strip().replace("\0", "") for cell in found], columns), text == line.rstrip()
    return _cut_at_blanks(plain, columns), False


def _straight(line: str, columns: list[Column]) -> list[str] | None:
    """The cells, where every one begins exactly under its header or is empty."""
    if not line or line[: columns[0].start].strip():
        return None
    found = [line[column.start : column.stop] for column in columns]
    for cell, column in zip(found, columns, strict=True):
        if cell[:1] == " " and not cell.isspace():
            return None
        if column.stop and line[column.stop - 1 : column.stop] not in (" ", ""):
            return None
    return found


def _cut_at_blanks(line: str, columns: list[Column]) -> dict[str, str]:
    pieces = list(_PIECE.finditer(line))
    if len(pieces) >= len(columns):
        return _named([piece[0] for piece in pieces], columns)
    if _squeezed(columns):
        tokens = _TOKEN.findall(line)
        return _named(tokens + [""] * (len(columns) - len(tokens)), columns)
    return _nearest(pieces, columns)


def _squeezed(columns: list[Column]) -> bool:
    """Whether the header has just one blank between its words, so that offsets mean nothing."""
    return all(right.start - left.start == len(left.name) + 1 for left, right in pairwise(columns))


def _nearest(pieces: list[re.Match[str]], columns: list[Column]) -> dict[str, str]:
    """Some cells are empty and the row is out of line: each piece goes to the closest column still free."""
    found = dict.fromkeys((column.name for column in columns), "")
    free = 0
    for left, piece in zip(range(len(pieces), 0, -1), pieces, strict=True):
        choices = range(free, len(columns) - left + 1)
        best = min(choices, key=lambda index: abs(columns[index].start - piece.start()))
        found[columns[best].name] = piece[0]
        free = best + 1
    return found


def _named(found: list[str], columns: list[Column]) -> dict[str, str]:
    """Cells by header; what is left over belongs to the last column, which holds free text in most tables."""
    last = len(columns) - 1
    found = [*found[:last], "  ".join(found[last:])]
    return {column.name: cell for column, cell in zip(columns, found, strict=True)}


def _untab(line: str) -> str:
    """Tabs as blanks; at least two, so that they still part cells."""
    return line.replace("\t", "  \t").expandtabs(8) if "\t" in line else line


def _screen(text: str) -> str:
    """The text with a filler after each character that takes two places on the screen, so that indexes are places."""
    if text.isascii():
        return text
    return "".join(char + "\0" if unicodedata.east_asian_width(char) in "WF" else char for char in text)
