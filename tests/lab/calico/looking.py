"""calivet's answers to what was seen of a fault: live, from its node alone, and from everything together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from calivet.contract.documents import build_document
from calivet.engines.engine import load_knowledge
from calivet.evidence.gather import gather
from calivet.pipeline import diagnose
from calivet.redaction.redactor import Redactor
from tests.lab.calico.faults import Fault

WAYS = ("live", "node", "folder")
"""`live` is what `collect` brings from the API server: a diagnosis of a live cluster reads the same documents."""


def answer(fault: Fault, folder: Path) -> dict[str, dict[str, Any]]:
    """By the way of looking."""
    probes, bundle, itself = folder / "probes", folder / "bundle.tar.gz", folder / "live-itself.json"
    collected = [str(bundle)] if bundle.exists() else []
    found = {
        "live": _diagnose(collected) if collected else {"verdict": "no bundle"},
        "node": _diagnose([str(probes / f"{fault.node}.txt")]),
        "folder": _diagnose([*collected, str(probes)]),
    }
    if itself.exists():
        found["live"] = json.loads(itself.read_text("utf-8"))
    return found


def _diagnose(paths: list[str]) -> dict[str, Any]:
    import msgspec

    catalogue, watch = load_knowledge(())
    evidence = gather(paths, matcher=watch.output, redactor=Redactor())
    document = build_document(diagnose(evidence, catalogue, watch), "en")
    read: dict[str, Any] = msgspec.to_builtins(document)
    return read
