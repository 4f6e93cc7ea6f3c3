"""Memory cgroups, of both versions and as every tool shows them."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

AT_HOME = pods("calico-node-k2k2k 1/1 Running 0 9d 10.4.4.9 moor-1")
DESCRIBED = """
$ kubectl -n kube-system describe pod calico-node-k2k2k
Name:             calico-node-k2k2k
Namespace:        kube-system
Node:             moor-1/10.4.4.9
Containers:
  calico-node:
    Image:          quay.io/calico/node:v3.20.1
    State:          Running
    Ready:          True
    Restart Count:  0
    Limits:
      memory:  128Mi
"""
EXEC = "$ kubectl -n kube-system exec calico-node-k2k2k -c calico-node -- cat /sys/fs/cgroup/memory.events\n"
EVENTS = "low 0\nhigh 0\nmax 5120\noom {0}\noom_kill {0}\n"
FIRST = """
[root@moor-1 ~]# cd /sys/fs/cgroup/memory/kubepods/pod0a1b/0a1b; grep . memory.limit_in_bytes memory.max_usage_in_bytes memory.failcnt
memory.limit_in_bytes:{}
memory.max_usage_in_bytes:{}
memory.failcnt:4711
"""
LIMIT = 128 * 1024 * 1024


def test_kills_in_calicos_own_container():
    (seen,) = sightings("calico-cgroup-kills", AT_HOME + EXEC + EVENTS.format(6))
    assert (seen.node, seen.values["kills"]) == ("moor-1", "6")


@pytest.mark.parametrize(
    "text",
    [
        AT_HOME + EXEC + EVENTS.format(0),
        AT_HOME + EXEC.replace("calico-node", "web") + EVENTS.format(6),
        "[root@moor-1 ~]# cat /sys/fs/cgroup/kubepods.slice/memory.events\n" + EVENTS.format(6),
        "[root@moor-1 ~]# cat memory.oom_control # of calico-node\noom_kill_disable 1\nunder_oom 0\noom_kill 0\n",
    ],
)
def test_no_kills_or_those_of_others(text):
    assert sightings("calico-cgroup-kills", text) == []


def test_a_cgroup_that_has_calicos_limit():
    (seen,) = sightings("calico-limit-reached", DESCRIBED + FIRST.format(LIMIT, LIMIT))
    assert (seen.node, seen.values["limit"]) == ("moor-1", "128Mi")
    assert sightings("calico-limit-reached", DESCRIBED + FIRST.format(LIMIT, LIMIT // 2)) == []
    assert sightings("calico-limit-reached", DESCRIBED + FIRST.format(2 * LIMIT, 2 * LIMIT)) == []


def test_bare_numbers_in_the_order_of_the_files():
    asked = "[root@moor-1 ~]# cd /sys/fs/cgroup/felix; cat memory.max memory.peak\n"
    assert sightings("calico-limit-reached", f"{asked}{LIMIT}\n{LIMIT - 4096}\n")
    assert sightings("calico-limit-reached", f"{asked}max\n{LIMIT}\n") == []


def test_each_time_the_files_are_shown_is_another_cgroup():
    twice = FIRST.format(LIMIT, LIMIT // 2) + FIRST.format(4 * LIMIT, LIMIT).split("\n", 2)[2]
    assert sightings("calico-limit-reached", DESCRIBED + twice) == []


@pytest.mark.parametrize(("used", "fires"), [("128Mi", True), ("90Mi", False)])
def test_what_top_shows_beside_the_limit(used, fires):
    top = f"\n$ kubectl -n kube-system top pod\nNAME                CPU(cores)   MEMORY(bytes)\ncalico-node-k2k2k   31m          {used}\n"
    assert bool(sightings("calico-limit-reached", DESCRIBED + top)) is fires
