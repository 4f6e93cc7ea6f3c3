"""The JSON that scripts rely on: a diagnosis in the types of the contract."""

from __future__ import annotations

from typing import cast

from msgspec import UNSET

from calivet import __version__
from calivet.evidence.artifact import Replaced, Unreadable
from calivet.evidence.names import printable
from calivet.reasoning import diagnosis as known
from calivet.reports import contract
from calivet.reports.plain_json import plain_json
from calivet.reports.reasons import reason


def to_json(diagnosis: known.Diagnosis, language: str) -> str:
    """One JSON document."""
    return plain_json(document(diagnosis, language)) + "\n"


def document(diagnosis: known.Diagnosis, language: str) -> contract.Document:
    """What is said, in the types of the contract."""
    return contract.Document(
        schema=contract.VERSION,
        calivet=__version__,
        verdict=cast("contract.Verdict", diagnosis.verdict),
        findings=[_finding(finding, language) for finding in diagnosis.findings],
        candidates=[contract.Candidate(one.cause.id, round(one.confidence, 3)) for one in diagnosis.candidates],
        contrast=[contract.Contrast(item.fact, item.sick, item.healthy) for item in diagnosis.contrast],
        next=[contract.Next(item.run, item.why.read(language), item.separates) for item in diagnosis.next],
        set_aside=[_set_aside(item, language) for item in diagnosis.set_aside],
        not_seen=[
            *(contract.NotSeen(item.what.read(language), item.why.read(language)) for item in diagnosis.not_seen),
            *(_unreadable(item, language) for item in diagnosis.unreadable),
        ],
        replaced=[_replaced(item) for item in diagnosis.replaced],
        sources=[_source(item) for item in diagnosis.sources],
        components=[_component(part, language) for part in diagnosis.components],
        nodes=contract.Nodes(diagnosis.sick_nodes, diagnosis.healthy_nodes),
    )


def _finding(finding: known.Finding, language: str) -> contract.Finding:
    return contract.Finding(
        cause=finding.cause.id,
        confidence=round(finding.confidence, 3),
        nodes=finding.nodes,
        title=finding.cause.title.read(language),
        summary=finding.summary.read(language),
        evidence=[_evidence(item, language) for item in finding.evidence],
        explains=[_explained(item) for item in finding.explains],
        chain=finding.chain,
        consequences=finding.consequences,
        fix=[
            contract.Step(step.run, step.why.read(language), step.where, step.risk, step.undo) for step in finding.fix
        ],
        verify=[contract.Check(check.run, check.expect.read(language)) for check in finding.verify],
        later_healthy=finding.later_healthy,
    )


def _evidence(item: known.Evidence, language: str) -> contract.Evidence:
    return contract.Evidence(
        artifact=printable(item.line.artifact),
        line=item.line.number,
        text=item.line.text,
        says=item.says.read(language),
        strength=cast("contract.Strength", item.strength),
        count=item.count,
        note=item.note,
    )


def _explained(item: known.Explained) -> contract.Explained:
    return contract.Explained(item.effect, item.subject, printable(item.line.artifact), item.line.number)


def _set_aside(item: known.SetAside, language: str) -> contract.SetAside:
    line = item.line
    return contract.SetAside(printable(line.artifact), line.number, line.text, item.why.read(language), item.count)


def _unreadable(item: Unreadable, language: str) -> contract.NotSeen:
    return contract.NotSeen(printable(item.what), reason(item.why, language), item.help or UNSET)


def _replaced(item: Replaced) -> contract.Replaced:
    return contract.Replaced(item.kind, printable(item.artifact), item.line, item.count)


def _source(source: known.Source) -> contract.Source:
    name = printable(source.artifact)
    return contract.Source(name, source.kind, source.lines, source.first, source.host, source.unread)


def _component(part: known.Component, language: str) -> contract.Component:
    return contract.Component(part.name.read(language), part.good, part.state.read(language), part.name.en)
