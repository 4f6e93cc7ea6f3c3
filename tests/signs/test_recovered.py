"""What is over tells nothing; what comes again, or was never seen to end, does."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.kubernetes import Event, Pod, PodCount
from calivet.signs.relevance import drop_overcome, drop_recovered
from calivet.signs.sighting import Key, Sighting

HERE, THERE = Line("events.txt", 3, "Failed to create pod sandbox"), Line("pods.txt", 2, "a pod")
SIGN = Key("fault", "one")


def pod(status="Running", ready=1, restarts=0, age=None):
    told = {"status": status, "ready": ready, "restarts": restarts, "age": age}
    return Pod(at=THERE, name="larch-7", node="alder-1", containers=1, **told)


def event(age=1080.0, count=1, name="larch-7", reason="Unhealthy"):
    told = {"object": name, "age": age, "count": count, "reason": reason}
    return Event(at=HERE, message="x", kind="pod", node="alder-1", **told)


def count(waiting):
    return PodCount(at=THERE, node="alder-1", pods=9, ready=9 - waiting, waiting=waiting)


def tells(*facts):
    seen = {SIGN: [Sighting(line=HERE)]}
    return drop_recovered(seen, ClusterFacts([], facts)) == seen


def test_the_pod_was_only_ever_seen_well():
    assert not tells(event(), pod())


def test_a_pod_that_runs_is_past_what_befell_it_on_the_way():
    assert not tells(event(age=20.0, reason="FailedCreatePodSandBox"), pod())


def test_a_start_has_its_first_seconds():
    assert not tells(event(age=60.0), pod(age=110.0))
    assert tells(event(age=60.0), pod(age=800.0))
    assert tells(event(age=3.0), pod(age=50.0))


def test_no_pod_of_the_node_waits_for_an_address():
    of_another = event(age=20.0, name="larch-8", reason="FailedCreatePodSandBox")
    assert not tells(of_another, count(waiting=0))
    assert tells(of_another, count(waiting=1))
    assert tells(event(age=20.0, name="larch-8"), count(waiting=0))


def test_a_pod_that_is_gone_and_whose_successors_are_well():
    of_another = event(age=520.0, name="larch-8", reason="FailedCreatePodSandBox")
    assert not tells(of_another, pod())
    assert tells(of_another, pod(ready=0))
    assert tells(event(age=520.0, name="rowan-8", reason="FailedCreatePodSandBox"), pod())


LOG = """\
2026-03-04 05:06:01.100 [ERROR][290] cni-plugin/plugin.go 163: Final result of CNI ADD was an error. error=stat /x: no such file
2026-03-04 05:06:31.100 [INFO][511] cni-plugin/k8s.go 534: Wrote updated endpoint to datastore ContainerID="0a1b" Pod="web-1"
2026-03-04 05:06:59.100 [INFO][511] cni-plugin/k8s.go 700: teardown
""".splitlines()
AT_WORK = Key("calico-at-work", "0")


def says_of_log(lines, error=0, success=1):
    artifact = Artifact("cni.log", 1, list(lines))
    seen = {SIGN: [Sighting(line=artifact.at(error))], AT_WORK: [Sighting(line=artifact.at(success))]}
    return SIGN in drop_overcome(seen, ClusterFacts([artifact], ()))


def test_the_plugin_has_overcome_it():
    assert not says_of_log(LOG)


@pytest.mark.parametrize(
    ("lines", "error", "success"),
    [
        ([LOG[1], LOG[0].replace("05:06:01", "05:06:40"), LOG[2].replace("05:06:59", "05:09:59")], 1, 0),
        ([LOG[0], LOG[1].replace("05:06:31", "05:06:04")], 0, 1),
        ([LOG[0], LOG[1].replace("cni-plugin/", "tunnel-ip-allocator/"), LOG[2]], 0, 1),
    ],
)
def test_the_plugin_may_not_have_overcome_it(lines, error, success):
    assert says_of_log(lines, error, success)


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
