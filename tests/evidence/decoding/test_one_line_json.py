"""JSON on one long line gets a line for every value; nothing else is touched."""

from __future__ import annotations

import json

import pytest

from calivet.evidence.decoding.decode import to_document, unfold_json
from calivet.evidence.sources.budget import ReadingBudget

PODS = {
    "kind": "PodList",
    "items": [{"metadata": {"name": f"stall-{number}", "labels": {}}, "spec": {"x": []}} for number in range(60)],
}


def test_every_value_has_its_line() -> None:
    text = json.dumps(PODS)
    assert unfold_json([text, ""]) == json.dumps(PODS, indent=2).split("\n")


@pytest.mark.parametrize(
    "lines",
    [
        ['{"kind": "Pod", "metadata": {"name": "a"}}'],
        [json.dumps(PODS), json.dumps(PODS)],
        [json.dumps(PODS)[:-40]],
        ["x" * 5000],
        [json.dumps({"log": "word " * 900, "stream": "stdout", "time": "2025-03-11T10:00:00Z"})],
        ["[" * 5000],
        [],
    ],
)
def test_short_broken_and_other_texts_stay(lines: list[str]) -> None:
    assert unfold_json(lines) == lines


def test_no_line_is_too_long_then() -> None:
    budget = ReadingBudget()
    huge = json.dumps({"items": [PODS] * 300}).encode()
    document = to_document("all.json", huge, budget)
    assert document
    assert '"name": "stall-59",' in map(str.strip, document.lines)
    assert budget.unreadable == []
