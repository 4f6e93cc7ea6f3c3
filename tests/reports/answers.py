"""Answers to write down: the embedded incidents, and a made-up one whose evidence may be hostile."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from calivet.catalogue.model import Harmless, Trace
from calivet.evidence.artifact import Document, Evidence, Unreadable
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather, gather_documents
from calivet.messages.message import make_verbatim
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.diagnosis.first_screen import is_open
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import nodes, pods
from tests.reasoning.made_up import catalogue, cause, check, diagnosed, effect, question, sign, step, watch_of, words

DEMOS = Path(str(files("calivet") / "demos"))
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
    cause("other", sign("faint", "fair", pattern="faint light"), ask=["look"]),
    effect("dark", "cold"),
    effect("cold"),
    question("look", "frob --look", command="frob --look"),
    Harmless(id="noise", why=words("never mind"), trace=Trace(pattern="rattling")),
)


@cache
def demo(name: str) -> Diagnosis:
    """The answer to an embedded incident, by the shipped catalogue."""
    return diagnose(gather([str(DEMOS / name / "evidence")]), *prepare_detector())


def made_up(value: str = "main", file: str = "session.txt", unreadable: str = "core.dump") -> Diagnosis:
    """An answer with every part filled; the value stands in the evidence, in a sentence and in a quote."""
    lines = (f"frobnicator <{value}> is gone", "smells odd", "seems well", "dark", "cold", f"rattling {value}")
    text = "[root@birch-1 ~]# dmesg\n" + "".join(f"kernel: {line}\n" for line in lines)
    evidence = gather_documents([Document(file, decode(text.encode()))])
    evidence.unreadable = [Unreadable(unreadable, make_verbatim("is binary"))]
    return diagnose(evidence, KNOWN, watch_of(KNOWN))


def doubtful(value: str = "shop-0") -> Diagnosis:
    """An answer without a cause or a candidate: why it is not "healthy", and what is broken elsewhere."""
    text = pods(
        "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1",
        f"{value} 0/1 ImagePullBackOff 0 9d 10.244.0.9 birch-1",
        "kube-proxy-9hxkt 0/1 Error 7 9d 10.71.0.11 birch-1",
    )
    return diagnosed(KNOWN, nodes("birch-1 Ready 10.71.0.11") + text)


def undecided() -> Diagnosis:
    """An answer that names no cause."""
    return diagnosed(KNOWN, "[root@birch-1 ~]# dmesg\nkernel: a faint light\n")


def nothing() -> Diagnosis:
    """The answer to no evidence at all."""
    return diagnose(Evidence(), KNOWN, watch_of(KNOWN))


def commands(answer: Diagnosis, *, shown: bool = False) -> set[str]:
    """Every line that is there to be pasted, and so is never wrapped; or of them those that every report shows."""
    runs = [str(item.run) for item in answer.next if not shown or is_open(answer)]
    for finding in answer.findings:
        runs += [text for one in finding.fix for text in (one.run, one.undo, one.save) if text]
        runs += [one.precheck.run for one in finding.fix if one.precheck]
        runs += [one.run for one in finding.verify]
    return {line.strip() for run in runs for line in run.splitlines()}
