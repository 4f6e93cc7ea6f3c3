"""The marks of a probe."""

from __future__ import annotations

import pytest

from calivet.facts.fact import Reach
from calivet.facts.host import CommandRun, NodeProbe, NodeProbeEnd
from tests.facts.drawing import picture_of

BEGIN = "# calivet-probe 1 host=fig-2 user=ada time=2026-11-15T11:56:43Z\n"
END = "# calivet-probe end sections=1 seconds=1.2\n"


def picture(command, end, output=""):
    return picture_of(f"{BEGIN}[ada@fig-2 ~]$ {command}\n{output}#= {end}\n{END}")


def run(command, end, output=""):
    (found,) = picture(command, end, output).all(CommandRun)
    return found


def test_a_command_that_ended():
    found = run("crictl info", "exit=1 seconds=0.37")
    assert (found.host, found.command, found.exit, found.seconds) == ("fig-2", "crictl info", 1, 0.37)
    assert (found.timed_out, found.absent, found.skipped) == (False, False, False)
    assert found.at.number == 3


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("exit=124 seconds=5.00 timeout", ("timed_out",)),
        ("exit=0 seconds=0.12 cut", ()),
        ("exit=124 seconds=5.00 timeout cut", ("timed_out",)),
        ("absent crictl", ("absent",)),
        ("skipped crictl did not answer before", ("skipped",)),
        ("skipped the time of the whole run is over", ("skipped",)),
    ],
)
def test_other_ends(end, told):
    found = run("crictl info", end)
    assert tuple(name for name in ("timed_out", "absent", "skipped") if getattr(found, name)) == told


def test_who_ran_it_and_that_it_ended():
    drawn = picture("uptime", "exit=0 seconds=0.01")
    (begin,), (end,) = drawn.all(NodeProbe), drawn.all(NodeProbeEnd)
    assert (begin.host, begin.user, begin.time.hour) == ("fig-2", "ada", 11)
    assert end.sections == 1


@pytest.mark.parametrize(
    ("command", "end", "output", "outcome"),
    [
        ("bash -c '</dev/tcp/10.0.0.2/179'", "exit=0 seconds=0.01", "", "ok"),
        ("bash -c '</dev/tcp/10.0.0.2/179'", "exit=124 seconds=3.00 timeout", "", "timeout"),
        (
            "bash -c '</dev/tcp/10.0.0.2/179'",
            "exit=1 seconds=0.01",
            "bash: connect: Connection refused\nbash: line 1: /dev/tcp/10.0.0.2/179: Connection refused\n",
            "refused",
        ),
        ("nc -zv 10.0.0.2 179", "exit=124 seconds=3.00 timeout", "", "timeout"),
        ("nc -zv 10.0.0.2 179", "exit=0 seconds=0.01", "Connection to 10.0.0.2 179 port [tcp/bgp] succeeded!\n", "ok"),
    ],
)
def test_a_test_of_a_port_tells_by_its_end(command, end, output, outcome):
    reaches = {
        (reach.host, reach.target, reach.port, reach.outcome) for reach in picture(command, end, output).all(Reach)
    }
    assert reaches == {("fig-2", "10.0.0.2", 179, outcome)}


def test_a_question_to_a_port_is_no_test_of_it():
    asked = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/9099; echo GET /readiness >&3; cat <&3'"
    assert picture(asked, "exit=124 seconds=3.00 timeout").all(Reach) == []


def test_a_mark_without_its_command_says_nothing():
    assert picture_of("#= exit=124 seconds=5.00 timeout\n").all(CommandRun) == []
