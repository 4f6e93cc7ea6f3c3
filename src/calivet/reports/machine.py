"""The JSON that scripts rely on. Fields may be added, never changed in meaning."""

from __future__ import annotations

from typing import Any

import msgspec

from calivet import __version__
from calivet.evidence.artifact import Line, Unreadable
from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Diagnosis, Evidence, Finding
from calivet.reports.reasons import reason

SCHEMA = 1


def to_json(diagnosis: Diagnosis, language: str) -> str:
    """One JSON document."""
    return msgspec.json.format(msgspec.json.encode(as_tree(diagnosis, language)), indent=2).decode()


def as_tree(diagnosis: Diagnosis, language: str) -> dict[str, Any]:
    """The document as plain values."""
    return {
        "schema": SCHEMA,
        "calivet": __version__,
        "verdict": diagnosis.verdict,
        "findings": [_finding(finding, language) for finding in diagnosis.findings],
        "candidates": [
            {"cause": candidate.cause.id, "confidence": round(candidate.confidence, 3)}
            for candidate in diagnosis.candidates
        ],
        "contrast": [{"fact": item.fact, "sick": item.sick, "healthy": item.healthy} for item in diagnosis.contrast],
        "next": [
            {"run": item.run, "why": item.why.read(language), "separates": item.separates} for item in diagnosis.next
        ],
        "set_aside": [
            {**_place(item.line), "text": item.line.text, "why": item.why.read(language), "count": item.count}
            for item in diagnosis.set_aside
        ],
        "not_seen": [
            *({"what": item.what.read(language), "why": item.why.read(language)} for item in diagnosis.not_seen),
            *(_unreadable(item, language) for item in diagnosis.unreadable),
        ],
        "replaced": [
            {"kind": item.kind, "artifact": printable(item.artifact), "line": item.line, "count": item.count}
            for item in diagnosis.replaced
        ],
        "sources": [
            {
                "artifact": printable(source.artifact),
                "kind": source.kind,
                "lines": source.lines,
                "first": source.first,
                "host": source.host,
                "unread": source.unread,
            }
            for source in diagnosis.sources
        ],
        "components": [
            {"name": part.name.read(language), "good": part.good, "state": part.state.read(language)}
            for part in diagnosis.components
        ],
    }


def _unreadable(item: Unreadable, language: str) -> dict[str, str]:
    told = {"what": item.what, "why": reason(item.why, language)}
    return {**told, "help": item.help} if item.help else told


def _finding(finding: Finding, language: str) -> dict[str, Any]:
    return {
        "cause": finding.cause.id,
        "confidence": round(finding.confidence, 3),
        "nodes": finding.nodes,
        "title": finding.cause.title.read(language),
        "summary": finding.summary.read(language),
        "evidence": [_evidence(item, language) for item in finding.evidence],
        "explains": [
            {"effect": item.effect, "subject": item.subject, **_place(item.line)} for item in finding.explains
        ],
        "chain": finding.chain,
        "consequences": finding.consequences,
        "fix": [
            {
                "run": step.run,
                "why": step.why.read(language),
                "where": step.where,
                "risk": step.risk,
                "undo": step.undo,
            }
            for step in finding.fix
        ],
        "verify": [{"run": check.run, "expect": check.expect.read(language)} for check in finding.verify],
        "later_healthy": finding.later_healthy,
    }


def _evidence(item: Evidence, language: str) -> dict[str, Any]:
    return {
        **_place(item.line),
        "text": item.line.text,
        "says": item.says.read(language),
        "strength": item.strength,
        "count": item.count,
        "note": item.note,
    }


def _place(line: Line) -> dict[str, Any]:
    return {"artifact": printable(line.artifact), "line": line.number}
