"""BGP passwords that differ, in the kernel's counters."""

from __future__ import annotations

from calivet.facts.calico import BgpPeer
from calivet.facts.host import KernelCounter
from calivet.signs.bgp.peering import SIGNS
from tests.facts.drawing import nodes, sightings
from tests.signs.made_pictures import line, picture

ROWS = """
[root@birch-1 ~]# birdcl show protocols
name     proto    table    state  since       info
Mesh_10_71_0_12 BGP      master   {state}     2024-05-06  {info}
[root@birch-1 ~]# nstat -asz
TcpExtTCPMD5Failure             {count}                 0.0
"""
TWO = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")


def seen(state, info, count):
    text = TWO + ROWS.format(state=state, info=info, count=count)
    return [(one.node, one.values["count"]) for one in sightings("signed-segments-dropped", text)]


def test_dropped_segments_and_a_session_that_is_down_concern_both_ends():
    assert seen("start", "Passive", 17) == [("birch-1", "17"), ("birch-2", "17")]


def test_an_old_count_beside_a_session_that_is_up_says_nothing():
    assert seen("up", "Established", 17) == []


def test_nothing_dropped_nothing_seen():
    assert seen("start", "Passive", 0) == []


def test_the_count_of_one_machine_says_nothing_of_another():
    down = BgpPeer(at=line("x"), host="birch-3", address="10.71.0.12", state="start", info="Connect")
    counter = KernelCounter(at=line("y"), host="birch-1", name="TCPMD5Failure", value=17)
    assert list(SIGNS["signed-segments-dropped"](picture(down, counter))) == []
