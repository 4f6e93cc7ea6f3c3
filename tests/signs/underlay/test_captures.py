"""What captures tell: packets that leave and never arrive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.signs.underlay.captures import SIGNS
from tests.facts.drawing import nodes, picture_of, pods, sightings

TWO = nodes("elm-1 Ready 10.64.0.11", "elm-2 Ready 10.64.0.12")
WORKLOADS = pods(
    "probe-aa1 1/1 Running 0 5m 10.91.4.20 elm-1", "probe-bb2 1/1 Running 0 5m 10.91.7.31 elm-2", namespace="lab"
)
IPIP = """
[root@elm-1 ~]# tcpdump -ni ens5 ip proto 4
08:09:10.111213 IP 10.64.0.11 > 10.64.0.12: IP 10.91.4.0 > 10.91.7.31: ICMP echo request, id 7, seq 1, length 64 (ipip-proto-4)
08:09:11.111213 IP 10.64.0.11 > 10.64.0.12: IP 10.91.4.0 > 10.91.7.31: ICMP echo request, id 7, seq 2, length 64 (ipip-proto-4)
"""
VXLAN = """
[root@elm-1 ~]# tcpdump -vv -nni ens5 udp port 4789
08:09:10.111213 IP (tos 0x0, ttl 64, id 1, offset 0, flags [none], proto UDP (17), length 110)
    10.64.0.11.40111 > 10.64.0.12.4789: [no cksum] VXLAN, flags [I] (0x08), vni 4096
IP (tos 0x0, ttl 64, id 2, offset 0, flags [DF], proto TCP (6), length 60)
    10.91.4.20.40112 > 10.91.7.31.80: Flags [S], seq 1, win 64240, length 0
08:09:11.111213 IP (tos 0x0, ttl 64, id 3, offset 0, flags [none], proto UDP (17), length 110)
    10.64.0.11.40111 > 10.64.0.12.4789: [no cksum] VXLAN, flags [I] (0x08), vni 4096
IP (tos 0x0, ttl 64, id 4, offset 0, flags [DF], proto TCP (6), length 60)
    10.91.4.20.40112 > 10.91.7.31.80: Flags [S], seq 1, win 64240, length 0
"""
NOTHING = """
[root@elm-2 ~]# tcpdump -ni ens5 ip proto 4
tcpdump: verbose output suppressed, use -v or -vv for full protocol decode
listening on ens5, link-type EN10MB (Ethernet), capture size 262144 bytes
^C
0 packets captured
"""
BARE = """
[root@elm-1 ~]# tcpdump -nni ens5 host 10.91.7.31
08:09:10.111213 IP 10.91.4.20.40112 > 10.91.7.31.80: Flags [S], seq 1988, win 64240, options [mss 1460], length 0
08:09:11.111213 IP 10.91.4.20.40112 > 10.91.7.31.80: Flags [S], seq 1988, win 64240, options [mss 1460], length 0
"""


class TestTunnels:
    @pytest.mark.parametrize(("capture", "protocol"), [(IPIP, "IP-in-IP"), (VXLAN, "VXLAN")])
    def test_packets_go_out_and_none_comes_back(self, capture, protocol):
        (seen,) = sightings("encapsulated-unanswered", TWO + capture)
        assert (seen.node, seen.values["peer"], seen.values["protocol"]) == ("elm-1", "10.64.0.12", protocol)

    def test_an_answer_makes_it_harmless(self):
        answer = "08:09:10.211213 IP 10.64.0.12 > 10.64.0.11: IP 10.91.7.31 > 10.91.4.0: ICMP echo reply, id 7, seq 1, length 64 (ipip-proto-4)\n"
        assert sightings("encapsulated-unanswered", TWO + IPIP + answer) == []

    def test_the_empty_capture_of_the_other_node_is_the_line_that_is_shown(self):
        (seen,) = sightings("encapsulated-never-arrives", TWO + IPIP + NOTHING)
        assert seen.node == "elm-1"
        assert "elm-2" in seen.line.text

    def test_without_a_capture_on_the_other_node_nothing_is_said_about_arriving(self):
        assert sightings("encapsulated-never-arrives", TWO + IPIP) == []

    def test_beside_an_empty_capture_one_packet_is_enough(self):
        once = "\n".join(IPIP.splitlines()[:-1]) + "\n"
        assert sightings("encapsulated-unanswered", TWO + once) == []
        assert len(sightings("encapsulated-never-arrives", TWO + once + NOTHING)) == 1

    def test_a_tunnel_to_an_address_that_no_node_has(self):
        text = TWO + IPIP.replace("10.64.0.12", "100.90.1.7")
        (seen,) = sightings("tunnel-target-foreign", text)
        assert seen.values == {"target": "100.90.1.7"}
        assert sightings("encapsulated-unanswered", text) == []
        assert sightings("tunnel-target-foreign", TWO + IPIP) == []

    def test_packets_seen_where_they_are_for_have_arrived(self):
        text = TWO + IPIP.replace("elm-1", "elm-2")
        (seen,) = sightings("encapsulated-arrives", text)
        assert (seen.node, seen.values["source"]) == ("elm-2", "10.64.0.11")
        assert sightings("encapsulated-unanswered", text) == []


class TestInsideTheNode:
    EMPTY = "[root@elm-2 ~]# tcpdump -ni {0}\n^C\n0 packets captured\n"

    def test_the_tunnel_device_shows_nothing_of_what_reached_the_card(self):
        text = TWO + VXLAN.replace("root@elm-1", "root@elm-2") + self.EMPTY.format("vxlan.calico")
        (seen,) = sightings("arrives-but-not-out-of-tunnel", text)
        assert (seen.node, seen.values["device"]) == ("elm-2", "vxlan.calico")

    def test_pod_packets_come_in_and_do_not_go_out(self):
        text = TWO + BARE.replace("root@elm-1", "root@elm-2").replace("ens5", "any") + self.EMPTY.format("ens5")
        (seen,) = sightings("pod-packets-never-leave", text)
        assert seen.node == "elm-2"

    def test_an_empty_capture_of_another_node_is_another_matter(self):
        assert sightings("pod-packets-never-leave", TWO + BARE + self.EMPTY.format("ens5")) == []


class TestBarePackets:
    def test_pod_addresses_leave_through_the_card(self):
        (seen,) = sightings("pod-packets-unanswered", TWO + WORKLOADS + BARE)
        assert (seen.values["source"], seen.values["target"]) == ("10.91.4.20", "10.91.7.31")

    def test_and_never_arrive(self):
        (seen,) = sightings("pod-packets-never-arrive", TWO + WORKLOADS + BARE + NOTHING)
        assert seen.node == "elm-1"

    def test_the_pods_own_interface_says_nothing_about_the_network(self):
        text = TWO + WORKLOADS + BARE.replace("-nni ens5", "-nni cali0a1b2c3d4e5")
        assert sightings("pod-packets-unanswered", text) == []

    def test_packets_of_nodes_are_not_packets_of_pods(self):
        text = TWO + WORKLOADS + BARE.replace("10.91.4.20", "10.64.0.11").replace("10.91.7.31", "10.64.0.12")
        assert sightings("pod-packets-unanswered", text) == []


@given(st.text(max_size=300))
def test_any_capture_is_read_without_complaint(text):
    picture = picture_of(f"[root@elm-1 ~]# tcpdump -ni ens5\n{text}")
    for compute in SIGNS.values():
        list(compute(picture))
