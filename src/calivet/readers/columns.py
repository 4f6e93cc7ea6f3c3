"""Tables whose cells stand under the words of a header line, as kubectl and calicoctl print them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from operator import itemgetter

from msgspec import Struct

from calivet.search.expressions import expression

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


class Header(tuple[Column, ...]):
    """The columns of a table. What it takes to cut a row at them is worked out once, for tables may be long."""

    @cached_property
    def names(self) -> list[str]:
        """The words of the header."""
        return [column.name for column in self]

    @cached_property
    def cut(self) -> Callable[[str], tuple[str, ...]]:
        """A line's margin and its cells."""
        starts = [0, *(column.start for column in self)]
        return itemgetter(*map(slice, starts, [*starts[1:], None]))

    @cached_property
    def firsts(self) -> Callable[[str], tuple[str, ...]]:
        """The first letter of each cell."""
        return itemgetter(*(slice(column.start, column.start + 1) for column in self))

    @cached_property
    def gaps(self) -> Callable[[str], tuple[str, ...]]:
        """What stands right before each cell but the first."""
        return itemgetter(slice(0, 0), *(slice(column.start - 1, column.start) for column in self[1:]))


def split_header(header: str) -> Header:
    """The columns of a header line; words with two or more blanks (or a tab) between them are columns of their own."""
    screen = _fill_wide_characters(_replace_tabs(header).rstrip())
    found = list(_PIECE.finditer(screen))
    if len(found) == 1:
        found = list(_SQUEEZED.finditer(screen))
    return Header(Column(piece[0].replace("\0", ""), piece.start()) for piece in found)


def parse_cells(line: str, columns: Header) -> dict[str, str]:
    """The cells of a row by header; an empty cell is an empty string."""
    return parse_row(line, columns)[0]


def parse_row(line: str, columns: Header) -> tuple[dict[str, str], bool]:
    """The cells, and whether they stand straight under their headers.

    Offsets are trusted only where every cell begins right under its header; a row that was
    squeezed, shifted or overgrown is cut at blanks instead.
    """
    if not columns:
        return {}, False
    plain = _replace_tabs(line).rstrip()
    if found := _split_straight(plain, columns):
        return dict(zip(columns.names, found, strict=True)), plain == line.rstrip()
    if not plain.isascii() and (found := _split_straight(_fill_wide_characters(plain), columns)):
        return dict(zip(columns.names, (cell.replace("\0", "") for cell in found), strict=True)), False
    return _cut_at_blanks(plain, columns), False


def _split_straight(line: str, columns: Header) -> list[str] | None:
    """The cells, where every one begins exactly under its header or is empty."""
    margin, *cells = columns.cut(line)
    if not line or margin.strip() or "".join(columns.gaps(line)).strip():
        return None
    found = [cell.strip() for cell in cells]
    begins_late = " " in columns.firsts(line) and any(
        cell and first == " " for cell, first in zip(found, columns.firsts(line), strict=True)
    )
    return None if begins_late else found


def _cut_at_blanks(line: str, columns: Header) -> dict[str, str]:
    pieces = list(_PIECE.finditer(line))
    if len(pieces) >= len(columns):
        return _name_cells([piece[0] for piece in pieces], columns)
    if _is_squeezed(columns):
        tokens = _TOKEN.findall(line)
        return _name_cells(tokens + [""] * (len(columns) - len(tokens)), columns)
    return _assign_to_nearest(pieces, columns)


def _is_squeezed(columns: Header) -> bool:
    """Whether the header has just one blank between its words, so that offsets mean nothing."""
    return all(right.start - left.start == len(left.name) + 1 for left, right in pairwise(columns))


def _assign_to_nearest(pieces: list[re.Match[str]], columns: Header) -> dict[str, str]:
    """Some cells are empty and the row is out of line: each piece goes to the closest column still free."""
    found = dict.fromkeys((column.name for column in columns), "")
    free = 0
    for left, piece in zip(range(len(pieces), 0, -1), pieces, strict=True):
        choices = range(free, len(columns) - left + 1)
        best = min(choices, key=lambda index: abs(columns[index].start - piece.start()))
        found[columns[best].name] = piece[0]
        free = best + 1
    return found


def _name_cells(found: list[str], columns: Header) -> dict[str, str]:
    """Cells by header; what is left over belongs to the last column, which holds free text in most tables."""
    last = len(columns) - 1
    return dict(zip(columns.names, [*found[:last], "  ".join(found[last:])], strict=True))


def _replace_tabs(line: str) -> str:
    """Tabs as blanks; at least two, so that they still part cells."""
    return line.replace("\t", "  \t").expandtabs(8) if "\t" in line else line


def _fill_wide_characters(text: str) -> str:
    """The text with a filler after each character that takes two places on the screen, so that indexes are places."""
    if text.isascii():
        return text
    from unicodedata import east_asian_width

    return "".join(char + "\0" if east_asian_width(char) in "WF" else char for char in text)
