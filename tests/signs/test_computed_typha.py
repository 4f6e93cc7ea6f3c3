"""Tests of the signs in Typha's Deployment and Service."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Row
from calivet.facts.picture import Picture
from calivet.signs.computed.typha import SIGNS


@pytest.mark.parametrize(
    ("sign", "resource", "cells", "times"),
    [
        ("typha-wanted-nowhere", "deployment", {"READY": "0/0"}, 1),
        ("typha-wanted-nowhere", "deployment", {"DESIRED": "0", "CURRENT": "0"}, 1),
        ("typha-wanted-nowhere", "deployment", {"READY": "0/3"}, 0),
        ("typha-without-endpoint", "endpoints", {"ENDPOINTS": "<none>"}, 1),
        ("typha-without-endpoint", "endpoints", {"ENDPOINTS": "10.7.8.9:5473"}, 0),
        ("typha-without-endpoint", "service", {"EXTERNAL-IP": "<none>"}, 0),
    ],
)
def test_rows(sign: str, resource: str, cells: dict[str, str], times: int) -> None:
    row = Row(at=Line("session.txt", 3, "a line"), resource=resource, name="calico-typha", cells=cells)
    assert len(list(SIGNS[sign](Picture([], [row])))) == times


def test_the_port_from_a_node() -> None:
    def reach(outcome: str, host: str = "fig-2", port: int = 5473) -> Reach:
        return Reach(at=Line("p.txt", 3, "x"), host=host, target="10.7.8.9", port=port, protocol="tcp", outcome=outcome)

    def seen(*tests: Reach) -> list[str | None]:
        return [sighting.node for sighting in SIGNS["typha-port-closed"](Picture([], tests))]

    assert seen(reach("timeout"), reach("ok", host="fig-3")) == ["fig-2"]
    assert seen(reach("timeout"), reach("ok")) == []
    assert seen(reach("refused", port=443)) == []
