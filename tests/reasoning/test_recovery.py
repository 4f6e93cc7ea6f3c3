"""Whether the evidence shows the fault and, later on, the same node in good health."""

from __future__ import annotations

import pytest

from calivet.signs.sign_detector import MOST_KEPT
from tests.facts.drawing import nodes, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, sign

KNOWN = catalogue(cause("fault", sign("gone", "proof", pattern="frobnicator is gone")))
FAULT = "[root@birch-2 ~]# dmesg\nkernel: the frobnicator is gone\n"
BAD = pods("calico-node-7tq4n 0/1 CrashLoopBackOff 9 3h 10.71.0.12 birch-2")
GOOD = pods("calico-node-7tq4n 1/1 Running 9 4h 10.71.0.12 birch-2")
NODE_BAD = nodes("birch-2 NotReady 10.71.0.12")
NODE_GOOD = nodes("birch-2 Ready 10.71.0.12")
OTHER_GOOD = pods("calico-node-2bs6x 1/1 Running 0 4h 10.71.0.11 birch-1")
PEERS = """[root@birch-2 ~]# calicoctl node status
Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+------------+-------------+
| PEER ADDRESS |     PEER TYPE     | STATE |   SINCE    |    INFO     |
+--------------+-------------------+-------+------------+-------------+
| 10.71.0.11   | node-to-node mesh | {} |
| 10.71.0.13   | node-to-node mesh | {} |
+--------------+-------------------+-------+------------+-------------+

"""
UP, DOWN = "up    | 2020-10-10 | Established", "start | 2020-10-10 | Connect    "


def repaired(*parts):
    (found,) = diagnosed(KNOWN, "".join(parts)).findings
    return found.later_healthy


@pytest.mark.parametrize(
    "text",
    [
        (BAD, FAULT, GOOD),
        (NODE_BAD, FAULT, NODE_GOOD),
        (FAULT, GOOD, NODE_GOOD),
        (NODE_GOOD, FAULT, PEERS.format(UP, UP)),
    ],
)
def test_the_fault_and_then_good_health(text):
    assert repaired(*text)


@pytest.mark.parametrize(
    "text",
    [
        (FAULT,),
        (GOOD, FAULT),
        (GOOD, FAULT, BAD),
        (FAULT, GOOD, BAD),
        (FAULT, GOOD, FAULT),
        (FAULT, OTHER_GOOD),
        (FAULT, NODE_GOOD, NODE_BAD),
        (NODE_GOOD, FAULT, PEERS.format(UP, DOWN)),
    ],
    ids=[
        "never seen well",
        "well before",
        "well, then sick",
        "sick again",
        "fault again",
        "another node",
        "node down again",
        "session down",
    ],
)
def test_not_repaired(text):
    assert not repaired(*text)


def test_every_node_concerned_must_be_well():
    both = FAULT + FAULT.replace("birch-2", "birch-1")
    assert not repaired(both, GOOD)
    assert repaired(both, GOOD, OTHER_GOOD)


def test_a_later_file_is_later():
    (found,) = diagnosed(KNOWN, {"1-log.txt": FAULT, "2-pods.txt": GOOD}).findings
    assert found.later_healthy
    (found,) = diagnosed(KNOWN, {"1-pods.txt": GOOD, "2-log.txt": FAULT}).findings
    assert not found.later_healthy


def test_short_and_full_names_are_one_node():
    good = GOOD.replace("birch-2", "birch-2.example.net")
    assert repaired(FAULT, good)


def test_a_ready_node_with_a_sick_calico_node_is_not_well():
    assert not repaired(FAULT, BAD, NODE_GOOD)


def test_every_session_must_be_up():
    assert not repaired(NODE_GOOD, FAULT, PEERS.format(DOWN, UP))


def test_a_fault_that_comes_back_after_many_repeats():
    many = "[root@birch-2 ~]# dmesg\n" + "kernel: the frobnicator is gone\n" * (MOST_KEPT + 10)
    assert not repaired(many, GOOD, FAULT)


def test_the_sessions_of_a_host_that_is_in_no_list():
    assert repaired(FAULT, PEERS.format(UP, UP))
