"""The JSON of a diagnosis: what is written, what is read back and the published schema are made of these types.

Fields may be added, at the end, with a word of what they mean and a default, for older versions did not write them;
none is ever changed in meaning. Everything is written all the same, and so the schema asks for it.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

VERSION: Final = 1

Verdict = Literal["fault", "healthy", "insufficient"]
Certainty = Literal["proven", "likely"]
Strength = Literal["proof", "strong", "fair", "weak", "against"]
Sureness = Annotated[float, Meta(ge=0, le=1, description="How sure, from 0 to 1; calibrated on labelled cases.")]
CauseId = Annotated[str, Meta(description="A cause of the catalogue; its id is permanent.")]
Name = Annotated[str, Meta(description="The document, named as it was handed over.")]
LineNumber = Annotated[int, Meta(ge=1, description="The line in that document, counted from 1.")]
Count = Annotated[int, Meta(ge=1, description="How often it was seen; the line is the first of them.")]
Text = Annotated[str, Meta(description="The line itself.")]


class Evidence(Struct, frozen=True):
    """A line of the evidence and what it says for or against the finding."""

    artifact: Name
    line: LineNumber
    text: Text
    says: Annotated[str, Meta(description="What it tells, in the language asked for.")]
    strength: Annotated[Strength, Meta(description="How much it says; one proof alone suffices.")]
    count: Count
    note: Annotated[bool, Meta(description="Whether it is an author's word rather than a program's output.")]
    command: Annotated[str, Meta(description="What shows it again, where a live cluster was asked; else empty.")] = ""


class Explained(Struct, frozen=True):
    """Something that was observed and that the finding accounts for."""

    effect: Annotated[str, Meta(description="An effect of the catalogue, by its id.")]
    subject: Annotated[str | None, Meta(description="The node, pod or peer it was observed on, where that is known.")]
    artifact: Name
    line: LineNumber


class Step(Struct, frozen=True):
    """One step of the fix."""

    run: Annotated[str, Meta(description="A command that can be pasted; what is not known stands in <angle brackets>.")]
    why: Annotated[str, Meta(description="What it does, or what it is good for.")]
    where: Annotated[Literal["cluster", "node", "manual"], Meta(description="Where it is run.")]
    risk: Annotated[Literal["safe", "disruptive", "dangerous"], Meta(description="What it may cost.")]
    undo: Annotated[str, Meta(description="The command that takes it back; empty where there is none.")]
    do: Annotated[str, Meta(description="What is done, as an order.")] = ""
    interrupts: Annotated[str, Meta(description="What stops working meanwhile, and for how long.")] = ""
    precheck: Annotated[str, Meta(description="A command to run before; empty where there is none.")] = ""
    precheck_expect: Annotated[str, Meta(description="The step is taken only where precheck shows this.")] = ""
    save: Annotated[str, Meta(description="A command to run before that keeps what undo puts back.")] = ""


class Check(Struct, frozen=True):
    """How to see that the fix worked."""

    run: Annotated[str, Meta(description="A command that can be pasted.")]
    expect: Annotated[str, Meta(description="What it shows when all is well.")]


class Finding(Struct, frozen=True):
    """A root cause that is judged to hold here."""

    cause: CauseId
    confidence: Sureness
    nodes: Annotated[list[str], Meta(description="The nodes it was seen on; empty where it concerns the cluster.")] = []
    title: Annotated[str, Meta(description="The cause in a few words.")] = ""
    summary: Annotated[str, Meta(description="One or two sentences about this cluster.")] = ""
    evidence: Annotated[list[Evidence], Meta(description="The lines it rests on, most telling first.")] = []
    explains: Annotated[list[Explained], Meta(description="The observed effects it accounts for.")] = []
    chain: Annotated[list[str], Meta(description="The way from cause to symptom, by ids of causes and effects.")] = []
    consequences: Annotated[list[str], Meta(description="Causes that were seen too and follow from this one.")] = []
    fix: Annotated[list[Step], Meta(description="What to do, in order.")] = []
    verify: Annotated[list[Check], Meta(description="How to see that it worked.")] = []
    later_healthy: Annotated[bool, Meta(description="Whether the same evidence later shows it repaired.")] = False
    certainty: Annotated[
        Certainty, Meta(description="Proven, or likely: asserted too, and the commands in next would prove it.")
    ] = "proven"


class Candidate(Struct, frozen=True):
    """A cause that may hold but is too weak to assert."""

    cause: CauseId
    confidence: Sureness
    basis: Annotated[
        Literal["signs", "symptoms"], Meta(description="What speaks for it: signs of its own, or symptoms it leads to.")
    ] = "signs"


class Contrast(Struct, frozen=True):
    """A fact that separates the sick nodes from the healthy ones."""

    fact: Annotated[str, Meta(description="What was compared, as host.load1.")]
    sick: Annotated[dict[str, str], Meta(description="Its value on each sick node.")]
    healthy: Annotated[dict[str, str], Meta(description="Its value on each healthy node.")]


class Next(Struct, frozen=True):
    """A command whose output would tell open causes apart."""

    run: Annotated[str, Meta(description="A command that can be pasted.")]
    why: Annotated[str, Meta(description="What it would tell.")]
    separates: Annotated[list[str], Meta(description="The causes it would tell apart.")]


class SetAside(Struct, frozen=True):
    """A message that looks alarming and is known to be harmless."""

    artifact: Name
    line: LineNumber
    text: Text
    why: Annotated[str, Meta(description="Why it is harmless.")]
    count: Count
    over: Annotated[bool, Meta(description="Whether it was a fault once and is over, rather than harmless.")] = False


class NotSeen(Struct, frozen=True):
    """Something that would have helped and is not in the evidence, or could not be read."""

    what: Annotated[str, Meta(description="What is missing.")]
    why: Annotated[str, Meta(description="Why: not in the evidence, forbidden, timed out, damaged.")]
    help: Annotated[str | UnsetType, Meta(description="The command that would fetch it, where there is one.")] = UNSET


class Replaced(Struct, frozen=True):
    """A kind of secret or name that was replaced before anything was read further."""

    kind: Annotated[str, Meta(description="What it was, as a token or a password.")]
    artifact: Name
    line: Annotated[int, Meta(description="The first line it stood in.")]
    count: Annotated[int, Meta(description="How often.")]


class Source(Struct, frozen=True):
    """A stretch of a document and what it was recognised as."""

    artifact: Name
    kind: Annotated[str, Meta(description="The formats found in it, comma separated; note; or unrecognised.")]
    lines: Annotated[int, Meta(ge=0, description="How many lines it has.")]
    first: Annotated[int, Meta(description="The number of its first line in the document.")]
    host: Annotated[str | None, Meta(description="The machine it comes from, where that is known.")]
    unread: Annotated[int, Meta(description="How many of its lines fitted no format.")]


class Component(Struct, frozen=True):
    """A part of the cluster and how it was seen."""

    name: Annotated[str, Meta(description="The part, in the language asked for.")]
    good: Annotated[bool | None, Meta(description="Whether all of it is well; null where that was not seen.")]
    state: Annotated[str, Meta(description="How it was seen, in a few words.")] = ""
    id: Annotated[str, Meta(description="The part, the same in every language.")] = ""


class Nodes(Struct, frozen=True):
    """The nodes whose state was seen."""

    sick: Annotated[list[str], Meta(description="Seen NotReady or with a calico-node that is not well.")] = []
    healthy: Annotated[list[str], Meta(description="Never seen sick, and calico-node on them was seen ready.")] = []


class Unexplained(Struct, frozen=True):
    """A line that sounds wrong and that nothing accounts for; one for each form."""

    artifact: Name
    line: LineNumber
    text: Text
    count: Count
    level: Annotated[str, Meta(description="panic, fatal, error or warning; empty where the line has none.")] = ""
    program: Annotated[str, Meta(description="Who says it; empty where the line does not tell.")] = ""
    doing: Annotated[str, Meta(description="What that program was doing, in the language asked for.")] = ""


class Doubt(Struct, frozen=True):
    """What forbade the verdict healthy."""

    says: Annotated[str, Meta(description="What it is, in the language asked for.")]
    artifact: Annotated[str, Meta(description="The document that shows it; empty where none does.")] = ""
    line: Annotated[int, Meta(ge=0, description="The line in that document; 0 where none shows it.")] = 0


class Outside(Struct, frozen=True):
    """Something that is evidently broken and is not Calico's."""

    what: Annotated[str, Meta(description="What it is, in the language asked for.")]
    artifact: Name
    line: LineNumber


