"""The tables that the API server itself makes of a list: small to fetch, and printed as kubectl prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

ACCEPT = ",".join(f"application/json;as=Table;v={version};g=meta.k8s.io" for version in ("v1", "v1beta1"))


class Owner(Struct, frozen=True, gc=False):
    """The controller that an object belongs to."""

    kind: str = ""
    name: str = ""


class Meta(Struct, frozen=True, gc=False):
    """The little of an object's head that is of use; all else is skipped while decoding."""

    name: str = ""
    namespace: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    owners: list[Owner] = field(default_factory=list, name="ownerReferences")


class AnnotatedMeta(Struct, frozen=True, gc=False):
    """For nodes, on whose annotations Calico keeps its addresses."""

    name: str = ""
    annotations: dict[str, str] = field(default_factory=dict)


Head = TypeVar("Head", Meta, AnnotatedMeta)


class Part(Struct, Generic[Head], frozen=True, gc=False):
    """The object that a row is about, as far as it was asked for."""

    metadata: Head


class Row(Struct, Generic[Head], frozen=True, gc=False):
    """One object of the list, with its head where that was asked for."""

    cells: list[Any]
    object: Part[Head] | None = None

    @property
    def head(self) -> Head:
        """Only for lists that were asked for with heads."""
        if self.object is None:
            raise ValueError("the list was asked for without heads")
        return self.object.metadata


class Column(Struct, frozen=True):
    """A column of the table."""

    name: str


class ListMeta(Struct, frozen=True):
    """Where the next page begins, and how much is behind this one."""

    next: str = field(default="", name="continue")
    remaining: int = field(default=0, name="remainingItemCount")


class Table(Struct, Generic[Head], frozen=True):
    """One page of a list."""

    metadata: ListMeta
    rows: list[Row[Head]]
    columns: list[Column] = field(default_factory=list, name="columnDefinitions")


FEW = 500
"""Rows of which each is worth printing; of longer lists only those are that tell something, and some for comparison."""
SAMPLE = 20

Listed = TypeVar("Listed")


def telling(rows: Sequence[Listed], tells: Callable[[Listed], bool]) -> list[Listed]:
    """All of a short list; of a long one what is out of the ordinary, and the first few."""
    if len(rows) <= FEW:
        return list(rows)
    return [row for place, row in enumerate(rows) if place < SAMPLE or tells(row)]


def printed(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """The lines that kubectl would print."""
    texts = [[column.upper() for column in columns], *([_text(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) + 3 for column in zip(*texts, strict=True)]
    return ["".join(map(str.ljust, row, widths)).rstrip() for row in texts]


def _text(cell: object) -> str:
    """A cell on one line."""
    if cell is None:
        return "<none>"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return " ".join(str(cell).split())
