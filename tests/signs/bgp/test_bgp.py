"""BGP sessions, and what their two ends see."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings

TWO = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")
HEAD = """[root@{} ~]# {}
Calico process is running.

IPv4 BGP status
+----------------+-------------------+-------+------------+-------------+
|  PEER ADDRESS  |     PEER TYPE     | STATE |   SINCE    |    INFO     |
+----------------+-------------------+-------+------------+-------------+
"""


def status(host, *peers, command="calicoctl node status"):
    rows = (f"| {address} | node-to-node mesh | {state} | 2020-10-10 | {info} |\n" for address, state, info in peers)
    return HEAD.format(host, command) + "".join(rows) + "\nIPv6 BGP status\nNo IPv6 peers found.\n\n"


UP = ("10.71.0.12", "up", "Established")


class TestNotEstablished:
    @pytest.mark.parametrize(
        "info", ["Passive", "Active", "Connect", "Active Socket: Connection refused", "OpenSent", "Idle", ""]
    )
    def test_fires(self, info):
        (seen,) = sightings("bgp-not-established", TWO + status("birch-1", ("10.71.0.12", "start", info)))
        assert (seen.node, seen.values["peer"]) == ("birch-1", "10.71.0.12")
        assert seen.values["info"] == (info or "start")

    def test_silent_on_sessions_that_are_up(self):
        assert sightings("bgp-not-established", status("birch-1", UP)) == []

    def test_each_session_on_its_own_line(self):
        text = status("birch-1", UP, ("10.71.0.13", "start", "Passive"), ("10.71.0.14", "start", "Passive"))
        assert [seen.line.text.split()[1] for seen in sightings("bgp-not-established", text)] == [
            "10.71.0.13",
            "10.71.0.14",
        ]

    def test_the_words_of_bird_itself(self):
        text = (
            "[root@birch-1 ~]# birdcl -s /var/run/calico/bird.ctl show protocols\nBIRD v0.3.3+birdv1.6.8 ready.\n"
            "name     proto    table    state  since       info\n"
            "Mesh_10_71_0_12 BGP      master   start  2020-10-10  Active        Socket: Connection refused\n"
        )
        (seen,) = sightings("bgp-not-established", text)
        assert (seen.node, seen.values["peer"]) == ("birch-1", "10.71.0.12")


class TestEndsDiffer:
    WAITS = ("10.71.0.12", "start", "Passive")

    def test_one_waits_while_the_other_calls_elsewhere(self):
        text = TWO + status("birch-1", self.WAITS) + status("birch-2", ("192.168.250.11", "start", "Connect"))
        (seen,) = sightings("bgp-ends-differ", text)
        assert seen.node == "birch-1"
        assert seen.values == {"peer": "10.71.0.12", "other": "birch-2", "stranger": "192.168.250.11"}

    @pytest.mark.parametrize(
        "text",
        [
            status("birch-1", WAITS) + status("birch-2", ("10.71.0.11", "start", "Connect")),
            status("birch-1", UP) + status("birch-2", ("192.168.250.11", "start", "Connect")),
            status("birch-1", WAITS),
            status("birch-1", WAITS) + status("birch-2"),
        ],
        ids=["both try each other", "session is up", "other end not seen", "other end has no session"],
    )
    def test_silent(self, text):
        assert sightings("bgp-ends-differ", TWO + text) == []

    def test_the_last_view_of_each_end_counts(self):
        before = status("birch-1", self.WAITS) + status("birch-2", ("192.168.250.11", "start", "Connect"))
        assert sightings("bgp-ends-differ", TWO + before + status("birch-1", UP)) == []
