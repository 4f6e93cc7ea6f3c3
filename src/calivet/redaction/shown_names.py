"""Reads from documents which machines, domains, clusters and people they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from calivet.evidence.expressions import expression
from calivet.evidence.scanner import Scanner
from calivet.redaction.common_names import ACCOUNTS, COMMON, PUBLIC
from calivet.redaction.host_names import DOMAIN, HOST, NAME, PLACES, USER

# Tables of nodes in any form are known by the command above them, columns of nodes by their header.
ASKED = r"get (?:no|nodes?)\b"
COLUMN = r"^[A-Z][^a-z]*\sNODE(?:\s|$)"
ROLES = r"^\s*Roles:"
ANY_HEADER = expression(r"\s*(?:N|NAME|NODE)\b[^a-z]*$")
NODE_HEADER = expression(r"[A-Z][^a-z]*?\s(?P<node>NODE)(?:\s[^a-z]*)?$")
ROW = expression(rf"\s*(?P<name>{NAME})\s(?!.*[#$] (?:kubectl|calicoctl))")
CELL = expression(rf"{NAME}(?=\s|$)")
DESCRIBED = expression(rf"\s*Name:\s+({NAME})\s*$")
TOP_LEVEL = expression(r"(?:^|\.)[A-Za-z]{2,}$")
NUMBERED = expression(r"[\d.:/-]+|(?:\d+[smhdy])+|ip(?:-\d{1,3}){4}|0x.*|v\d+")
SHORTEST = 2

Shown = tuple[str, str]
"""A kind of name, and the name."""


def shown_names(lines: Sequence[str]) -> Iterator[Shown]:
    """Every name that a place gives away, as it is written."""
    for hit in _scanner().scan(lines):
        if hit.pattern < len(PLACES):
            for found in _shapes()[hit.pattern].finditer(lines[hit.line]):
                yield from ((PLACES[hit.pattern].kind, name) for name in found.groups() if name)
        else:
            tables = (_asked, _column, _described)
            yield from ((HOST, name) for name in tables[hit.pattern - len(PLACES)](lines, hit.line))


def tells(kind: str, name: str) -> bool:
    """A name that says something about whose cluster it is."""
    if kind == DOMAIN:
        lowered = name.lower()
        public = any(lowered == known or lowered.endswith(f".{known}") for known in PUBLIC)
        return bool(TOP_LEVEL.search(name)) and not public
    if kind == USER:
        return name not in ACCOUNTS
    return len(name) >= SHORTEST and name.lower() not in COMMON and not NUMBERED.fullmatch(name)


def _asked(lines: Sequence[str], index: int) -> Iterator[str]:
    if index + 1 == len(lines) or not ANY_HEADER.match(lines[index + 1]):
        return
    for number in range(index + 2, len(lines)):
        if not (row := ROW.match(lines[number])):
            return
        yield row["name"]


def _column(lines: Sequence[str], index: int) -> Iterator[str]:
    if not (header := NODE_HEADER.match(lines[index])):
        return
    column = header.start("node")
    for number in range(index + 1, len(lines)):
        cell = CELL.match(lines[number], column)
        if not cell or lines[number][column - 2 : column] != "  ":
            return
        yield cell[0]


def _described(lines: Sequence[str], index: int) -> Iterator[str]:
    if index and (named := DESCRIBED.match(lines[index - 1])):
        yield named[1]


@cache
def _shapes() -> list[re.Pattern[str]]:
    return [expression(place.shape, re.ASCII) for place in PLACES]


@cache
def _scanner() -> Scanner:
    return Scanner.kept("names", [*(place.hint for place in PLACES), ASKED, COLUMN, ROLES], caseless=False)
