"""The answer as SARIF 2.1.0, for viewers and code scanning: a result for each cause, with its places in evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from calivet import __version__
from calivet.catalogue.model import Cause
from calivet.evidence.artifact import Line, Unreadable
from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Candidate, Diagnosis, Evidence, Finding
from calivet.reports.plain_json import plain_json
from calivet.reports.punctuation import remarked, told
from calivet.reports.reasons import reason
from calivet.reports.sarif_message import finding_message, open_message, sentence
from calivet.reports.sarif_rule import rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
MOST_PLACES = 100
"""Readers show no more of them."""
LONGEST_SNIPPET = 1_000


def to_sarif(diagnosis: Diagnosis, language: str) -> str:
    """One log with one run."""
    causes = {finding.cause.id: finding.cause for finding in diagnosis.findings}
    causes |= {candidate.cause.id: candidate.cause for candidate in diagnosis.candidates}
    places = {name: index for index, name in enumerate(causes)}
    log = {"$schema": SCHEMA, "version": VERSION, "runs": [_run(diagnosis, causes.values(), places, language)]}
    return plain_json(log) + "\n"


def _run(diagnosis: Diagnosis, causes: Iterable[Cause], places: dict[str, int], language: str) -> dict[str, Any]:
    results = [
        *(_finding(finding, diagnosis, language) for finding in diagnosis.findings),
        *(_candidate(candidate, language) for candidate in diagnosis.candidates),
    ]
    driver = {
        "name": "calivet",
        "version": __version__,
        "semanticVersion": __version__,
        "language": "zh-CN" if language == "zh" else "en",
        "rules": [rule(cause, diagnosis.titles, language) for cause in causes],
    }
    notices = [_notice(item, language) for item in diagnosis.unreadable]
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notices}],
        "results": [result | {"ruleIndex": places[result["ruleId"]]} for result in results],
        "properties": {"verdict": diagnosis.verdict},
    }


def _finding(finding: Finding, diagnosis: Diagnosis, language: str) -> dict[str, Any]:
    related = [*_claims(finding.evidence[1:], language), *_effects(finding, language)]
    return {
        "ruleId": finding.cause.id,
        "kind": "fail",
        "level": "note" if finding.later_healthy else "error",
        "message": finding_message(finding, diagnosis.titles, language),
        "locations": _claims(finding.evidence[:1], language),
        "relatedLocations": [{"id": number, **place} for number, place in enumerate(related[:MOST_PLACES], 1)],
        "partialFingerprints": {"causeAndNodes/v1": _fingerprint(finding.cause.id, finding.nodes)},
        "rank": round(finding.confidence * 100, 1),
        "properties": {"confidence": round(finding.confidence, 3), "nodes": finding.nodes, "chain": finding.chain},
    }


def _candidate(candidate: Candidate, language: str) -> dict[str, Any]:
    """Kind `open`: what was seen does not suffice to decide."""
    return {
        "ruleId": candidate.cause.id,
        "kind": "open",
        "level": "none",
        "message": open_message(candidate, language),
        "locations": _claims(candidate.evidence[:1], language),
        "partialFingerprints": {"causeAndNodes/v1": _fingerprint(candidate.cause.id, [])},
        "rank": round(candidate.confidence * 100, 1),
        "properties": {"confidence": round(candidate.confidence, 3)},
    }


def _claims(evidence: Iterable[Evidence], language: str) -> list[dict[str, Any]]:
    return [_place(item.line, item.says.read(language)) for item in evidence]


def _effects(finding: Finding, language: str) -> Iterator[dict[str, Any]]:
    for item in finding.explains:
        effect = remarked(item.title.read(language), [item.subject] if item.subject else [], language)
        yield _place(item.line, f"→ {effect}")


def _place(line: Line, says: str) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _address(line.artifact)},
            "region": {"startLine": line.number, "snippet": {"text": line.text[:LONGEST_SNIPPET]}},
        },
        "message": {"text": sentence(says)},
    }


def _address(name: str) -> str:
    """A relative reference: whatever a document is called, no letter of its name means anything in it."""
    from urllib.parse import quote

    return quote(printable(name).lstrip("/"), safe="/")


def _fingerprint(cause: str, nodes: Iterable[str]) -> str:
    """The same as long as the same cause is found on the same nodes, whatever the evidence looks like."""
    from hashlib import sha256

    return sha256("\n".join((cause, *sorted(nodes))).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _notice(item: Unreadable, language: str) -> dict[str, Any]:
    text = told(printable(item.what), reason(item.why, language), language)
    return {"level": "warning", "message": {"text": sentence(text)}}
