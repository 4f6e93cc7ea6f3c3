"""The embedded incidents are diagnosed rightly, and stay so however their evidence is dressed."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from calivet.evaluation import load_cases, score
from tests.incidents.conftest import texts
from tests.incidents.transform import ALL

CASES = load_cases(Path(str(files("calivet") / "demos")))


def verdict(diagnosis):
    return diagnosis.verdict, [finding.cause.id for finding in diagnosis.findings]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_labelled_cause_is_found(case, answer):
    result = score(case, answer(texts(case.folder)))
    assert result.right
    assert not result.herring
    assert not result.false_alarm
    assert result.nodes_right


@pytest.mark.parametrize("change", ALL)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_answer_survives(case, change, answer):
    evidence = texts(case.folder)
    assert verdict(answer(ALL[change](evidence))) == verdict(answer(evidence))
