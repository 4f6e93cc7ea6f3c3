"""What the tables tell of all clusters together."""

from __future__ import annotations

from datetime import date

from msgspec import Struct


class Share(Struct, frozen=True):
    """Of the clusters that run this version, or were collected in this period, so many have the cause."""

    of: str
    clusters: int
    total: int


class Cause(Struct, frozen=True):
    """A cause and whom it hit. A cluster counts once, however many of its bundles show the cause."""

    cause: str
    title: str
    """As it was written when the bundle was diagnosed."""
    clusters: int
    bundles: int
    nodes: int
    calico: list[Share]
    kubernetes: list[Share]
    periods: list[Share]


class Possible(Struct, frozen=True):
    """A cause that may hold."""

    cause: str
    clusters: int


class Period(Struct, frozen=True):
    """What was collected in a day, week or month that begins then."""

    begins: date
    bundles: int
    clusters: int
    sick: int
    """Clusters with a fault."""


class Failed(Struct, frozen=True):
    """A bundle that could not be diagnosed."""

    bundle: str
    why: str


class Summary(Struct, frozen=True):
    """All of it."""

    bundles: int
    clusters: int
    verdicts: dict[str, int]
    """Clusters by the verdict of the bundle that was collected last."""
    causes: list[Cause]
    """Those that hit the most clusters first."""
    possible: list[Possible]
    calico: list[Share]
    """Of the clusters that run a version, so many have any fault."""
    kubernetes: list[Share]
    unit: str
    """day, week or month: how long a period is."""
    periods: list[Period]
    undated: int
    """Bundles that do not say when they were collected."""
    failed: list[Failed]
