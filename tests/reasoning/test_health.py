"""Healthy may be said only where Calico was seen at work and nothing was seen that is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calivet.catalogue.model import Trace
from calivet.reasoning.doubts import GRAVE, find_doubts
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, effect, seen_at, sign

KNOWN = catalogue(
    cause("fault", sign("gone", "strong", pattern="frobnicator is gone"), leads_to=["traffic-lost"]),
    cause("crash", sign("burst", "proof", pattern="frobnicator burst"), leads_to=["calico-node-crash-loop"]),
    effect("traffic-lost"),
    effect("calico-node-crash-loop", traces=[Trace(computed="calico-node-crash-loop")]),
    effect("node-not-ready", traces=[Trace(computed="node-not-ready")]),
)
GOOD = pods(
    "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1", "calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2"
)
FELIX = (
    "[root@bastion ~]# kubectl -n kube-system logs calico-node-7tq4n -c calico-node\n"
    "2023-04-05 10:11:12.345 [INFO][70] felix/health.go 336: Overall health status changed: live={} ready={}\n"
    "+---------------+---------+----------------+-----------------+--------+\n"
    "|   COMPONENT   | TIMEOUT |    LIVENESS    |    READINESS    | DETAIL |\n"
    "+---------------+---------+----------------+-----------------+--------+\n"
    "| felix-startup | -       | reporting live | reporting ready |        |\n"
    "+---------------+---------+----------------+-----------------+--------+\n"
)


def verdict(text):
    return diagnosed(KNOWN, text).verdict


@pytest.mark.parametrize("text", [GOOD, FELIX.format("true", "true")], ids=["pods", "Felix"])
def test_calico_seen_at_work(text):
    assert verdict(text) == "healthy"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dear diary, today was a good day",
        nodes("birch-1 Ready 10.71.0.11"),
        pods("orders-84c6b9d7f5-9hxkt 1/1 Running 0 9d 10.244.0.9 birch-1"),
        pods("calico-kube-controllers-85b5b5888d-mx2zf 1/1 Running 0 9d 10.244.0.9 birch-1"),
        pods("coredns-78fcd69978-5vq7l 1/1 Running 0 9d 10.244.0.9 birch-1"),
        "[root@birch-1 ~]# uptime\n 10:44:51 up 96 days,  3:25,  2 users,  load average: 0.01, 0.02, 0.01\n",
        "calico-node is fine, everything works.",
        pods("calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2"),
        pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1", "calico-node-7tq4n 0/1 Init:0/3 0 9d 10.71.0.12 birch-2"),
        FELIX.format("true", "false"),
        FELIX.format("true", "true") + FELIX.format("true", "false"),
        GOOD + nodes("birch-2 NotReady 10.71.0.12"),
    ],
    ids=["nothing", "prose", "nodes alone", "an application", "controllers alone", "DNS alone", "a host", "told only",
         "not ready", "one in init", "Felix not ready", "Felix no longer ready", "a node is down"],
)  # fmt: skip
def test_never_healthy(text):
    assert verdict(text) == "insufficient"


def test_a_session_that_is_down_forbids_it_until_it_is_up():
    box = "[root@birch-1 ~]# calicoctl node status\nCalico process is running.\n\nIPv4 BGP status\n+---+\n| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |  INFO   |\n+---+\n| 10.71.0.12 | node-to-node mesh | {} |\n+---+\n"
    down = box.format("start | 2020-10-10 | Passive")
    up = box.format("up | 2020-10-10 | Established")
    assert verdict(GOOD + down) == "insufficient"
    assert verdict(GOOD + down + up) == "healthy"


def test_a_likely_candidate_forbids_it():
    assert verdict(GOOD + "[root@birch-1 ~]# dmesg\nkernel: the frobnicator is gone\n") == "insufficient"


@pytest.mark.parametrize("grave", GRAVE)
def test_each_grave_effect_forbids_it(grave):
    picture = picture_of(GOOD)
    assert not find_doubts(picture, {}, {})
    assert find_doubts(picture, {grave: seen_at(1)}, {})
    assert not find_doubts(picture, {"pods-wait": seen_at(1)}, {})


class TestGoodStateAgainstFault:
    """A fault that would have made calico-node sick is not asserted where calico-node is seen well after it."""

    BURST = "[root@birch-2 ~]# dmesg\nkernel: the frobnicator burst\n"
    SICK = pods("calico-node-7tq4n 0/1 CrashLoopBackOff 41 9d 10.71.0.12 birch-2")

    def test_well_ever_since(self):
        found = diagnosed(KNOWN, self.BURST + GOOD)
        assert found.findings == []

    def test_even_a_proof_and_more_is_history_beside_a_good_state_shown_apart(self):
        known = catalogue(
            cause("crash", sign("burst", "proof"), sign("smoke", "fair"), leads_to=["calico-node-crash-loop"]),
            effect("calico-node-crash-loop"),
        )
        past = "[root@birch-2 ~]# dmesg\nkernel: burst\nkernel: smoke\n"
        assert diagnosed(known, {"past.txt": past, "now.txt": GOOD}).verdict == "healthy"
        assert diagnosed(known, {"repair.txt": past + GOOD}).verdict == "fault", "one document tells of a repair"

    def test_a_kubelet_that_did_not_run_shows_in_the_nodes(self):
        known = catalogue(
            cause("swap", sign("burst", "proof"), leads_to=["kubelet-not-running"]), effect("kubelet-not-running")
        )
        past = "[root@birch-2 ~]# journalctl -u kubelet\nburst\n"
        both = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")
        assert diagnosed(known, {"past.txt": past, "now.txt": GOOD + both}).verdict == "healthy"
        assert diagnosed(known, {"past.txt": past, "now.txt": GOOD}).verdict == "fault", "pods keep their last state"

    def test_sick_meanwhile(self):
        assert verdict(self.BURST + self.SICK + GOOD) == "fault"

    def test_nothing_seen_of_calico_node(self):
        assert verdict(self.BURST) == "fault"

    def test_only_another_node_is_well(self):
        assert verdict(self.BURST + pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1")) == "fault"

    def test_well_before_says_nothing(self):
        assert verdict(GOOD + self.BURST) == "fault"


@settings(max_examples=40)
@given(st.text(st.sampled_from("abc READY Running 1/1 calico node\n 0.-:|+"), max_size=300))
def test_noise_is_never_healthy(text):
    assert verdict({"x.txt": text}) == "insufficient"


def test_calicoctl_that_finds_no_calico_forbids_it():
    assert verdict(GOOD + "[root@birch-2 ~]# calicoctl node status\nCalico process is not running.\n") != "healthy"


def test_a_pod_between_two_restarts_is_not_well():
    assert verdict(pods("calico-node-7tq4n 1/1 Running 312~(14s~ago) 2d 10.71.0.12 birch-2")) != "healthy"


class TestComplaints:
    """What the author misses weighs more than a state that looks good, and than a single test that gets through."""

    PING = "[root@birch-1 ~]# ping -c 3 10.244.9.7\n3 packets transmitted, 3 received, 0% packet loss, time 2003ms\n"

    @pytest.mark.parametrize(
        "note",
        [
            "Since the reload this morning pods on birch-1 can't reach pods on other workers.",
            "Workloads of the two racks cannot talk to each other.",
            "There is no connectivity between the nodes of the new pool.",
            "跨节点的 Pod 之间 ping 不通，同节点正常。",
            "从 birch-1 上的容器无法访问其他节点的服务。",
        ],
    )
    def test_lost_traffic_forbids_it(self, note):
        assert verdict({"note.md": f"{note}\n", "pods.txt": GOOD}) == "insufficient"
        assert verdict({"note.md": f"{note}\n", "pods.txt": GOOD, "test.txt": self.PING}) == "insufficient"

    def test_a_remark_that_may_mean_anything_gives_way_to_a_test(self):
        note = "Containers leave birch-1 with another address.\n"
        assert verdict({"note.md": note, "pods.txt": GOOD}) == "insufficient"
        assert verdict({"note.md": note, "pods.txt": GOOD, "test.txt": self.PING}) == "healthy"

    @pytest.mark.parametrize(
        "note", ["Users do not complain. Is it about to fall over?", "所有 Pod 访问正常，只是日志很多。"]
    )
    def test_a_mere_question_does_not(self, note):
        assert verdict({"note.md": f"{note}\n", "pods.txt": GOOD}) == "healthy"


class TestPodsThatWait:
    """One may have reasons of its own; several, for long, have the same."""

    ONE = "orders-84c6b9d7f5-9hxkt 0/1 ContainerCreating 0 {age} <none> birch-1"
    TWO = "stock-5d7c9f9d5b-rrxm6 0/1 ContainerCreating 0 {age} <none> {node}"

    @pytest.mark.parametrize(
        ("age", "node", "expected"),
        [("41m", "birch-1", "insufficient"), ("9s", "birch-1", "healthy"), ("41m", "birch-2", "insufficient")],
    )
    def test_several_for_long(self, age, node, expected):
        waiting = pods(self.ONE.format(age=age), self.TWO.format(age=age, node=node))
        assert verdict({"calico.txt": GOOD, "pods.txt": waiting}) == expected


class TestStrangers:
    """What is wrong on a machine that is no node is not the cluster's fault."""

    KNOWN = catalogue(cause("fault", sign("burst", "proof"), leads_to=["traffic-lost"]), effect("traffic-lost"))
    NODES = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")

    @pytest.mark.parametrize(
        ("host", "state", "expected"),
        [
            ("bastion", NODES + GOOD, "healthy"),
            ("birch-2", NODES + GOOD, "fault"),
            ("bastion", GOOD, "fault"),
            ("bastion", NODES.replace("Ready ", "NotReady ", 1) + GOOD, "insufficient"),
            ("elsewhere", NODES.replace("Ready ", "NotReady ", 1) + GOOD, "fault"),
        ],
        ids=["all are well", "a node", "no list", "somebody only worked there", "perhaps the sick node's other name"],
    )
    def test_beside_nodes_that_are_known(self, host, state, expected):
        seen = f"[root@{host} ~]# sysctl net.frobnicate\nburst\n"
        assert diagnosed(self.KNOWN, seen + state).verdict == expected


def test_one_line_about_an_address_proves_nothing_and_several_do():
    known = catalogue(effect("calico-at-work", traces=[Trace(pattern="claimed")]))
    line = "2023-04-05 10:11:1{}.345 [INFO][70] ipam/ipam.go 1216: claimed\n"
    assert diagnosed(known, line.format(1)).verdict == "insufficient"
    assert diagnosed(known, "".join(line.format(second) for second in range(5))).verdict == "healthy"
