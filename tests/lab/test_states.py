"""Every state of the lab is diagnosed from the probe's streams: the cause is named, on its node, and the healthy lab is healthy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.lab.states import STATES, State
from tests.lab.survey import Survey, diagnosed, survey

# Most of the time a state only waits for BIRD's timers, so several come about at once.
AT_ONCE = 3
HEALTHY = next(state for state in STATES if not state.cause)


@pytest.fixture(scope="module")
def surveyed(request: pytest.FixtureRequest, permitted: None) -> Iterator[Callable[[State], Survey]]:
    """Gives the survey of a state; those that the session asks for are begun together."""
    asked = [item.callspec.params.get("state") for item in request.session.items if hasattr(item, "callspec")]
    wanted = [state for state in STATES if state in asked or state is HEALTHY]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        coming = {state.name: pool.submit(survey, state) for state in wanted}
        yield lambda state: coming[state.name].result()


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_the_cause_is_named(state, surveyed):
    diagnosis = diagnosed(surveyed(state).files)
    assert [finding.cause.id for finding in diagnosis.findings] == ([state.cause] if state.cause else [])
    assert all(state.at in finding.nodes for finding in diagnosis.findings)
    assert not [str(item.why) for item in diagnosis.unreadable if "has a bug" in str(item.why)]


def test_the_healthy_lab_is_healthy(surveyed):
    assert diagnosed(surveyed(HEALTHY).files).verdict == "healthy"


def test_looking_at_a_node_leaves_its_sessions_alone(surveyed):
    """BIRD takes another connection to its port for a peer that restarted, and would drop the session that is up."""
    assert surveyed(HEALTHY).disturbed == ()


def test_the_streams_are_whole(surveyed):
    streams = [text for name, text in surveyed(HEALTHY).files.items() if name.startswith("probes/")]
    assert len(streams) == 3
    assert all("\n# calivet-probe end " in stream for stream in streams)
