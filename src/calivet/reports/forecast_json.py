"""A forecast as JSON. Fields may be added, never changed in meaning."""

from __future__ import annotations

from typing import Any

from calivet import __version__
from calivet.forecast.changes import value_of
from calivet.forecast.outcome import FamilyOutcome, NodeOutcome, Outcome
from calivet.forecast.releases import NOT_SEEN, Release
from calivet.reports import forecast_words as words
from calivet.reports.forecast_parts import missing_command
from calivet.reports.plain_json import plain_json

SCHEMA = 1


def forecast_json(outcome: Outcome, language: str) -> str:
    """One JSON document; the codes are the same in every language, `says` is for people."""
    tree = {
        "schema": SCHEMA,
        "calivet": __version__,
        "verdict": outcome.verdict,
        "changes": [
            {"key": change.key, "value": change.value, "now": value_of(outcome.before, change.key)}
            for change in outcome.changes
        ],
        "calico": {"least": _release(outcome.running.least), "most": _release(outcome.running.most)},
        "families": [_family(family, language) for family in outcome.families],
        "pools": [
            {"before": pool.before, "after": pool.after, "near": pool.near, "far": pool.far, "wrapped": pool.wrapped}
            | {"troubles": pool.troubles, "too_large": pool.too_large}
            for pool in outcome.pools
        ],
        "starts": outcome.starts,
        "missing": [
            {"what": piece.what, "node": piece.node, "detail": piece.detail, "run": missing_command(piece, outcome)}
            | {"says": words.MISSING[piece.what][0].fill({"detail": piece.detail}).read(language)}
            for piece in outcome.missing
        ],
    }
    return plain_json(tree)


def _release(release: Release) -> str | None:
    """Null for an end that is not known; without a patch number where any may be meant."""
    if release in (NOT_SEEN.least, NOT_SEEN.most):
        return None
    return ".".join(map(str, release[:2] if release[2] == NOT_SEEN.most[2] else release))


def _family(family: FamilyOutcome, language: str) -> dict[str, Any]:
    return {
        "family": family.family,
        "nodes": [_node(node, language) for node in family.nodes],
        "sessions": [
            {"before": before, "after": after, "count": count} for (before, after), count in family.counts.items()
        ],
        "moved": family.moved,
        "routers": family.routers,
    }


def _node(node: NodeOutcome, language: str) -> dict[str, Any]:
    detection = node.after.detection
    return {
        "name": node.name,
        "internal": node.internal,
        "before": node.before.address,
        "after": node.after.address,
        "interface": node.after.interface,
        "how": node.after.how,
        "why": detection.why if detection else None,
        "detail": detection.detail if detection else "",
        "considered": detection.considered if detection else (),
        "troubles": [
            {
                "kind": one.kind,
                "detail": one.detail,
                "says": words.TROUBLE[one.kind].fill({"detail": one.detail}).read(language),
            }
            for one in node.troubles
        ],
    }
