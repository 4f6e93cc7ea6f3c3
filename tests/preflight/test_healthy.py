"""Nothing fails on healthy machines: whatever fails there is a bug."""

from __future__ import annotations

import pytest

from calivet.preflight.requirement import Outcome
from tests.preflight.evidence import DEBIAN, ROCKY, UBUNTU, Probe, as_user, cluster, found

ALONE = {
    "name-free", "address-network", "address-free", "pool-ranges", "routes", "versions", "datastore-unlocked",
    "pool-enabled", "pool-room", "ipv6",
}  # fmt: skip
"""What nothing but a cluster tells."""
UNCHECKED = {
    DEBIAN: {
        "machine-id", "cgroup-drivers", "certificates", "api-server", "bgp-peers", "typha", "packet-size", "full-packets",
    },
    UBUNTU: {"machine-id", "bgp-peers", "typha", "proxy", "full-packets"},
    ROCKY: {"machine-id", "api-server", "typha"},
}  # fmt: skip


def outcomes(probe: Probe, **more) -> dict[Outcome, set[str]]:
    (node,) = found(probe, **more).nodes
    return {outcome: {answer.id for answer in node.of(outcome)} for outcome in Outcome}


@pytest.mark.parametrize("name", UNCHECKED)
def test_a_healthy_machine_alone(name):
    told = outcomes(Probe(name))
    assert told[Outcome.FAIL] == set()
    assert told[Outcome.UNCHECKED] == UNCHECKED[name] | ALONE


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        (DEBIAN, "oak-1 10.44.0.20,oak-2 10.44.0.22"),
        (UBUNTU, "oak-1 10.44.0.20,oak-2 10.44.0.22"),
        (ROCKY, "elm-3.grove.example 10.44.1.23,elm-4.grove.example 10.44.1.24"),
    ],
)
def test_a_healthy_machine_and_a_healthy_cluster(name, nodes):
    told = outcomes(Probe(name), cluster=cluster(nodes))
    assert told[Outcome.FAIL] == set()
    assert told[Outcome.UNCHECKED] == UNCHECKED[name] - {"packet-size", "proxy"}


@pytest.mark.parametrize("name", UNCHECKED)
def test_nothing_fails_for_an_ordinary_user(name):
    assert outcomes(as_user(Probe(name)))[Outcome.FAIL] == set()


def test_three_machines_at_once():
    nodes = found(Probe(DEBIAN), Probe(UBUNTU), Probe(ROCKY)).nodes
    assert [node.host for node in nodes] == ["kit-1", "oak-2", "elm-3.grove.example"]
    assert not any(node.of(Outcome.FAIL) for node in nodes)
    assert all("name-free" not in {answer.id for answer in node.of(Outcome.FAIL)} for node in nodes)


@pytest.mark.parametrize("name", UNCHECKED)
def test_no_check_has_a_bug(name):
    for node in (*found(Probe(name)).nodes, *found(Probe(name), cluster=cluster()).nodes):
        assert not [answer.id for answer in node.answers if answer.says and "has a bug" in answer.says.en]
