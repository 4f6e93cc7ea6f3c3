"""A machine on which everything waits."""

from __future__ import annotations

import pytest

from calivet.facts.fact import Reach
from calivet.facts.host import CommandRun, Pressure
from calivet.signs.host.resources import SIGNS
from tests.signs.made_pictures import line, picture


def seen(sign, *facts):
    return [(one.node, *one.values.values()) for one in SIGNS[sign](picture(*facts))]


@pytest.mark.parametrize(
    ("resource", "some", "full", "times"),
    [
        ("cpu", 88.0, 0.0, 1),
        ("cpu", 40.0, 0.0, 0),
        ("memory", 30.0, 25.0, 1),
        ("memory", 30.0, 5.0, 0),
        ("io", 90.0, 70.0, 1),
        ("io", 90.0, 30.0, 0),
        ("io", 90.0, None, 0),
    ],
)
def test_pressure(resource, some, full, times):
    pressure = Pressure(at=line(), host="fig-2", resource=resource, some=some, full=full)
    assert len(seen("pressure-high", pressure)) == times


def run(command, timed_out=True):
    return CommandRun(at=line(), host="fig-2", command=command, exit=124, seconds=5.0, timed_out=timed_out)


@pytest.mark.parametrize("command", ["df -h", "ps axc", "systemctl show -p Id kubelet", "cat /proc/811/cmdline"])
def test_a_command_that_does_not_come_back(command):
    assert seen("host-command-silent", run(command)) == [("fig-2", command, "5")]
    assert seen("host-command-silent", run(command, timed_out=False)) == []


@pytest.mark.parametrize(
    "command", ["crictl info", "docker ps -a", "bash -c '</dev/tcp/10.0.0.2/179'", "birdcl show protocols"]
)
def test_who_waits_for_somebody_else_says_nothing_of_the_host(command):
    assert seen("host-command-silent", run(command)) == []


def fetched(detail, port=9099):
    return Reach(
        at=line(), host="fig-2", target="127.0.0.1", port=port, protocol="http", outcome="timeout", detail=detail
    )


def test_a_health_port_that_takes_the_connection_and_keeps_silent():
    silent = "Operation timed out after 5001 milliseconds with 0 bytes received"
    assert seen("health-port-silent", fetched(silent)) == [("fig-2", "9099")]
    assert seen("health-port-silent", fetched("Connection timed out after 5001 milliseconds")) == []
    assert seen("health-port-silent", fetched(silent, port=443)) == []
