"""Tests of the API server's addresses."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Reach, Variable
from calivet.facts.kubernetes import Node, Row
from calivet.signs.api.api_server import SIGNS

AT = Line("notes.md", 3, "curl -k https://10.7.8.20:6443/version")


def reach(target: str, port: int | None, outcome: str, protocol: str = "tcp", pod: str | None = None) -> Reach:
    return Reach(
        at=AT,
        host="w9",
        target=target,
        port=port,
        protocol=protocol,
        outcome=outcome,
        pod=pod,
    )


def names(*facts: object) -> set[str]:
    picture = ClusterFacts([], [Node(at=AT, name="w9"), *facts])  # type: ignore[list-item]
    return {name for name, compute in SIGNS.items() if list(compute(picture))}


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (reach("10.7.8.20", 6443, "ok"), {"api-endpoint-answers", "api-answers-where-asked"}),
        (reach("10.7.8.20", 6443, "timeout"), {"api-endpoint-fails"}),
        (reach("10.7.8.20", 8443, "refused"), {"api-endpoint-fails"}),
        (reach("10.99.0.1", 443, "timeout"), {"service-address-fails"}),
        (reach("10.99.0.1", 443, "ok"), {"service-address-answers"}),
        (reach("fd00:99::1", 443, "timeout"), {"service-address-fails"}),
        (reach("10.7.8.20", None, "ok", protocol="icmp"), set()),
        (reach("10.7.8.20", 6443, "ok", pod="web-1"), set()),
        (reach("10.99.0.17", 443, "timeout"), set()),
    ],
)
def test_outcome_tells_address_from_service(fact: Reach, expected: set[str]) -> None:
    assert names(fact) == expected


def test_service_address_is_taken_from_the_evidence() -> None:
    row = Row(at=AT, resource="service", name="kubernetes", cells={"CLUSTER-IP": "10.99.0.5"})
    assert names(reach("10.99.0.5", 6443, "timeout"), row) == {"api-endpoint-fails", "service-address-fails"}
    variable = Variable(at=AT, name="KUBERNETES_SERVICE_HOST", value="10.99.0.6")
    assert "service-address-answers" in names(reach("10.99.0.6", 443, "ok"), variable)


def test_sighting_names_node_and_target() -> None:
    picture = ClusterFacts([], [Node(at=AT, name="w9"), reach("10.7.8.20", 6443, "refused")])
    (sighting,) = SIGNS["api-endpoint-fails"](picture)
    assert sighting.node == "w9"
    assert sighting.values == {"target": "10.7.8.20", "port": "6443", "outcome": "refused"}
