"""The rows of the tables: their types are the tables' columns."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from calivet.evidence.names import printable
from calivet.fleet.told import Diagnosed, Told

CALICO = ("calico-node", "felix", "calico-cni", "calico")
KUBERNETES = ("kubernetes", "kubelet", "kube-apiserver")


class Bundle(Struct, frozen=True, kw_only=True):
    """One bundle: what it is, and the verdict. `failed` says why there is none."""

    bundle: str
    digest: str | None = None
    """Of its content."""
    knowledge: str | None = None
    """What it was diagnosed with: the version of calivet and the user's own causes."""
    cluster: str | None = None
    """The same for all bundles of one cluster; a bundle that does not tell counts as a cluster of its own."""
    collected: datetime | None = None
    """In UTC, where the bundle says so."""
    verdict: str | None = None
    calico: str | None = None
    kubernetes: str | None = None
    """The version that most nodes have."""
    sick_nodes: int | None = None
    healthy_nodes: int | None = None
    calivet: str | None = None
    failed: str | None = None


class Finding(Struct, frozen=True):
    """A root cause of a bundle; rank 1 is the best."""

    bundle: str
    rank: int
    cause: str
    confidence: float
    title: str
    summary: str
    nodes: list[str]
    later_healthy: bool


class Candidate(Struct, frozen=True):
    """A cause that may hold."""

    bundle: str
    rank: int
    cause: str
    confidence: float


class Component(Struct, frozen=True):
    """A part of the cluster; `good` is null where it was not seen."""

    bundle: str
    component: str
    good: bool | None
    state: str


class Node(Struct, frozen=True):
    """A node whose state was seen."""

    bundle: str
    node: str
    healthy: bool


class Version(Struct, frozen=True):
    """A version of a program, and on how many nodes it was seen."""

    bundle: str
    program: str
    version: str
    nodes: int


BUNDLES = "bundles"
TABLES: dict[str, type[Struct]] = {
    BUNDLES: Bundle,
    "findings": Finding,
    "candidates": Candidate,
    "components": Component,
    "nodes": Node,
    "versions": Version,
}
Rows = dict[str, list[Struct]]
"""About bundles, by table."""


def rows(bundle: str, digest: str, knowledge: str, told: Told) -> tuple[Bundle, Rows]:
    """A bundle that was diagnosed, and the rows about it."""
    diagnosis, background = told.diagnosis, told.background
    head = Bundle(
        bundle=bundle,
        digest=digest,
        knowledge=knowledge,
        cluster=background.cluster or digest,
        collected=background.collected,
        verdict=diagnosis.verdict,
        calico=_first(told, CALICO),
        kubernetes=_first(told, KUBERNETES),
        sick_nodes=len(diagnosis.nodes.sick),
        healthy_nodes=len(diagnosis.nodes.healthy),
        calivet=diagnosis.calivet,
    )
    versions = [Version(bundle, one.program, one.version, one.nodes) for one in background.versions]
    return head, {"versions": [*versions], **_of_diagnosis(bundle, diagnosis)}


def _of_diagnosis(bundle: str, diagnosis: Diagnosed) -> Rows:
    return {
        "findings": [
            Finding(
                bundle=bundle,
                rank=rank,
                cause=one.cause,
                confidence=one.confidence,
                title=printable(one.title),
                summary=printable(one.summary),
                nodes=[*map(printable, one.nodes)],
                later_healthy=one.later_healthy,
            )
            for rank, one in enumerate(diagnosis.findings, 1)
        ],
        "candidates": [
            Candidate(bundle, rank, one.cause, one.confidence) for rank, one in enumerate(diagnosis.candidates, 1)
        ],
        "components": [Component(bundle, one.id, one.good, printable(one.state)) for one in diagnosis.components],
        "nodes": [
            *(Node(bundle, printable(name), healthy=False) for name in diagnosis.nodes.sick),
            *(Node(bundle, printable(name), healthy=True) for name in diagnosis.nodes.healthy),
        ],
    }


def _first(told: Told, programs: tuple[str, ...]) -> str | None:
    """The version of the first of these programs that was seen, the most frequent one."""
    seen = told.background.versions
    return next((one.version for program in programs for one in seen if one.program == program), None)
