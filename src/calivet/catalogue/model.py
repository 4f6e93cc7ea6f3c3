"""The types of the catalogue. `docs/adding-a-cause.md` explains each field with an example."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct, field

from calivet.catalogue.words import Words


class Strength(StrEnum):
    """How much a sign says. `proof` alone suffices to name the cause."""

    PROOF = "proof"
    STRONG = "strong"
    FAIR = "fair"
    WEAK = "weak"


class Scope(StrEnum):
    """Where a pattern is looked for."""

    ANY = "any"
    """In output and in the author's words; there it counts one step less."""
    OUTPUT = "output"
    NOTE = "note"
    """Only in the author's words."""


class Sign(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that can be observed: a pattern in the text, or a computed sign by its name."""

    id: str
    says: Words
    strength: Strength
    pattern: str | None = None
    computed: str | None = None
    scope: Scope = Scope.ANY
    fires: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


class Trace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How an effect or a harmless message is observed: like a sign, but it takes no side."""

    pattern: str | None = None
    computed: str | None = None
    scope: Scope = Scope.OUTPUT
    fires: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


class Mistaken(Struct, frozen=True, forbid_unknown_fields=True):
    """A look-alike, and what tells the two apart."""

    cause: str
    tell: Words


class Step(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step of a fix."""

    run: str
    why: Words
    where: Literal["cluster", "node", "manual"]
    risk: Literal["safe", "disruptive", "dangerous"]
    undo: str = ""
    installer: Literal["any", "operator", "manifest"] = "any"
    """A step that only fits installations made this way."""
    since: str = ""
    """The first Calico version that has what the step uses, as 3.22."""
    until: str = ""
    """The last Calico version the step is for; with an unknown version it is left out."""
    given: str = ""
    """A value, as proven_method, without which the step is left out."""
    unless: str = ""
    """A value with which the step is left out: a better one stands for it."""


class Check(Struct, frozen=True, forbid_unknown_fields=True):
    """How to see that the fix worked."""

    run: str
    expect: Words


class Cause(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fault: one file of the catalogue."""

    id: str
    layer: Literal[
        "host",
        "runtime",
        "kubelet",
        "api",
        "install",
        "identity",
        "bgp",
        "felix",
        "ipam",
        "underlay",
    ]
    title: Words
    summary: Words
    """One sentence about this cluster; may use {nodes}, {pod}, {namespace}."""
    explain: Words
    mistaken_for: list[Mistaken]
    signs: list[Sign]
    against: list[Sign] = field(default_factory=list)
    leads_to: list[str]
    ask: list[str]
    """Questions of questions.yaml whose answers would settle it, most telling first."""
    fix: list[Step]
    verify: list[Check]
    references: list[str]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An observable state that follows from a cause or from another effect."""

    id: str
    title: Words
    leads_to: list[str] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)


class Question(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A command that would settle something, and how to tell that it has been answered already."""

    id: str
    run: str
    why: Words
    where: Literal["cluster", "node"]
    command: str = ""
    """A regular expression: a command in the evidence that matches it has answered the question."""
    kinds: list[str] = field(default_factory=list)
    """Formats that, read from the evidence, have answered it."""


class Harmless(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A message that looks alarming and is not."""

    id: str
    why: Words
    trace: Trace


class Catalogue(Struct, frozen=True, kw_only=True):
    """All that calivet knows, as loaded."""

    causes: dict[str, Cause]
    effects: dict[str, Effect]
    questions: dict[str, Question]
    harmless: dict[str, Harmless]
