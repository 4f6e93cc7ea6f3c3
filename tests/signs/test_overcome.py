"""What is over tells nothing; what comes again, or was never seen to end, does."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.kubernetes import Event, Pod
from calivet.facts.picture import Picture
from calivet.signs.overcome import still_telling
from calivet.signs.patterns import Key
from calivet.signs.sighting import Sighting

HERE, THERE = Line("events.txt", 3, "Failed to create pod sandbox"), Line("pods.txt", 2, "a pod")
SIGN = Key("fault", "one")


def pod(status="Running", ready=1, restarts=0):
    return Pod(at=THERE, name="larch-7", node="alder-1", status=status, ready=ready, containers=1, restarts=restarts)


def event(age=1080.0, count=1, name="larch-7"):
    return Event(at=HERE, reason="FailedCreatePodSandBox", message="x", kind="pod", object=name, age=age, count=count)


def tells(*facts):
    seen = {SIGN: [Sighting(line=HERE)]}
    return still_telling(seen, Picture([], facts)) == seen


def test_the_pod_was_only_ever_seen_well():
    assert not tells(event(), pod())


@pytest.mark.parametrize(
    "facts",
    [
        (event(age=20.0), pod()),
        (event(age=None), pod()),
        (event(count=40), pod()),
        (event(name="larch-8"), pod()),
        (event(), pod(status="ContainerCreating", ready=0), pod()),
        (event(), pod(restarts=3)),
        (event(),),
    ],
)
def test_it_may_not_be_over(facts):
    assert tells(*facts)
