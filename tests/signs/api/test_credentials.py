"""Tests of the signs in certificates, tokens and permissions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Setting, Variable
from calivet.signs.api.credentials import SIGNS
from tests.signs.made_pictures import picture as made_picture

AT = Line("host.txt", 3, "a line")
LOG = LogSpan(at=AT, program="felix", last_time=datetime(2025, 4, 25, 12, 0, tzinfo=UTC))


def certificate(name: str, end: str) -> Setting:
    return Setting(at=AT, host="w9", program="certificate", key=name, value=end)


def names(*facts: Fact) -> set[str]:
    return {name for name, compute in SIGNS.items() if list(compute(ClusterFacts([], facts)))}


@pytest.mark.parametrize(
    ("name", "end", "expected"),
    [
        ("kubelet-client-current.pem", "2025-04-01T00:00:00+00:00", {"cluster-certificate-past-end"}),
        ("admin.conf", "2025-04-01T00:00:00+00:00", {"cluster-certificate-past-end"}),
        ("typha-server", "2025-04-01T00:00:00+00:00", {"typha-certificate-past-end"}),
        ("apiserver", "2025-05-01T00:00:00+00:00", set()),
        ("www.shop.example", "2025-04-01T00:00:00+00:00", set()),
        ("apiserver", "not a date", set()),
    ],
)
def test_end_is_compared_with_the_latest_moment_of_the_evidence(name: str, end: str, expected: set[str]) -> None:
    assert names(LOG, certificate(name, end)) == expected


def test_without_any_clock_nothing_is_past() -> None:
    yearless = LogSpan(at=AT, program="felix", last_time=datetime(2000, 12, 31, 12, 0))
    assert names(yearless, certificate("apiserver", "1999-01-01T00:00:00+00:00")) == set()


def test_a_host_clock_counts_as_well() -> None:
    clock = Setting(at=AT, program="clock", key="time", value="2025-04-25T12:00:00")
    assert names(clock, certificate("apiserver", "2025-04-01T00:00:00+00:00")) == {"cluster-certificate-past-end"}


@pytest.mark.parametrize(("value", "off"), [("false", True), ('"false"', True), ("true", False), ("", False)])
def test_token_refresh_switched_off(value: str, off: bool) -> None:
    fact = Variable(at=AT, name="CALICO_MANAGE_CNI", value=value)
    assert names(fact) == ({"cni-token-refresh-off"} if off else set())


def test_where_calico_has_no_cni_plugin_nobody_wants_its_token() -> None:
    off = Variable(at=AT, name="CALICO_MANAGE_CNI", value="false")
    assert names(off, Variable(at=AT, name="CALICO_NETWORKING_BACKEND", value="none")) == set()


@pytest.mark.parametrize(("answer", "expected"), [("no", {"auth-can-i-no"}), ("yes", {"auth-can-i-yes"}), ("", set())])
def test_can_i_for_an_account(answer: str, expected: set[str]) -> None:
    command = "kubectl auth can-i list tiers --as=system:serviceaccount:kube-system:calico-node"
    artifact = Artifact("host.txt", 1, [f"$ {command}", answer], command=command)
    found = {name: list(compute(made_picture(artifacts=[artifact]))) for name, compute in SIGNS.items()}
    assert {name for name, sightings in found.items() if sightings} == expected
    for sightings in found.values():
        assert all(sighting.values == {"account": "kube-system:calico-node"} for sighting in sightings)
