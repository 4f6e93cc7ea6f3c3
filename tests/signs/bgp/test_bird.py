"""What BIRD's own tools and its peers say of one BIRD."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings

TWO = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")
GONE = """
[root@birch-1 ~]# birdcl -s /var/run/calico/bird.ctl show protocols
Unable to connect to server control socket (/var/run/calico/bird.ctl): Connection refused
"""
PEER = """
[root@birch-2 ~]# birdcl -s /var/run/calico/bird.ctl show protocols
BIRD v0.3.3+birdv1.6.8 ready.
name     proto    table    state  since       info
Mesh_10_71_0_11 BGP      master   {}
"""
TEST = """
[root@birch-2 ~]# nc -zv -w 3 10.71.0.11 179
nc: connect to 10.71.0.11 port 179 (tcp) failed: Connection refused
"""


def where(text):
    return [(seen.node, seen.values["peer"]) for seen in sightings("bird-refuses-inside-and-out", text)]


@pytest.mark.parametrize(
    "seen_by_others", [PEER.format("start  08:14:58    Active        Socket: Connection refused"), TEST]
)
def test_refused_on_its_own_machine_and_from_another(seen_by_others):
    assert where(TWO + GONE + seen_by_others) == [("birch-1", "10.71.0.11")]


@pytest.mark.parametrize("row", ["up     08:14:58    Established", "start  08:14:58    Connect"])
def test_peers_that_are_not_refused(row):
    assert where(TWO + GONE + PEER.format(row)) == []


def test_refused_from_outside_alone_may_be_a_firewall():
    assert where(TWO + PEER.format("start  08:14:58    Active        Socket: Connection refused")) == []
