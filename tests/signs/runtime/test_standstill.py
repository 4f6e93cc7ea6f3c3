"""A node on which nothing is begun or ended any more."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, pods, sightings

PODS = pods(
    "calico-node-q8w2z 0/1 Init:0/3 0 {age} 10.61.4.12 fig-2",
    "ledger-7c9d5b6f44-2kx9p 1/1 Terminating 0 9d 10.244.7.3 fig-2",
    "basket-5f6b7c8d9e-8mzqd 0/1 ContainerCreating 0 31m <none> fig-2",
    "calico-node-t5r7n 1/1 Running 0 9d 10.61.4.13 fig-3",
)
DESCRIBED = """[root@bastion ~]# {command}
Name:         calico-node-q8w2z
Namespace:    kube-system
Node:         fig-2/10.61.4.12
Status:       Pending
Events:
  Type    Reason     Age   From               Message
  ----    ------     ----  ----               -------
  Normal  Scheduled  {age}   default-scheduler  Successfully assigned kube-system/calico-node-q8w2z to fig-2
{more}"""
COMMAND = "kubectl -n kube-system describe pod calico-node-q8w2z"
PULLED = (
    '  Normal  Pulled     19m   kubelet            Container image "calico/cni:v3.27.0" already present on machine\n'
)


def told(state="Ready", age="20m", more="", command=COMMAND):
    listed = nodes(f"fig-2 {state} 10.61.4.12", "fig-3 Ready 10.61.4.13") + PODS.format(age=age)
    return listed + DESCRIBED.format(age=age, more=more, command=command)


def alone(**fields):
    return [(seen.node, *seen.values.values()) for seen in sightings("pod-left-alone", told(**fields))]


def test_scheduled_and_nothing_since():
    assert alone() == [("fig-2", "calico-node-q8w2z", "20")]


def test_some_versions_do_not_tell_when_it_was_scheduled():
    text = told().replace("Scheduled  20m ", "Scheduled  <unknown> ")
    assert [seen.values["minutes"] for seen in sightings("pod-left-alone", text)] == ["20"]


@pytest.mark.parametrize(
    "fields",
    [
        {"age": "90s"},
        {"state": "NotReady"},
        {"more": PULLED},
        {"command": COMMAND + " | head -9"},
        {"command": COMMAND + " | grep -B9 Scheduled"},
    ],
)
def test_young_explained_or_not_the_whole_story(fields):
    assert alone(**fields) == []


def test_others_of_the_node_can_neither_be_ended_nor_begun():
    (seen,) = sightings("node-stands-still", told())
    assert (seen.node, seen.values["ending"]) == ("fig-2", "ledger-7c9d5b6f44-2kx9p")
    assert sightings("node-stands-still", told(more=PULLED)) == []


@pytest.mark.parametrize("command", ["docker ps", "sudo crictl ps -a", "ctr -n k8s.io c ls", "time docker info"])
def test_a_runtime_that_was_asked_in_vain(command):
    (seen,) = sightings("runtime-given-up", f"[root@fig-2 ~]# {command}\n^C\n[root@fig-2 ~]# uptime\n")
    assert (seen.node, seen.values["command"]) == ("fig-2", command)


@pytest.mark.parametrize(
    "text",
    [
        "[root@fig-2 ~]# docker logs -f 4e5f\n^C\n",
        "[root@fig-2 ~]# docker ps\nCONTAINER ID   IMAGE   COMMAND\n^C\n",
        "[root@fig-2 ~]# curl -k https://10.61.4.11:6443/healthz\n^C\n",
        "[root@fig-2 ~]# docker ps\n[root@fig-2 ~]# uptime\n",
    ],
)
def test_what_says_nothing_of_the_runtime(text):
    assert sightings("runtime-given-up", text) == []


def test_a_plain_command_inside_a_container():
    asked = "[root@bastion ~]# kubectl -n shop exec ledger-7c9d5b6f44-2kx9p -- {}\n^C\n"
    (seen,) = sightings("exec-given-up", PODS.format(age="20m") + asked.format("date"))
    assert seen.node == "fig-2"
    assert sightings("exec-given-up", PODS.format(age="20m") + asked.format("curl http://10.96.0.9")) == []
