"""The first screen: one line for each part of the cluster, as far as it was seen."""

from __future__ import annotations

import re

import pytest

from calivet.reasoning.components import list_components
from calivet.reasoning.diagnosis import Finding
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import cause, seen_at, words

NAMES = ["nodes", "calico-node", "BGP", "datastore", "runtime"]
BOX = """[root@birch-1 ~]# calicoctl node status
Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+------------+-------------+
| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |    INFO     |
+--------------+-------------------+-------+------------+-------------+
| 10.71.0.12   | node-to-node mesh | {} |
+--------------+-------------------+-------+------------+-------------+

"""
UP, DOWN = "up    | 2020-10-10 | Established", "start | 2020-10-10 | Passive    "
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def build_finding(name, layer="runtime"):
    return Finding(cause(name, layer=layer), 0.9, [], words(""), [], [], [name], [], [])


def parts(text, observed=None, findings=()):
    return {part.name.en: part for part in list_components(picture_of(text), observed or {}, findings)}


def state(text, name, observed=None):
    part = parts(text, observed)[name]
    return part.good, part.state.en


def test_nothing_seen_is_said_of_each_part():
    found = parts("")
    assert list(found) == NAMES
    assert {part.good for part in found.values()} == {None}
    assert {(part.state.en, part.state.zh) for part in found.values()} == {("not seen", "未见到")}


class TestNodes:
    def test_all_well(self):
        assert state(nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12"), "nodes") == (True, "both Ready")

    def test_some_not(self):
        text = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12")
        assert state(text, "nodes") == (False, "1 of 2 not Ready: birch-2")

    def test_nobody_knows_whose_session_it_is(self):
        text = BOX.format(DOWN).replace("[root@birch-1 ~]#", "$")
        assert state(text, "BGP") == (False, "down: 10.71.0.12: Passive")

    def test_back_again(self):
        text = nodes("birch-2 NotReady 10.71.0.12") + nodes("birch-2 Ready 10.71.0.12")
        assert state(text, "nodes") == (False, "not Ready: birch-2; later Ready: birch-2")


class TestCalicoNode:
    def test_all_well(self):
        text = pods(
            "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1",
            "calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2",
        )
        assert state(text, "calico-node") == (True, "both ready")

    @pytest.mark.parametrize(
        ("row", "said"),
        [("0/1 Running", "Running 0/1"), ("0/1 Init:0/3", "Init:0/3"), ("0/1 CrashLoopBackOff", "CrashLoopBackOff")],
    )
    def test_one_not(self, row, said):
        text = pods(
            "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1", f"calico-node-7tq4n {row} 0 9d 10.71.0.12 birch-2"
        )
        assert state(text, "calico-node") == (False, f"1 of 2 not ready: calico-node-7tq4n @ birch-2: {said}")

    def test_back_again(self):
        text = pods("calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2") + pods(
            "calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2"
        )
        assert state(text, "calico-node")[1].endswith("; later ready: calico-node-7tq4n")

    def test_other_pods_say_nothing_about_it(self):
        assert state(pods("orders-84c6b9d7f5-9hxkt 0/1 Running 0 9d 10.244.0.9 birch-1"), "calico-node") == (
            None,
            "not seen",
        )


class TestBgp:
    def test_up(self):
        assert state(BOX.format(UP), "BGP") == (True, "1 session seen: Established")

    def test_down(self):
        assert state(BOX.format(DOWN), "BGP") == (False, "down: birch-1 -> 10.71.0.12: Passive")

    def test_back_again(self):
        good, said = state(BOX.format(DOWN) + BOX.format(UP), "BGP")
        assert good or "later" in said


class TestDatastore:
    SERVERS = "kube-apiserver-birch-1 {} 0 9d 10.71.0.11 birch-1"

    def test_servers(self):
        assert state(pods(self.SERVERS.format("1/1 Running")), "datastore") == (True, "ready")
        assert state(pods(self.SERVERS.format("0/1 CrashLoopBackOff")), "datastore")[0] is False

    def test_errors_weigh_more_than_running_servers(self):
        text = pods(self.SERVERS.format("1/1 Running"))
        observed = {"api-unreachable": seen_at(1, 2, node="birch-2")}
        assert state(text, "datastore", observed) == (False, "errors seen from birch-2")
        assert state(text, "datastore", {"api-unreachable": seen_at(1)}) == (False, "errors seen")


class TestRuntime:
    STATUS = "[root@birch-2 ~]# systemctl is-active {}\n{}\n"

    def test_a_unit_that_is_down(self):
        assert state(self.STATUS.format("containerd", "failed"), "runtime") == (False, "containerd @ birch-2: failed")

    def test_a_unit_that_is_active_does_not_thereby_answer(self):
        assert state(self.STATUS.format("docker", "active"), "runtime") == (
            None,
            "docker is active; whether it answers was not seen",
        )

    def test_only_its_version(self):
        good, said = state(nodes("birch-1 Ready 10.71.0.11"), "runtime")
        assert good is None
        assert said == "containerd://1.6.8; its state was not seen"

    def test_other_units_are_no_runtime(self):
        assert state(self.STATUS.format("chronyd", "failed"), "runtime") == (None, "not seen")


def test_the_other_language_says_the_same_numbers():
    text = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12") + BOX.format(DOWN)
    for part in parts(text).values():
        assert re.findall(r"\d+(?:\.\d+)*", part.state.en) == sorted(
            re.findall(r"\d+(?:\.\d+)*", part.state.zh), key=part.state.en.find
        )
        assert CHINESE.search(part.state.zh)


class TestBlame:
    def test_a_part_that_a_finding_blames_is_not_good(self):
        hangs = build_finding("runtime-unresponsive")
        part = parts("[root@birch-2 ~]# systemctl is-active docker\nactive\n", findings=[hangs])["runtime"]
        assert (part.good, part.state.en) == (False, hangs.cause.title.en)

    def test_what_was_seen_good_stays_beside_the_blame(self):
        ready = nodes("birch-1 Ready 10.71.0.11")
        part = parts(ready, findings=[build_finding("kubelet-down", layer="kubelet")])["nodes"]
        assert part.good is False
        assert part.state.en.startswith("Ready, but: ")
        assert "但" in part.state.zh

    @pytest.mark.parametrize(
        ("name", "layer", "blamed"),
        [
            ("bgp-port-blocked", "bgp", ["BGP"]),
            ("etcd-unhealthy", "api", ["datastore"]),
            ("token-invalid", "api", []),
            ("network-policy-blocks", "felix", []),
        ],
    )
    def test_only_the_blamed_part(self, name, layer, blamed):
        found = parts("", findings=[build_finding(name, layer=layer)])
        assert [part for part, state in found.items() if state.good is False] == blamed
