"""What calivet answers to each fault, beside what it should."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.lab.calico.faults import FAULTS, HEALTHY, Fault
from tests.lab.calico.looking import WAYS, answer

RESULTS = "results.json"


def judge(fault: Fault, found: dict[str, Any]) -> str:
    """right, first (the right one first, but not asserted), MISSED, WRONG, FALSELY HEALTHY, FALSE ALARM, left open."""
    fair = {fault.cause, *fault.also}
    findings = [(item["cause"], item["confidence"]) for item in found.get("findings", ())]
    candidates = [(item["cause"], item["confidence"]) for item in found.get("candidates", ())]
    shown = ", ".join(f"{cause} {confidence:.2f}" for cause, confidence in (findings + candidates)[:3])
    if fault.cause == HEALTHY:
        word = "right" if found["verdict"] == HEALTHY else "FALSE ALARM" if findings else "left open"
        return word if word == "right" else f"{word}: {shown}"
    if found["verdict"] == HEALTHY:
        return "FALSELY HEALTHY"
    strange = [cause for cause, _ in findings if cause not in fair]
    if findings and findings[0][0] in fair:
        return f"right {findings[0][1]:.2f}" + (f" beside WRONG: {', '.join(strange)}" if strange else "")
    if findings:
        return f"WRONG: {shown}"
    if candidates and candidates[0][0] in fair:
        return f"first {candidates[0][1]:.2f}"
    return f"MISSED: {shown}"


def judge_all(to: Path, names: Iterable[str] = (), releases: Iterable[str] = ()) -> list[dict[str, str]]:
    """A row for every fault that was tried, in the order of the table; also written to results.json."""
    rows = []
    for folder in sorted(path for path in to.glob("v*") if path.is_dir()):
        for fault in FAULTS:
            seen = folder / fault.name
            wanted = (not names or fault.name in names) and (not releases or folder.name in releases)
            if (
                not wanted
                or not (seen / "probes" / f"{fault.node}.txt").exists()
                or not (seen / "collect.log").exists()
            ):
                continue
            answers = answer(fault, seen)
            (seen / "answers.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False), "utf-8")
            row = {"fault": fault.name, "cause": fault.cause, "release": folder.name}
            rows.append(row | {way: judge(fault, answers[way]) for way in WAYS})
    if not names:
        (to / RESULTS).write_text(json.dumps(rows, indent=1), "utf-8")
    return rows
