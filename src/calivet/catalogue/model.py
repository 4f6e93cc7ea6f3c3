"""The types of the catalogue. `docs/adding-a-cause.md` explains each field with an example."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct, field

from calivet.messages.command_line import NO_COMMAND, Command
from calivet.messages.words import Words


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
    CURE = "cure"
    """Only in what the author gives as the cure: sentences, commands and settings under such a heading."""


CURE = "cure"
"""In `told`: the combination counts only where the author tells the cure."""

WITHOUT = "!"
"""In `told`, before a concept: a sentence that holds it does not count."""

When = dict[str, list[str]]
"""Questions of `facts/platform.py` with the answers for which something holds, or `not` and the answers for which it
does not; an unknown answer fits all."""


class Sign(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that can be observed: a pattern in the text, concepts in a sentence, or a computed sign by its name.

    `since` and `until`, here as in traces and questions: the releases of Calico that it can be seen with.
    """

    id: str
    says: Words
    strength: Strength
    pattern: str | None = None
    computed: str | None = None
    told: list[str] = field(default_factory=list)
    """Each names concepts of concepts.yaml that one sentence of an author holds, in any order; | stands for or."""
    scope: Scope = Scope.ANY
    when: When = field(default_factory=dict)
    since: str = ""
    until: str = ""
    by: Literal["calico", "machinery", "anybody"] = "machinery"
    """Who may say it: from an application it counts as weak, unless anybody may; words that any program prints, as
    those of a crash, are Calico's only where their document speaks of Calico."""
    about: Literal["events", "settings"] = "events"
    """What happened, which may be over, or how things are set now: then a ready calico-node does not contradict it."""
    speaks: Literal["alone", "beside"] = "alone"
    """`beside`: most nodes that are well show it too, so it tells something only beside another sign of its cause."""
    logged_by: Literal["node", "peer"] = "node"
    """`peer`: another node says it of the one at fault, so it does not tell which one that is."""
    tells: Literal["that", "why"] = "that"
    """`why`: its line has the reason in a program's own words, which its pattern names `answer`; that line is quoted
    before one that proves the fault and does not explain it."""
    fires: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


class Trace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How an effect or a harmless message is observed: like a sign, but it takes no side."""

    pattern: str | None = None
    computed: str | None = None
    scope: Scope = Scope.OUTPUT
    when: When = field(default_factory=dict)
    since: str = ""
    until: str = ""
    fires: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)


class Mistaken(Struct, frozen=True, forbid_unknown_fields=True):
    """A look-alike, and what tells the two apart."""

    cause: str
    tell: Words


Risk = Literal["safe", "disruptive", "dangerous"]
"""What a step may cost; causes/risks.yaml says it for each command."""


class RiskRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a command costs, in whatever cause it stands."""

    id: str
    command: str
    """A regular expression that is looked for in the step's command."""
    risk: Risk
    when_saved: Risk | None = None
    """The risk of a step that keeps before what it changes."""
    interrupts: Words
    """What stops working meanwhile, and for how long."""


class Check(Struct, frozen=True, forbid_unknown_fields=True):
    """A command and what it shows when all is well."""

    run: Command
    expect: Words
    when: When = field(default_factory=dict)
    only_when: When = field(default_factory=dict)


class Step(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step of a fix."""

    do: Words | None = None
    """What is done, as an order: Restart containerd."""
    why: Words
    run: Command = NO_COMMAND
    """The command; none where the step is taken by hand, and then `do` says all."""
    where: Literal["cluster", "node", "manual"]
    risk: Risk
    decided_by: Literal["anyone", "operator"] = "anyone"
    """`operator` where `do` states a condition that no command tests: not shown first, taken only where named."""
    interrupts: Words | None = None
    """What stops working meanwhile, and for how long; else what causes/risks.yaml says of its command."""
    precheck: Check | None = None
    """To be run before: the step is taken only where it shows what is expected."""
    save: Command = NO_COMMAND
    """To be run before: keeps what `undo` puts back."""
    undo: Command = NO_COMMAND
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
    when: When = field(default_factory=dict)
    """The kinds of cluster it is for; it is left out where one is known not to be."""
    only_when: When = field(default_factory=dict)
    """The same, but it is also left out where the answer is not known: for steps that harm elsewhere."""


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
    when: When = field(default_factory=dict)
    """The kinds of cluster that can have it."""
    gives: list[str] = field(default_factory=list)
    """Values that its computed signs hand over beside those they say, for the commands below."""
    words_tell: Literal["cause", "symptom"] = "cause"
    """Whether who writes in its words tells it, or only the stop that its look-alikes share with it."""
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
    when: When = field(default_factory=dict)
    since: str = ""
    until: str = ""
    kinds: list[str] = field(default_factory=list)
    """Formats that, read from the evidence, have answered it."""


class Harmless(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A message that looks alarming and is not."""

    id: str
    why: Words
    trace: Trace


class Concept(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that authors speak of, with the words that they have for it."""

    id: str
    words: list[str]
    """Regular expressions, of both languages; a denial that belongs to the concept is among them."""

    @property
    def pattern(self) -> str:
        """Any of the words."""
        return "|".join(self.words)


class Catalogue(Struct, frozen=True, kw_only=True):
    """All that calivet knows, as loaded."""

    causes: dict[str, Cause]
    effects: dict[str, Effect]
    questions: dict[str, Question]
    harmless: dict[str, Harmless]
    risks: dict[str, RiskRule] = field(default_factory=dict)
    concepts: dict[str, Concept] = field(default_factory=dict)
