"""Tests of the signs in Typha's Deployment and Service."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Reach
from calivet.facts.host import Socket
from calivet.facts.kubernetes import Row
from calivet.signs.api.typha import SIGNS
from tests.signs.made_pictures import note, output, picture


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
    assert len(list(SIGNS[sign](ClusterFacts([], [row])))) == times


def test_the_port_from_a_node() -> None:
    def reach(outcome: str, host: str = "fig-2", port: int = 5473) -> Reach:
        return Reach(at=Line("p.txt", 3, "x"), host=host, target="10.7.8.9", port=port, protocol="tcp", outcome=outcome)

    def seen(*tests: Reach) -> list[str | None]:
        return [sighting.node for sighting in SIGNS["typha-port-closed"](ClusterFacts([], tests))]

    assert seen(reach("timeout"), reach("ok", host="fig-3")) == ["fig-2"]
    assert seen(reach("timeout"), reach("ok")) == []
    assert seen(reach("refused", port=443)) == []


def test_a_connection_without_an_answer() -> None:
    def seen(state: str, peer: str) -> list[str | None]:
        socket = Socket(
            at=Line("p.txt", 3, "x"), host="fig-2", protocol="tcp", address="", port=4, state=state, peer=peer
        )
        return [sighting.node for sighting in SIGNS["typha-syn-unanswered"](ClusterFacts([], [socket]))]

    assert seen("SYN_SENT", "10.7.8.9:5473") == ["fig-2"]
    assert seen("ESTABLISHED", "10.7.8.9:5473") == []
    assert seen("SYN_SENT", "10.7.8.9:443") == []


TRYING = '12:00:01.5 [INFO][7] felix/sync_client.go 218: Connecting to Typha. address="10.7.8.9:5473" connID=0x0'


@pytest.mark.parametrize(
    ("after", "command", "times"),
    [
        ("", "kubectl logs calico-node-ab12c", 1),
        ("[INFO][7] felix/int_dataplane.go 660: Received interface update", "kubectl logs calico-node-ab12c", 1),
        ("[INFO][7] felix/sync_client.go 222: Connected to Typha.", "kubectl logs calico-node-ab12c", 0),
        (
            "[ERROR][7] felix/daemon.go 459: Failed to connect to Typha. Retrying...",
            "kubectl logs calico-node-ab12c",
            0,
        ),
        ("", "kubectl logs calico-node-ab12c | grep -i connecting", 0),
        ("", "kubectl logs calico-node-ab12c | head -50", 0),
    ],
)
def test_the_last_word_is_that_it_connects(after: str, command: str, times: int) -> None:
    shown = picture(artifacts=[output(command, f"{TRYING}\n{after}"), note(TRYING)])
    found = list(SIGNS["typha-connection-unfinished"](shown))
    assert [sighting.values["address"] for sighting in found] == ["10.7.8.9:5473"] * times