Reason = Literal["", "no-calico", "nothing-readable", "symptoms-only", "no-symptoms"]


class Cluster(Struct, frozen=True):
    """What was looked at; empty where the evidence does not tell."""

    kubernetes: Annotated[str, Meta(description="The version that most nodes have.")] = ""
    calico: Annotated[str, Meta(description="The version of calico-node.")] = ""
    installer: Annotated[str, Meta(description="Who installed Calico: operator, manifest, a distribution.")] = ""
    encapsulation: Annotated[str, Meta(description="ipip, vxlan, none or mixed.")] = ""
    data_plane: Annotated[str, Meta(description="iptables, nftables, ebpf or vpp.")] = ""
    nodes: Annotated[int, Meta(description="How many nodes the evidence shows.")] = 0
    context: Annotated[str, Meta(description="The context of the kubeconfig, where a live cluster was asked.")] = ""
    server: Annotated[str, Meta(description="The address of the API server, where one was asked.")] = ""
    taken: Annotated[str, Meta(description="When the evidence was collected, in ISO 8601.")] = ""
    first: Annotated[str, Meta(description="The first time in the logs; the year 2000 where none is written.")] = ""
    last: Annotated[str, Meta(description="The last time in the logs.")] = ""


class Document(Struct, frozen=True):
    """What `calivet diagnose -o json` prints: one diagnosis. A ranked list is `findings` followed by `candidates`."""

    schema: Annotated[Literal[1], Meta(description="The version of this contract.")]
    calivet: Annotated[str, Meta(description="The version of calivet that wrote it.")]
    verdict: Annotated[
        Verdict, Meta(description="fault: there are findings. healthy: Calico was seen at work and is well.")
    ]
    findings: Annotated[list[Finding], Meta(description="Root causes only, best first.")]
    candidates: Annotated[list[Candidate], Meta(description="Causes too weak to assert, best first.")]
    contrast: Annotated[list[Contrast], Meta(description="What sets the sick nodes apart.")] = []
    next: Annotated[list[Next], Meta(description="What to look at next, most telling first.")] = []
    set_aside: Annotated[list[SetAside], Meta(description="Messages that were recognised as harmless.")] = []
    not_seen: Annotated[list[NotSeen], Meta(description="What was not seen or could not be read.")] = []
    replaced: Annotated[list[Replaced], Meta(description="What redaction took out.")] = []
    sources: Annotated[list[Source], Meta(description="All that was read.")] = []
    components: Annotated[list[Component], Meta(description="The parts of the cluster, one line each.")] = []
    nodes: Annotated[Nodes, Meta(description="The nodes whose state was seen.")] = field(default_factory=Nodes)
    reason: Annotated[Reason, Meta(description="Why there is no finding; empty where there is one.")] = ""
    unexplained: Annotated[list[Unexplained], Meta(description="The most telling lines that nothing explains.")] = []
    doubts: Annotated[
        list[Doubt],
        Meta(description="What forbade the verdict healthy, where nothing was found; else what no finding explains."),
    ] = []
    outside: Annotated[list[Outside], Meta(description="What is broken elsewhere; never a finding.")] = []
    cluster: Annotated[Cluster, Meta(description="What was looked at.")] = field(default_factory=Cluster)
