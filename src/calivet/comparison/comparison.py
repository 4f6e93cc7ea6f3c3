"""What a comparison says: data only, without language or layout."""

from __future__ import annotations

from msgspec import Struct

from calivet.comparison.side import Component, Found


class OneSided(Struct, frozen=True):
    """A cause that is found in one of the two diagnoses only, and what the other one says of it."""

    finding: Found
    possible: float | None
    """How likely the other one holds it, where it is a candidate there."""
    follows: str | None
    """The cause whose consequence it is there."""


class Remaining(Struct, frozen=True):
    """A cause that was found before and still is."""

    before: Found
    after: Found
    joined: list[str]
    """Nodes it is found on now and was not before."""
    left: list[str]
    """Nodes it was found on and is not any more."""


class Changed(Struct, frozen=True):
    """A part of the cluster that is seen in another state; None for one that was not looked at."""

    id: str
    before: Component | None
    after: Component | None


class Shifted(Struct, frozen=True):
    """A cause that was never more than possible, and is more or less so now; None where it was not named."""

    cause: str
    before: float | None
    after: float | None


class Comparison(Struct, frozen=True, kw_only=True):
    """Two diagnoses side by side."""

    before: str
    after: str
    """The verdicts."""
    unrelated: bool
    """Both name nodes, and none in common: it may not be the same cluster."""
    new: list[OneSided]
    remaining: list[Remaining]
    fixed: list[OneSided]
    unseen: list[OneSided]
    """Not found any more, but nothing shows that it is repaired."""
    components: list[Changed]
    candidates: list[Shifted]
