"""Reads from documents which machines, domains, clusters, people and numbered things they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from calivet.redaction.anonymize.places import (
    ACCOUNTS,
    COMMON,
    DOMAIN,
    HOST,
    IDENTIFIER,
    NAME,
    ORDINARY,
    ORGANISATION,
    OWN_SUBJECTS,
    PLACES,
    PUBLIC,
    RESOURCE,
    USER,
)
from calivet.search.expressions import expression
from calivet.search.scanner import Scanner

# Tables of nodes in any form are known by the command above them, columns of nodes by their header.
ASKED = r"get (?:no|nodes?)\b"
COLUMN = r"^[A-Z][^a-z]*\sNODE(?:\s|$)"
ROLES = r"^\s*Roles:"
# The body of a certificate, up to its last line.
CERTIFICATE = r"BEGIN (?:TRUSTED )?CERTIFICATE-----\s*$"
BODY = expression(r"\s*([A-Za-z0-9+/=]{1,128})\s*$")
ANY_HEADER = expression(r"\s*(?:N|NAME|NODE)\b[^a-z]*$")
NODE_HEADER = expression(r"[A-Z][^a-z]*?\s(?P<node>NODE)(?:\s[^a-z]*)?$")
# Kubernetes takes no capitals in a node's name, so "Failed to pull image" below a table is none.
LOWER_NAME = r"[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?"
ROW = expression(rf"\s*(?P<name>{LOWER_NAME})\s(?!.*[#$] (?:kubectl|calicoctl))")
GAP = expression(r"\s{2,}|\t")
STATE = expression(r"\s*\S+\s+(?:Ready|NotReady|Unknown|SchedulingDisabled)\b")
CELL = expression(rf"{LOWER_NAME}(?=\s|$)")
DESCRIBED = expression(rf"\s*Name:\s+({NAME})\s*$")
TOP_LEVEL = expression(r"(?:^|\.)[A-Za-z]{2,}$")
NUMBERED = expression(r"[\d.:/-]+|(?:\d+[smhdy])+|ip(?:-\d{1,3}){4}|0x.*|v\d+")
# Pods, which prompts and environments name like machines.
OWN_PODS = expression(
    r"(?:calico-(?:node|typha|kube-controllers|apiserver)|csi-node-driver|coredns|kube-proxy|canal|tigera-operator)-.*"
)
SHORTEST, SHORTEST_RESOURCE = 2, 5
IN_PLACE = (ORGANISATION, RESOURCE, IDENTIFIER, USER)
"""Kinds that are replaced where they stand, whether or not they are remarkable enough to be looked for elsewhere."""

Shown = tuple[str, str]
"""A kind of name, and the name."""


def find_names(lines: Sequence[str]) -> Iterator[Shown]:
    """Every name that a place gives away, as it is written."""
    tables = (_find_asked_names, _find_names_in_column, _find_described_names)
    for hit in load_scanner().scan(lines):
        if hit.pattern < len(PLACES):
            for found in _list_shapes()[hit.pattern].finditer(lines[hit.line]):
                yield from ((PLACES[hit.pattern].kind, name) for name in found.groups() if name)
        elif hit.pattern < len(PLACES) + len(tables):
            yield from ((HOST, name) for name in tables[hit.pattern - len(PLACES)](lines, hit.line))


class Spot:
    """A stretch of a line that is replaced as a whole."""

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind, self.start, self.end = kind, start, end


def find_spots(lines: Sequence[str]) -> dict[int, list[Spot]]:
    """What is replaced where it stands, by the index of its line; no two of a line overlap."""
    found: dict[int, list[Spot]] = {}
    for hit in load_scanner().scan(lines):
        if hit.pattern < len(PLACES):
            kind = PLACES[hit.pattern].kind
            if kind in IN_PLACE:
                line = lines[hit.line]
                found.setdefault(hit.line, []).extend(_find_spots_of_shape(kind, _list_shapes()[hit.pattern], line))
        elif hit.pattern == len(PLACES) + 3:
            for index, body in _list_rows_below(lines, hit.line):
                found.setdefault(index, []).append(Spot(IDENTIFIER, *body.span(1)))
    return {index: _drop_overlapping(each) for index, each in found.items()}


def tells(kind: str, name: str) -> bool:
    """A name that says something about whose cluster it is, wherever it stands."""
    lowered = name.lower()
    if kind == DOMAIN:
        public = any(lowered == known or lowered.endswith(f".{known}") for known in PUBLIC)
        return bool(TOP_LEVEL.search(name)) and not public
    if kind == USER:
        return name not in ACCOUNTS
    if kind in (ORGANISATION, RESOURCE, IDENTIFIER):
        marked = any(letter.isdigit() or letter in "-_" for letter in name)
        return marked and len(name) >= SHORTEST_RESOURCE and not is_own(kind, name) and " " not in name
    is_word = lowered in COMMON or lowered in ORDINARY
    return len(name) >= SHORTEST and not is_word and not NUMBERED.fullmatch(name) and not OWN_PODS.fullmatch(lowered)


def is_own(kind: str, name: str) -> bool:
    """What Kubernetes and its installers call so themselves."""
    if kind == USER:
        return name in ACCOUNTS
    return name.lower() in COMMON or (kind == ORGANISATION and name.startswith(OWN_SUBJECTS))


def _find_spots_of_shape(kind: str, shape: re.Pattern[str], line: str) -> Iterator[Spot]:
    for found in shape.finditer(line):
        for number, name in enumerate(found.groups(), 1):
            if name and not is_own(kind, name):
                yield Spot(kind, *found.span(number))


def _drop_overlapping(each: list[Spot]) -> list[Spot]:
    """Of those that overlap the one that begins first, and of these the longest."""
    kept: list[Spot] = []
    for spot in sorted(each, key=lambda spot: (spot.start, -spot.end)):
        if not kept or spot.start >= kept[-1].end:
            kept.append(spot)
    return kept


def _find_asked_names(lines: Sequence[str], index: int) -> Iterator[str]:
    if index + 1 == len(lines) or not ANY_HEADER.match(lines[index + 1]):
        return
    header = lines[index + 1]
    columns = len(GAP.split(header.strip()))
    for line in lines[index + 2 :]:
        is_row = STATE.match(line) if "STATUS" in header else len(GAP.split(line.strip())) >= columns
        row = ROW.match(f"{line} ")
        if not row or not is_row:
            return
        yield row["name"]


def _find_names_in_column(lines: Sequence[str], index: int) -> Iterator[str]:
    if not (header := NODE_HEADER.match(lines[index])):
        return
    column = header.start("node")
    for number in range(index + 1, len(lines)):
        cell = CELL.match(lines[number], column)
        if not cell or lines[number][column - 2 : column] != "  ":
            return
        yield cell[0]


def _find_described_names(lines: Sequence[str], index: int) -> Iterator[str]:
    if index and (named := DESCRIBED.match(lines[index - 1])):
        yield named[1]


def _list_rows_below(lines: Sequence[str], index: int) -> Iterator[tuple[int, re.Match[str]]]:
    for number in range(index + 1, len(lines)):
        if not (body := BODY.match(lines[number])):
            return
        yield number, body


@cache
def _list_shapes() -> list[re.Pattern[str]]:
    return [expression(place.shape, re.ASCII) for place in PLACES]


@cache
def load_scanner() -> Scanner:
    """Of the places where a name may be."""
    hints = [*(place.hint for place in PLACES), ASKED, COLUMN, ROLES, CERTIFICATE]
    return Scanner.load_or_compile("names", hints, caseless=False)
