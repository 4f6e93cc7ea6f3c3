"""The whole answer, without language or layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from calivet.catalogue.model import Cause, Check, Step
from calivet.evidence.artifact import Line, Replaced, Unreadable
from calivet.messages.command_line import NO_COMMAND, Command
from calivet.messages.words import Words

if TYPE_CHECKING:
    from calivet.reasoning.advice import Advice

FAULT, HEALTHY, INSUFFICIENT = "fault", "healthy", "insufficient"
PROVEN, LIKELY = "proven", "likely"


class Citation(Struct, frozen=True):
    """A line and what it says for or against a finding."""

    line: Line
    says: Words
    strength: str
    """proof, strong, fair, weak, or against."""
    count: int = 1
    note: bool = False
    words: str = ""
    """The decisive words of the line, where they are known."""
    tells_why: bool = False
    """The line has the reason in a program's own words."""
    shown_by: Command = NO_COMMAND
    """The command that shows the line again, where a live cluster was asked."""


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
    evidence: list[Citation]
    explains: list[Explained]
    chain: list[str]
    fix: list[Step]
    verify: list[Check]
    consequences: list[str] = field(default_factory=list)
    """Causes whose signs were seen too and which follow from this one."""
    later_healthy: bool = False
    certainty: str = PROVEN
    """proven, or likely: asserted, with what would prove it among the next commands."""
    advice: Advice | None = None
    """What the steps were made of, for who needs them for one node alone."""


class Candidate(Struct, frozen=True):
    """A cause that may hold but is too weak to assert."""

    cause: Cause
    confidence: float
    evidence: list[Citation]
    is_hypothesis: bool = False
    """Nothing but the symptoms that it leads to speaks for it."""


class Contrast(Struct, frozen=True):
    """A fact that separates the sick nodes from the healthy ones."""

    fact: str
    sick: dict[str, str]
    healthy: dict[str, str]


class Next(Struct, frozen=True):
    """A command that would tell open hypotheses apart."""

    run: Command
    why: Words
    separates: list[str]


class SetAside(Struct, frozen=True):
    """A message known to be harmless, or of a fault that is over."""

    line: Line
    why: Words
    count: int = 1
    words: str = ""
    is_over: bool = False
    """It was a fault once, and all is well now."""


class Doubt(Struct, frozen=True):
    """A reason not to call it healthy, with its line where one shows it."""

    says: Words
    line: Line | None = None
    is_open: bool = False
    """What the author says may mean anything: it forbids "healthy", and makes nothing else likelier."""


class Unexplained(Struct, frozen=True):
    """A line that sounds wrong and that nothing accounts for, with how often its form was seen."""

    line: Line
    count: int = 1
    level: str = ""
    """panic, fatal, error, warning; empty where the line has none."""
    program: str = ""
    """Who says it, where the line tells."""
    doing: Words | None = None
    """What that program was doing."""


class Outside(Struct, frozen=True):
    """Something that is evidently broken and is not Calico's."""

    what: Words
    line: Line


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


class ClusterSummary(Struct, frozen=True):
    """What was looked at; empty where the evidence does not tell."""

    kubernetes: str = ""
    calico: str = ""
    installer: str = ""
    encapsulation: str = ""
    data_plane: str = ""
    nodes: int = 0
    context: str = ""
    """The context of the kubeconfig, where a live cluster was asked."""
    server: str = ""
    taken: str = ""
    """When the evidence was taken, where whoever took it says."""
    first: str = ""
    """The first time in the logs."""
    last: str = ""


def split_history(set_aside: Sequence[SetAside]) -> tuple[list[SetAside], list[SetAside]]:
    """What is harmless, and what is over."""
    return [one for one in set_aside if not one.is_over], [one for one in set_aside if one.is_over]


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
    reason: str = ""
    """Why there is no finding: no-calico, nothing-readable, symptoms-only, no-symptoms; empty where there is one."""
    remark: Words | None = None
    """What is said of it beside the verdict."""
    unexplained: list[Unexplained] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    """What forbade calling it healthy, where nothing else is known to be wrong; else what no finding explains."""
    outside: list[Outside] = field(default_factory=list)
    """What is evidently broken elsewhere; never a finding."""
    titles: dict[str, Words] = field(default_factory=dict)
    """The titles of the effects and causes that chains name."""
    sick_nodes: list[str] = field(default_factory=list)
    """Nodes that were seen NotReady or with a sick calico-node."""
    healthy_nodes: list[str] = field(default_factory=list)
    """Nodes that were never seen sick and whose calico-node was seen ready."""
    cluster: ClusterSummary = field(default_factory=ClusterSummary)
