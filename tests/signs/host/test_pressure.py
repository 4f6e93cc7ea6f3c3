"""Machines at their limits."""

from __future__ import annotations

import json

import pytest

from tests.facts.drawing import pods, sightings

TOP = """
$ kubectl top nodes
NAME      CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%
rowan-1   3960m        {0}    9010Mi          {1}
rowan-2   210m         5%     4010Mi          31%
"""
DESCRIBED = """
$ kubectl -n kube-system describe pod {0}
Name:         {0}
Namespace:    kube-system
Node:         rowan-1/10.2.0.11
Containers:
  {1}:
    State:          Running
      Started:      Fri, 03 May 2024 13:40:11 +0000
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Fri, 03 May 2024 11:02:40 +0000
      Finished:     Fri, 03 May 2024 13:40:10 +0000
    Ready:          True
    Restart Count:  4
"""


@pytest.mark.parametrize(("cpu", "memory", "resource"), [("99%", "70%", "CPU"), ("12%", "98%", "memory")])
def test_a_node_with_nothing_left(cpu, memory, resource):
    (seen,) = sightings("node-usage-at-limit", TOP.format(cpu, memory))
    assert (seen.node, seen.values["resource"]) == ("rowan-1", resource)


def test_nodes_with_room():
    assert sightings("node-usage-at-limit", TOP.format("62%", "70%")) == []


KILLED = {
    "name": "calico-node",
    "ready": True,
    "restartCount": 3,
    "state": {"running": {"startedAt": "2024-05-03T13:40:11Z"}},
    "lastState": {
        "terminated": {
            "exitCode": 137,
            "reason": "OOMKilled",
            "startedAt": "2024-05-03T11:02:40Z",
            "finishedAt": "2024-05-03T13:40:10Z",
        }
    },
}


def dumped(today):
    pod = {
        "kind": "Pod",
        "metadata": {"name": "calico-node-aaaaa", "namespace": "kube-system"},
        "spec": {"nodeName": "rowan-1"},
        "status": {"phase": "Running", "containerStatuses": [KILLED]},
    }
    ready = {"type": "Ready", "status": "True", "lastHeartbeatTime": today}
    node = {"kind": "Node", "metadata": {"name": "rowan-1"}, "status": {"conditions": [ready]}}
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": [pod, node]}, indent=1)


@pytest.mark.parametrize(("today", "killed"), [("2024-05-05T08:00:00Z", 1), ("2024-05-23T08:00:00Z", 0)])
def test_a_kill_weeks_before_the_nodes_last_reported_is_over(today, killed):
    assert len(sightings("calico-container-oomkilled", dumped(today))) == killed


class TestLoad:
    PODS = pods(
        "calico-node-aaaaa 0/1 CrashLoopBackOff 90 3d 10.2.0.11 rowan-1",
        "calico-node-bbbbb 1/1 Running 0 3d 10.2.0.12 rowan-2",
    )
    LOADS = """
[root@rowan-1 ~]# uptime
 10:11:12 up 20 days,  1:02,  1 user,  load average: {0}, 60.11, 60.00
[root@rowan-2 ~]# uptime
 10:11:12 up 20 days,  1:02,  1 user,  load average: 2.20, 2.11, 2.00
"""

    def test_the_sick_one_is_the_loaded_one(self):
        (seen,) = sightings("loaded-node-is-sick", self.PODS + self.LOADS.format("188.20"))
        assert (seen.node, seen.values["load"]) == ("rowan-1", "188.2")
        assert "CrashLoopBackOff" in seen.line.text

    def test_the_sick_one_is_as_idle_as_the_other(self):
        assert sightings("loaded-node-is-sick", self.PODS + self.LOADS.format("2.90")) == []


@pytest.mark.parametrize(
    ("mount", "used", "counts"),
    [("/", 100, 1), ("/var/lib/containerd", 99, 1), ("/", 71, 0), ("/snap/core20/2015", 100, 0)],
)
def test_a_full_disk(mount, used, counts):
    text = f"[root@rowan-1 ~]# df -h\nFilesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        40G   40G     0 {used}% {mount}\n"
    assert len(sightings("disk-at-limit", text)) == counts


def test_disks_with_room():
    text = "[root@rowan-1 ~]# df -h\nFilesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        40G   16G     24 {0}% /\n"
    assert len(sightings("disks-have-room", text.format(40))) == 1
    assert sightings("disks-have-room", text.format(93)) == []
    assert sightings("disks-have-room", "nothing was shown") == []


class TestRevival:
    PODS = pods("calico-node-aaaaa 1/1 Running 0 22d 10.2.0.11 rowan-1")
    PROCESSES = """
$ kubectl -n kube-system exec calico-node-aaaaa -- ps -o pid,etime,rss,args
     66 9-01:02:33   5100 bird -R -s /var/run/calico/bird.ctl -d -c /etc/calico/confd/config/bird.cfg
     70 9-01:02:33  40100 calico-node -confd
   4711 {0} 200300 calico-node -felix
"""

    def test_felix_is_far_younger_than_its_neighbours(self):
        (seen,) = sightings("felix-revived-inside", self.PODS + self.PROCESSES.format("      00:58"))
        assert (seen.node, seen.values) == ("rowan-1", {"young": "00:58", "old": "9-01:02:33"})

    def test_felix_is_as_old_as_they_are(self):
        assert sightings("felix-revived-inside", self.PODS + self.PROCESSES.format("9-01:02:30")) == []


def test_a_container_of_calico_killed_for_memory():
    (seen,) = sightings("calico-container-oomkilled", DESCRIBED.format("calico-node-aaaaa", "calico-node"))
    assert (seen.node, seen.values["container"]) == ("rowan-1", "calico-node")


def test_another_pod_killed_for_memory_is_its_own_affair():
    assert sightings("calico-container-oomkilled", DESCRIBED.format("cart-5b8c9d7f6-x2k4p", "cart")) == []


def test_one_end_after_days_is_not_what_is_wrong_now():
    once = DESCRIBED.format("calico-node-aaaaa", "calico-node").replace("Restart Count:  4", "Restart Count:  1")
    days = once.replace("Fri, 03 May 2024 11:02:40", "Mon, 22 Apr 2024 11:02:40")
    assert sightings("calico-container-oomkilled", days) == []
    assert sightings("calico-container-oomkilled", once)
    assert sightings("calico-container-oomkilled", days.replace("Count:  1", "Count:  9"))
    assert sightings("calico-container-oomkilled", days.replace("Ready:          True", "Ready:          False"))
