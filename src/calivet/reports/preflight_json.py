"""What a preflight found, as the JSON that scripts rely on. Fields may be added, never changed in meaning."""

from __future__ import annotations

from typing import Any

from calivet import __version__
from calivet.evidence.names import printable
from calivet.preflight.examine import Answer, Preflight
from calivet.reports.plain_json import plain_json
from calivet.reports.reasons import reason

SCHEMA = 1


def preflight_json(found: Preflight, language: str) -> str:
    """One JSON document."""
    tree = {
        "schema": SCHEMA,
        "calivet": __version__,
        "nodes": [
            {"node": node.host, "checks": [_check(answer, language) for answer in node.answers]} for node in found.nodes
        ],
        "not_seen": [{"what": item.what, "why": reason(item.why, language)} for item in found.unreadable],
    }
    return plain_json(tree)


def _check(answer: Answer, language: str) -> dict[str, Any]:
    line = answer.line
    shown = {"artifact": printable(line.artifact), "line": line.number, "text": line.text} if line else {}
    return {
        "id": answer.id,
        "title": answer.title.read(language),
        "outcome": answer.outcome,
        "says": answer.says.read(language) if answer.says else "",
        "cause": answer.cause.id,
        **shown,
        "fix": [
            {"run": step.run, "why": step.why.read(language), "where": step.where, "risk": step.risk}
            for step in answer.fix
        ],
    }
