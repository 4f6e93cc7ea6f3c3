"""A Felix that ends again and again inside a container that lives on."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

AT_HOME = pods("calico-node-k2k2k 0/1 Running 0 9d 10.4.4.9 moor-1")
LOG = "$ kubectl -n kube-system logs calico-node-k2k2k{}\n"
START = "2021-03-04 05:{minute}:07.514 [INFO][{pid}] {form}daemon.go 360: Felix starting up GOMAXPROCS=4\n"
WORK = (
    "2021-03-04 05:{minute}:09.871 [INFO][{pid}] {form}int_dataplane.go 1450: Finished applying updates to dataplane.\n"
)


def session(command: str = "", end: str = "", form: str = "felix/") -> str:
    lines = [
        shape.format(minute=minute, pid=pid, form=form)
        for minute, pid in ((10, 71), (31, 902))
        for shape in (START, WORK)
    ]
    return AT_HOME + LOG.format(command) + lines[0] + lines[1] + end + lines[2] + lines[3]


@pytest.mark.parametrize("form", ["felix/", ""])
def test_a_felix_that_vanishes(form):
    (seen,) = sightings("felix-ends-unheard", session(form=form))
    assert (seen.node, seen.values["times"]) == ("moor-1", "2")


def test_a_search_that_would_have_found_its_last_words():
    assert sightings("felix-ends-unheard", session(" | grep -E 'starting up|panic|FATAL'"))
    assert sightings("felix-ends-unheard", session(" | grep 'starting up'")) == []


@pytest.mark.parametrize(
    "end",
    [
        "2021-03-04 05:10:10.000 [FATAL][71] felix/daemon.go 700: Failed to connect\n",
        "2021-03-04 05:10:10.000 [INFO][71] felix/daemon.go 700: Felix is shutting down reason=config changed\n",
        "panic: runtime error: index out of range\n",
    ],
)
def test_a_felix_that_says_why_it_ends(end):
    assert sightings("felix-ends-unheard", session(end=end)) == []


def test_the_logs_of_many_pods_and_of_restarted_containers():
    assert sightings("felix-ends-unheard", session().replace("calico-node-k2k2k\n", "-l k8s-app=calico-node\n")) == []
    restarted = session().replace("Running   0 ", "Running   7 ")
    assert restarted != session()
    assert sightings("felix-ends-unheard", restarted) == []


def test_a_felix_that_lives_for_seconds():
    line = "2021-03-04 05:06:{:02}.402 [WARNING][{}] int_dataplane.go 354: Failed to query VXLAN device error=Link not found\n"
    quick = "".join(line.format(second, 800 + second) for second in range(4))
    (seen,) = sightings("felix-ends-at-once", AT_HOME + LOG.format(" | grep WARN") + quick)
    assert seen.node == "moor-1"
    slow = "".join(line.format(second, 800 + second) for second in range(0, 60, 20))
    assert sightings("felix-ends-at-once", AT_HOME + LOG.format(" | grep WARN") + slow) == []


@pytest.mark.parametrize(("age", "fires"), [(1, True), (3600, False)])
def test_the_table_of_runit(age, fires):
    asked = "$ kubectl -n kube-system exec calico-node-k2k2k -- sv status /etc/service/enabled/*\n"
    rows = f"run: /etc/service/enabled/bird: (pid 71) 3611s\nrun: /etc/service/enabled/felix: (pid 857) {age}s\n"
    assert [one.node for one in sightings("felix-ends-at-once", AT_HOME + asked + rows)] == ["moor-1"] * fires
