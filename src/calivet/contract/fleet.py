"""The JSON of what many diagnoses tell together. Fields may be added, never changed in meaning."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

VERSION: Final = 1
CauseId = Annotated[str, Meta(description="The cause by its permanent id.")]
Bundles = Annotated[int, Meta(description="How many bundles.")]
Clusters = Annotated[int, Meta(description="How many clusters; each counts once, however many bundles it sent.")]


class Share(Struct, frozen=True):
    """Of the clusters that run this version, or were collected in this period, so many have the cause."""

    of: Annotated[str, Meta(description="The version, or the first day of the period.")]
    clusters: Clusters
    total: Annotated[int, Meta(description="All clusters of this version or period.")]


class Hit(Struct, frozen=True):
    """A cluster that has, or had, a cause."""

    cluster: Annotated[str, Meta(description="Its context, else its server, else the path of its last bundle.")]
    since: Annotated[date | None, Meta(description="The day of the first bundle that shows it.")]
    until: Annotated[date | None, Meta(description="The day of the last bundle that shows it.")]
    bundles: Bundles
    nodes: Annotated[int, Meta(description="On how many nodes the last of them shows it.")]
    now: Annotated[bool, Meta(description="Whether the cluster's last bundle still shows it.")]
    calico: Annotated[str | None, Meta(description="The version of Calico in the last of them.")]
    kubernetes: Annotated[str | None, Meta(description="The version of Kubernetes in the last of them.")]


class Cause(Struct, frozen=True):
    """A cause and whom it hit."""

    cause: CauseId
    title: Annotated[str, Meta(description="As it was written when the bundle was diagnosed.")]
    clusters: Clusters
    bundles: Bundles
    nodes: Annotated[int, Meta(description="How many nodes.")]
    calico: Annotated[list[Share], Meta(description="By the version of Calico.")]
    kubernetes: Annotated[list[Share], Meta(description="By the version of Kubernetes.")]
    periods: Annotated[list[Share], Meta(description="By the time of collection.")]
    hit: Annotated[list[Hit], Meta(description="Which clusters; those that still have it first.")] = []


class Possible(Struct, frozen=True):
    """A cause that may hold."""

    cause: CauseId
    clusters: Clusters


class Period(Struct, frozen=True):
    """What was collected in a day, week or month."""

    begins: Annotated[date, Meta(description="Its first day.")]
    bundles: Bundles
    clusters: Clusters
    sick: Annotated[int, Meta(description="Clusters with a fault.")]


class Failed(Struct, frozen=True):
    """A bundle that could not be diagnosed."""

    bundle: Annotated[str, Meta(description="Its path.")]
    why: Annotated[str, Meta(description="The reason, in the language of the run that met it.")]


class Summary(Struct, frozen=True):
    """All of it."""

    bundles: Bundles
    clusters: Clusters
    verdicts: Annotated[
        dict[str, int], Meta(description="Clusters by the verdict of the bundle that was collected last.")
    ]
    causes: Annotated[list[Cause], Meta(description="Those that hit the most clusters first.")]
    possible: Annotated[list[Possible], Meta(description="Causes that are candidates only.")]
    calico: Annotated[
        list[Share], Meta(description="Of the clusters that run a version of Calico, so many have any fault.")
    ]
    kubernetes: Annotated[list[Share], Meta(description="The same by the version of Kubernetes.")]
    unit: Annotated[str, Meta(description="day, week or month: how long a period is.")]
    periods: Annotated[list[Period], Meta(description="In order of time.")]
    undated: Annotated[int, Meta(description="Bundles that do not say when they were collected.")]
    failed: Annotated[list[Failed], Meta(description="Bundles that could not be diagnosed.")]


class Document(Struct, frozen=True):
    """What `calivet fleet report -o json` prints."""

    schema: Annotated[Literal[1], Meta(description="The version of this contract.")]
    calivet: Annotated[str, Meta(description="The version of calivet that wrote it.")]
    fleet: Annotated[Summary, Meta(description="What the tables tell.")]
