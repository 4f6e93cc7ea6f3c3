"""The founding notes, where the shared corpus lies beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from calivet.evaluation import load_cases, score
from tests.incidents.conftest import texts
from tests.incidents.transform import ALL

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
SEEDS = [case for case in load_cases(CORPUS) if case.name.startswith("seed")] if CORPUS.is_dir() else []

pytestmark = pytest.mark.skipif(not SEEDS, reason="the shared corpus is not beside the project")
# In these the decisive word stands in the author's prose alone; without it calivet may only narrow things down.
TOLD_ONLY = {"node-overload", "cgroup-driver-mismatch"}


def ranked(diagnosis):
    return [item.cause.id for item in (*diagnosis.findings, *diagnosis.candidates)]


@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case.name)
def test_the_labelled_cause_is_found(case, answer):
    diagnosis = answer(texts(case.folder))
    result = score(case, diagnosis)
    assert result.right
    assert not result.herring
    if case.expect.sufficient:
        assert diagnosis.verdict == "fault"
        assert diagnosis.findings[0].cause.id == case.expect.cause
        assert set(case.expect.nodes) & {node for finding in diagnosis.findings for node in finding.nodes}


def test_the_note_that_breaks_off_asks_for_the_log_of_upgrade_ipam(answer):
    case = next(case for case in SEEDS if not case.expect.sufficient)
    diagnosis = answer(texts(case.folder))
    assert diagnosis.verdict == "insufficient"
    assert "-c upgrade-ipam" in diagnosis.next[0].run
    assert "<" not in diagnosis.next[0].run


def test_three_faults_at_once_are_three_findings(answer):
    case = next(case for case in SEEDS if case.expect.all)
    diagnosis = answer(texts(case.folder))
    assert {finding.cause.id for finding in diagnosis.findings} == set(case.expect.all)
    nodes = {node for finding in diagnosis.findings for node in finding.nodes}
    assert set(case.expect.nodes) <= nodes


def test_the_missing_sctp_module_is_set_aside(answer):
    case = next(case for case in SEEDS if case.expect.cause == "cgroup-driver-mismatch")
    aside = [item.line.text for item in answer(texts(case.folder)).set_aside]
    assert any("nf_conntrack_proto_sctp" in text for text in aside)


@pytest.mark.parametrize("change", ALL)
@pytest.mark.parametrize("case", SEEDS, ids=lambda case: case.name)
def test_the_answer_survives(case, change, answer):
    diagnosis = answer(ALL[change](texts(case.folder)))
    assert not set(ranked(diagnosis)[:1]) & set(case.expect.herrings)
    if change.startswith("prose") and case.expect.cause in TOLD_ONLY:
        assert {finding.cause.id for finding in diagnosis.findings} <= case.expect.accepted
        return
    assert ranked(diagnosis)[0] in ({case.expect.cause} if case.expect.sufficient else case.expect.accepted)
    assert set(case.expect.all) <= {finding.cause.id for finding in diagnosis.findings}
    assert (diagnosis.verdict == "fault") == case.expect.sufficient
