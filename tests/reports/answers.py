"""Answers to write down: the embedded incidents, and a made-up one whose evidence may be hostile."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from calivet.catalogue.model import Harmless, Trace
from calivet.evidence.artifact import Document, Haul, Unreadable
from calivet.evidence.decoding import decode
from calivet.evidence.gather import gather, gather_documents
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.signs.ready import ready
from tests.reasoning.made_up import catalogue, cause, check, diagnosed, effect, question, sign, step, watch_of, words

DEMOS = Path(str(files("calivet.demos")))
INCIDENTS = sorted(path.parent.name for path in DEMOS.glob("*/expect.yaml"))
LANGUAGES = ("en", "zh")

KNOWN = catalogue(
    cause(
        "fault",
        sign("gone", "proof", "{name} is gone", pattern=r"frobnicator <(?P<name>.*)> is gone"),
        sign("odd", "weak", pattern="smells odd"),
        against=[sign("well", "weak", pattern="seems well")],
        leads_to=["dark"],
        ask=["look"],
        fix=[step("frob --restart", undo="frob --stop"), step("frob \\\n  --harder", where="manual", risk="dangerous")],
        verify=[check("frob --status")],
    ),
    cause("other", sign("faint", "strong", pattern="faint light"), ask=["look"]),
    effect("dark", "cold"),
    effect("cold"),
    question("look", "frob --look", command="frob --look"),
    Harmless(id="noise", why=words("never mind"), trace=Trace(pattern="rattling")),
)


@cache
def demo(name: str) -> Diagnosis:
    """The answer to an embedded incident, by the shipped catalogue."""
    return diagnose(gather([str(DEMOS / name / "evidence")]), *ready())


def made_up(value: str = "main", file: str = "session.txt", unreadable: str = "core.dump") -> Diagnosis:
    """An answer with every part filled; the value stands in the evidence, in a sentence and in a quote."""
    lines = (f"frobnicator <{value}> is gone", "smells odd", "seems well", "dark", "cold", f"rattling {value}")
    text = "[root@birch-1 ~]# dmesg\n" + "".join(f"kernel: {line}\n" for line in lines)
    haul = gather_documents([Document(file, decode(text.encode()))])
    haul.unreadable = [Unreadable(unreadable, "is binary")]
    return diagnose(haul, KNOWN, watch_of(KNOWN))


def undecided() -> Diagnosis:
    """An answer that names no cause."""
    return diagnosed(KNOWN, "[root@birch-1 ~]# dmesg\nkernel: a faint light\n")


def nothing() -> Diagnosis:
    """The answer to no evidence at all."""
    return diagnose(Haul(), KNOWN, watch_of(KNOWN))


def commands(answer: Diagnosis) -> set[str]:
    """Every line that is there to be pasted, and so is never wrapped."""
    runs = [item.run for item in answer.next]
    for finding in answer.findings:
        runs += [text for one in finding.fix for text in (one.run, one.undo) if text]
        runs += [one.run for one in finding.verify]
    return {line.strip() for run in runs for line in run.splitlines()}
