"""Whether full packets reach other nodes, by what the probe's pings came to."""

from __future__ import annotations

import pytest

from calivet.preflight.requirement import Outcome
from tests.preflight.evidence import ROCKY, Probe, answers

TURNED_BACK = """\
PING 10.44.1.24 (10.44.1.24) 1472(1500) bytes of data.
From 10.44.1.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)
ping: local error: message too long, mtu=1400
ping: local error: message too long, mtu=1400

--- 10.44.1.24 ping statistics ---
3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 410ms

"""
KNOWN_BEFORE = TURNED_BACK.replace(
    "From 10.44.1.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)", "ping: local error: message too long, mtu=1400"
)
LOST = """\
PING 10.44.1.24 (10.44.1.24) 1472(1500) bytes of data.

--- 10.44.1.24 ping statistics ---
3 packets transmitted, 0 received, 100% packet loss, time 403ms

"""
ONE_LOST = """\
PING 10.44.1.24 (10.44.1.24) 1472(1500) bytes of data.
1480 bytes from 10.44.1.24: icmp_seq=1 ttl=64 time=0.412 ms
1480 bytes from 10.44.1.24: icmp_seq=3 ttl=64 time=0.391 ms

--- 10.44.1.24 ping statistics ---
3 packets transmitted, 2 received, 33% packet loss, time 403ms
rtt min/avg/max/mdev = 0.391/0.401/0.412/0.010 ms
"""
SMALL = """\
PING 10.44.1.24 (10.44.1.24) 56(84) bytes of data.
64 bytes from 10.44.1.24: icmp_seq=1 ttl=63 time=0.046 ms

--- 10.44.1.24 ping statistics ---
1 packets transmitted, 1 received, 0% packet loss, time 0ms
rtt min/avg/max/mdev = 0.046/0.046/0.046/0.000 ms
"""
DOWN = "ping -c 1 -W 1 10.44.1.29 >/dev/null 2>&1 && { ping -c 3 -i 0.2 -W 1 -M do -s 1472 10.44.1.29 || ping -c 1 -W 1 10.44.1.29; }"


def told(output: str, foot: str = "exit=0 seconds=1.42"):
    return answers(Probe(ROCKY).show("ping", output, foot))


@pytest.mark.parametrize("shown", [LOST, TURNED_BACK, KNOWN_BEFORE], ids=["lost", "turned back", "known before"])
def test_what_is_too_large_for_the_way_fails(shown):
    found = told(shown + SMALL)
    assert {key for key, answer in found.items() if answer.outcome is Outcome.FAIL} == {"full-packets"}
    assert found["full-packets"].says.en == "to 10.44.1.24 56 bytes pass and 1472 bytes do not"


def test_a_network_that_drops_every_ping_tells_nothing():
    found = told("", "exit=1 seconds=1.01")
    assert not [key for key, answer in found.items() if answer.outcome is Outcome.FAIL]
    assert found["full-packets"].outcome is Outcome.UNCHECKED
    assert "nothing answers ping" in found["full-packets"].says.en


def test_one_node_that_is_down_does_not_matter():
    probe = Probe(ROCKY).show(DOWN, "", "exit=1 seconds=1.01")
    assert answers(probe)["full-packets"].outcome is Outcome.PASS


def test_one_lost_packet_does_not_matter():
    assert told(ONE_LOST)["full-packets"].outcome is Outcome.PASS


def test_the_small_ping_lost_too_tells_nothing():
    small = SMALL.replace("64 bytes from 10.44.1.24: icmp_seq=1 ttl=63 time=0.046 ms\n", "").replace(
        "1 received, 0%", "0 received, 100%"
    )
    assert told(LOST + small, "exit=1 seconds=2.40")["full-packets"].outcome is Outcome.UNCHECKED


def test_no_ping_that_could_tell():
    answer = answers(Probe(ROCKY).without("ping"))["full-packets"]
    assert answer.says
    assert "no ping" in answer.says.en
