"""The whole answer, without language or layout."""

from __future__ import annotations

from msgspec import Struct, field

from calivet.catalogue.model import Cause, Check, Step
from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line, Replaced, Unreadable

FAULT, HEALTHY, INSUFFICIENT = "fault", "healthy", "insufficient"


class Evidence(Struct, frozen=True):
    """A line and what it says for or against a finding."""

    line: Line
    says: Words
    strength: str
    """proof, strong, fair, weak, or against."""
    count: int = 1
    note: bool = False
    words: str = ""
    """The decisive words of the line, where they are known."""


class Explained(Struct, frozen=True):
    """An observed effect that a finding accounts for."""

    effect: str
    title: Words
    subject: str | None
    line: Line


class Finding(Struct):
    """A cause judged to hold here."""

    cause: Cause
    confidence: float
    nodes: list[str]
    summary: Words
    evidence: list[Evidence]
    explains: list[Explained]
    chain: list[str]
    fix: list[Step]
    verify: list[Check]
    consequences: list[str] = field(default_factory=list)
    """Causes whose signs were seen too and which follow from this one."""
    later_healthy: bool = False


class Candidate(Struct, frozen=True):
    """A cause that may hold but is too weak to assert."""

    cause: Cause
    confidence: float
    evidence: list[Evidence]


class Contrast(Struct, frozen=True):
    """A fact that separates the sick nodes from the healthy ones."""

    fact: str
    sick: dict[str, str]
    healthy: dict[str, str]


class Next(Struct, frozen=True):
    """A command that would tell open hypotheses apart."""

    run: str
    why: Words
    separates: list[str]


class SetAside(Struct, frozen=True):
    """A message known to be harmless."""

    line: Line
    why: Words
    count: int = 1
    words: str = ""


class NotSeen(Struct, frozen=True):
    """Something that would have helped and is not in the evidence."""

    what: Words
    why: Words


class Source(Struct, frozen=True):
    """An artifact and what it was recognised as."""

    artifact: str
    kind: str
    lines: int
    first: int
    host: str | None = None
    unread: int = 0


class Component(Struct, frozen=True):
    """One line of the first screen: a part of the cluster and how it was seen."""

    name: Words
    good: bool | None
    """None where it was not seen."""
    state: Words


class Diagnosis(Struct):
    """Verdict, findings, what was set aside, what was not seen, what to look at next."""

    verdict: str
    components: list[Component]
    findings: list[Finding]
    candidates: list[Candidate]
    contrast: list[Contrast]
    next: list[Next]
    set_aside: list[SetAside]
    not_seen: list[NotSeen]
    sources: list[Source]
    unreadable: list[Unreadable]
    replaced: list[Replaced] = field(default_factory=list)
    """What redaction took out of the evidence before it was read."""
    titles: dict[str, Words] = field(default_factory=dict)
    """The titles of the effects and causes that chains name."""
    sick_nodes: list[str] = field(default_factory=list)
    """Nodes that were seen NotReady or with a sick calico-node."""
    healthy_nodes: list[str] = field(default_factory=list)
    """Nodes that were never seen sick and whose calico-node was seen ready."""
