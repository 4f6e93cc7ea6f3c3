from __future__ import annotations

import pytest

from calivet.signs.host.local_network import find_bgp_shut_by_host_rule
from tests.facts.drawing import picture_of

SAVED = """\
[root@w-2 ~]# iptables-save
*filter
:INPUT ACCEPT
-A INPUT -p tcp -m tcp --dport 179 -j {target}
COMMIT
[root@w-2 ~]# birdcl show protocols
BIRD v0.3.3+birdv1.6.8 ready.
name     proto    table    state  since       info
Mesh_10_20_0_11 BGP      master   {state}
"""
DOWN, UP = "start  09:12:04    Connect", "up     09:12:04    Established"


def test_a_rule_without_a_counter_beside_a_session_that_is_down():
    (sighting,) = find_bgp_shut_by_host_rule(picture_of(SAVED.format(target="DROP", state=DOWN)))
    assert sighting.node == "w-2"
    assert sighting.values["rule"] == "INPUT -p tcp -m tcp --dport 179 -j DROP"


@pytest.mark.parametrize(("target", "state"), [("ACCEPT", DOWN), ("DROP", UP)])
def test_neither_a_rule_that_lets_it_through_nor_one_that_does_no_harm(target, state):
    assert list(find_bgp_shut_by_host_rule(picture_of(SAVED.format(target=target, state=state)))) == []
