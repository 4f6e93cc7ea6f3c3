"""Which ways fail: through the tunnel or without it, ping or TCP."""

from __future__ import annotations

from tests.facts.drawing import nodes, pods, sightings

ROUTES = """
[root@fir-1 ~]# ip route
default via 10.5.0.1 dev eth0
10.88.3.0/26 via 10.5.0.12 dev eth0 proto bird
10.88.9.0/26 via 10.6.0.13 dev tunl0 proto bird onlink
blackhole 10.88.1.0/26 proto bird
"""
LOSS = """
[root@fir-1 ~]# ping -c 2 {0}
PING {0} ({0}) 56(84) bytes of data.

--- {0} ping statistics ---
2 packets transmitted, 0 received, 100% packet loss, time 1001ms
"""
REPLY = """
[root@fir-1 ~]# ping -c 1 {0}
PING {0} ({0}) 56(84) bytes of data.
64 bytes from {0}: icmp_seq=1 ttl=62 time=0.412 ms
"""
BESIDE, BEYOND = "10.88.3.9", "10.88.9.9"


class TestOneWayOnly:
    def test_only_what_goes_through_the_tunnel_fails(self):
        (seen,) = sightings("fails-only-encapsulated", ROUTES + LOSS.format(BEYOND) + REPLY.format(BESIDE))
        assert seen.values == {"lost": BEYOND, "passed": BESIDE}

    def test_only_what_goes_without_it_fails(self):
        (seen,) = sightings("fails-only-unencapsulated", ROUTES + LOSS.format(BESIDE) + REPLY.format(BEYOND))
        assert seen.values == {"lost": BESIDE, "passed": BEYOND}

    def test_both_fail(self):
        text = ROUTES + LOSS.format(BESIDE) + LOSS.format(BEYOND)
        assert sightings("fails-only-encapsulated", text) == []
        assert sightings("fails-only-unencapsulated", text) == []

    def test_without_routes_nobody_knows_the_way(self):
        assert sightings("fails-only-encapsulated", LOSS.format(BEYOND) + REPLY.format(BESIDE)) == []


class TestPodsLost:
    WELL = pods(
        "calico-node-aaaaa 1/1 Running 0 9d 10.5.0.11 fir-1", "calico-node-bbbbb 1/1 Running 0 9d 10.6.0.13 fir-3"
    )
    SICK = pods("calico-node-aaaaa 0/1 Running 0 9d 10.5.0.11 fir-1")
    POOL = """
[root@fir-1 ~]# calicoctl get ippool -o wide
NAME      CIDR           NAT    IPIPMODE   VXLANMODE   DISABLED   SELECTOR
default   10.88.0.0/16   true   {0}      {1}       false      all()
"""

    def test_behind_the_tunnel_though_calico_is_well(self):
        (seen,) = sightings("tunnelled-pods-lost", self.WELL + ROUTES + LOSS.format(BEYOND))
        assert (seen.node, seen.values) == ("fir-1", {"target": BEYOND, "device": "tunl0"})

    def test_the_pool_tells_where_no_route_was_shown(self):
        text = self.WELL + self.POOL.format("Never", "Always") + LOSS.format(BEYOND)
        (seen,) = sightings("tunnelled-pods-lost", text)
        assert seen.values["device"] == "vxlan.calico"

    def test_a_sick_calico_node_explains_the_loss_itself(self):
        assert sightings("tunnelled-pods-lost", self.SICK + ROUTES + LOSS.format(BEYOND)) == []

    def test_a_pool_without_encapsulation(self):
        text = self.WELL + self.POOL.format("Never", "Never") + LOSS.format(BEYOND)
        (seen,) = sightings("bare-pods-lost", text)
        assert seen.values["target"] == BEYOND
        assert sightings("tunnelled-pods-lost", text) == []


class TestPingAgainstTcp:
    CURL = """
[root@fir-1 ~]# curl -m 5 http://{0}:8080
curl: (28) Connection timed out after 5001 milliseconds
"""

    def test_ping_passes_and_tcp_is_lost(self):
        (seen,) = sightings("icmp-passes-tcp-lost", REPLY.format(BEYOND) + self.CURL.format(BEYOND))
        assert seen.values == {"target": BEYOND}

    def test_without_a_ping_it_is_any_timeout(self):
        assert sightings("icmp-passes-tcp-lost", nodes("fir-1 Ready 10.5.0.11") + self.CURL.format(BEYOND)) == []

    def test_that_bgp_is_shut_out_has_other_reasons(self):
        bgp = f"[root@fir-1 ~]# nc -zv -w 3 {BEYOND} 179\nNcat: Connection timed out.\n"
        assert sightings("icmp-passes-tcp-lost", REPLY.format(BEYOND) + bgp) == []
