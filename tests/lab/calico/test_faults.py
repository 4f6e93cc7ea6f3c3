"""The table of faults, and how an answer is judged: checked without a lab."""

from __future__ import annotations

import pytest

from calivet.engines.engine import load_knowledge
from tests.lab.calico.cluster import ENVIRONMENTS, NODES
from tests.lab.calico.faults import FAULTS, HEALTHY, Fault
from tests.lab.calico.results import judge
from tests.lab.calico.steps import KINDS

FAULT = Fault("one", "bird-not-running", also=("confd-failed",))


def test_every_cause_of_the_table_is_in_the_catalogue():
    known = {*load_knowledge(())[0].causes, HEALTHY}
    assert not {cause for fault in FAULTS for cause in (fault.cause, *fault.also)} - known


def test_every_row_can_be_done():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert {fault.kind for fault in FAULTS} <= set(ENVIRONMENTS)
    assert {fault.node for fault in FAULTS} <= set(NODES)
    assert {next(iter(step)) for fault in FAULTS for step in (*fault.before, *fault.steps)} <= set(KINDS)


def test_no_step_was_cut_in_two():
    known = {*KINDS, "run", "daemonset", "name", "annotations", "port"}
    assert not {key for fault in FAULTS for step in (*fault.before, *fault.steps) for key in step} - known


def test_a_row_may_hold_for_some_releases_only():
    fault = Fault("old", "sysctl-rp-filter", since="3.9", until="3.30")
    assert fault.fits("v3.28.5")
    assert fault.fits("v3.30.7")
    assert not fault.fits("v3.31.0")
    assert not fault.fits("v3.8.9")


def found(verdict: str, findings: str = "", candidates: str = "") -> dict[str, object]:
    return {
        "verdict": verdict,
        "findings": [{"cause": cause, "confidence": 0.9} for cause in findings.split()],
        "candidates": [{"cause": cause, "confidence": 0.3} for cause in candidates.split()],
    }


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (found("fault", "bird-not-running"), "right 0.90"),
        (found("fault", "confd-failed"), "right 0.90"),
        (found("fault", "bird-not-running disk-full"), "right 0.90 beside WRONG: disk-full"),
        (found("fault", "disk-full"), "WRONG: disk-full 0.90"),
        (found("insufficient", "", "bird-not-running disk-full"), "first 0.30"),
        (found("insufficient", "", "disk-full bird-not-running"), "MISSED: disk-full 0.30, bird-not-running 0.30"),
        (found("healthy"), "FALSELY HEALTHY"),
    ],
)
def test_an_answer_to_a_fault(answer, word):
    assert judge(FAULT, answer) == word


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (found("healthy", "", "disk-full"), "right"),
        (found("insufficient", "", "disk-full"), "left open: disk-full 0.30"),
        (found("fault", "disk-full"), "FALSE ALARM: disk-full 0.90"),
    ],
)
def test_an_answer_to_a_healthy_cluster(answer, word):
    assert judge(Fault("well", HEALTHY), answer) == word
