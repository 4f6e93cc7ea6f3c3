"""Each scenario is put into a real API server and diagnosed through it."""

from __future__ import annotations

import pytest

from tests.e2e.asking import diagnose
from tests.e2e.scenarios.all import SCENARIOS
from tests.e2e.scenarios.scenario import Scenario

EXIT = {"healthy": 0, "fault": 1, "insufficient": 2}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_the_cause_is_named(bed, filler, scenario: Scenario):
    filler.fill(scenario.build())
    answer = diagnose(bed.kubeconfig())
    assert answer.code == EXIT[answer.verdict]
    assert not set(scenario.never) & set(answer.ranked())
    if scenario.undecided:
        assert (answer.verdict, answer.causes()) == ("insufficient", [])
        return
    if scenario.cause is None:
        assert (answer.verdict, answer.causes()) == ("healthy", [])
        return
    fair = {scenario.cause, *scenario.also}
    if not scenario.sufficient:
        assert fair & set(answer.ranked()[:3])
        assert answer.next
        return
    assert answer.verdict == "fault"
    assert answer.causes()[0] in fair
    assert set(scenario.together) <= set(answer.causes())
    if scenario.nodes:
        assert sorted(answer.findings[0].nodes) == sorted(scenario.nodes)


def test_every_name_is_taken_once():
    names = [scenario.name for scenario in SCENARIOS]
    assert len(names) == len(set(names))
