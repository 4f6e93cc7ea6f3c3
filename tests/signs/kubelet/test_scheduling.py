"""Tests of the signs in the scheduler's events."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Event, Node, Pod
from calivet.signs.kubelet.daemonset import SIGNS

AT = Line("session.txt", 3, "a line")


def turned_away(message: str, pod: str = "calico-node-x2x2x") -> Event:
    return Event(at=AT, reason="FailedScheduling", message=message, object=pod, kind="pod")


def found(*facts: Fact) -> list[tuple[str | None, str]]:
    return [(one.node, one.values["why"]) for one in SIGNS["calico-pod-cannot-be-placed"](ClusterFacts([], facts))]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (
            "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.",
            "Insufficient cpu",
        ),
        ("0/4 nodes are available: 1 Too many pods, 3 node(s) didn't match node selector.", "Too many pods"),
        ("No nodes are available that match all of the predicates: Insufficient memory (1).", "Insufficient memory"),
        (
            (
                "0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity],"
                " 1 node(s) had untolerated taint {pool: gpu}. preemption: 0/2 nodes are available"
            ),
            "untolerated taint {pool: gpu}",
        ),
        (
            "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
            "didn't match Pod's node affinity/selector",
        ),
    ],
)
def test_why_there_is_no_place(message: str, why: str) -> None:
    assert found(turned_away(message)) == [(None, why)]


def test_the_node_left_without_is_named() -> None:
    nodes = [Node(at=AT, name="w1"), Node(at=AT, name="w2")]
    running = Pod(at=AT, name="calico-node-y3y3y", node="w1", status="Running")
    waiting = Pod(at=AT, name="calico-node-x2x2x", status="Pending")
    assert found(*nodes, running, waiting, turned_away("0/2 nodes are available: 1 Insufficient cpu.")) == [
        ("w2", "Insufficient cpu")
    ]


def test_placed_in_the_end_or_somebody_else() -> None:
    event = turned_away("0/2 nodes are available: 1 Insufficient cpu.")
    assert found(event, Pod(at=AT, name="calico-node-x2x2x", node="w2", status="Running")) == []
    assert found(event, Event(at=AT, reason="Scheduled", message="assigned", object="calico-node-x2x2x")) == []
    assert found(turned_away("0/2 nodes are available: 1 Insufficient cpu.", "web-6d8f-x2x2x")) == []
