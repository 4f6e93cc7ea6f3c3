"""Machines that are gone: named as such, whatever the API server says of its attempts, and all for the price of one."""

from __future__ import annotations

import time

import pytest

from tests.e2e.asking import diagnose
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago

DEADLINE = 4.0


@pytest.mark.parametrize("reach", ["silent", "no route"])
def test_a_node_that_two_ways_cannot_reach_is_unreachable(bed, filler, reach):
    """Its kubelet has stopped posting, and the API server cannot reach it either."""
    cluster = healthy()
    cluster.nodes["worker-2"].stop_posting(since=ago(minutes=12))
    cluster.nodes["worker-2"].kubelet.reach = reach
    filler.fill(cluster)
    answer = diagnose(bed.kubeconfig(), "--request-timeout", f"{DEADLINE:.0f}s")
    assert answer.causes() == ["node-unreachable"]
    assert answer.findings[0].nodes == ["worker-2"]
    assert "apiserver-down" not in answer.ranked()


def test_dead_kubelets_cost_one_deadline_together(bed, filler):
    """Eight machines of a rack that lost its power."""
    cluster = healthy(workers=9)
    for number in range(2, 10):
        cluster.nodes[f"worker-{number}"].stop_posting(since=ago(minutes=12))
        cluster.nodes[f"worker-{number}"].kubelet.reach = "silent"
    filler.fill(cluster)
    start = time.monotonic()
    answer = diagnose(bed.kubeconfig(), "--request-timeout", f"{DEADLINE:.0f}s")
    took = time.monotonic() - start
    assert answer.causes() == ["node-unreachable"]
    assert sorted(answer.findings[0].nodes) == [f"worker-{number}" for number in range(2, 10)]
    assert took < 4 * DEADLINE
