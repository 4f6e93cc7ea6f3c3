"""A machine that is gone, against one that is alive and refuses."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, pods, sightings

ALIVE = nodes("ash-1 Ready 10.31.0.11", "ash-2 Ready 10.31.0.12")
GONE = nodes("ash-1 Ready 10.31.0.11", "ash-2 NotReady 10.31.0.12")
STATUS = """
[root@ash-1 ~]# calicoctl node status
Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+----------+---------------------------------+
| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |              INFO               |
+--------------+-------------------+-------+----------+---------------------------------+
| 10.31.0.12   | node-to-node mesh | start | 08:14:58 | Active Socket: No route to host |
+--------------+-------------------+-------+----------+---------------------------------+
"""
BIRD = """
[root@ash-1 ~]# kubectl logs -n kube-system calico-node-k2k2k | grep bird
bird: Mesh_10_31_0_12: Socket error: No route to host
"""
PING = """
[root@ash-1 ~]# ping -c 1 10.31.0.12
PING 10.31.0.12 (10.31.0.12) 56(84) bytes of data.
{0}
--- 10.31.0.12 ping statistics ---
1 packets transmitted, {1} received, {2}% packet loss, time 0ms
"""
SILENCE = PING.format("", 0, 100)
ANSWER = PING.format("64 bytes from 10.31.0.12: icmp_seq=1 ttl=64 time=0.2 ms", 1, 0)
REJECTED = """
[root@ash-1 ~]# curl -I http://10.31.0.12:31080
curl: (7) Failed to connect to 10.31.0.12 port 31080: No route to host
"""


class TestRejection:
    def test_a_node_port_of_a_ready_node(self):
        (seen,) = sightings("rejected-by-live-host", ALIVE + REJECTED)
        assert (seen.node, seen.values) == ("ash-2", {"target": "10.31.0.12:31080"})

    def test_a_host_that_answers_ping(self):
        assert len(sightings("rejected-by-live-host", ANSWER + REJECTED)) == 1

    def test_a_pod_that_is_ready(self):
        text = pods("web-1 1/1 Running 0 5m 10.88.4.9 ash-2", namespace="lab")
        (seen,) = sightings("rejected-by-live-pod", text + REJECTED.replace("10.31.0.12", "10.88.4.9"))
        assert (seen.node, seen.values) == ("ash-2", {"target": "10.88.4.9:31080"})

    def test_a_node_that_is_gone_has_no_route(self):
        assert sightings("rejected-by-live-host", GONE + REJECTED) == []

    @pytest.mark.parametrize("complaint", [STATUS, BIRD])
    def test_bgp_with_a_ready_node(self, complaint):
        (seen,) = sightings("bgp-rejected-by-live-node", ALIVE + complaint)
        assert (seen.node, seen.values["peer"]) == ("ash-2", "10.31.0.12")


class TestSilence:
    @pytest.mark.parametrize("complaint", [STATUS, BIRD])
    def test_bgp_and_kubelet_are_both_lost(self, complaint):
        (seen,) = sightings("bgp-lost-silent-node", GONE + complaint)
        assert (seen.node, seen.values["error"]) == ("ash-2", "No route to host")
        assert sightings("bgp-rejected-by-live-node", GONE + complaint) == []

    def test_the_machine_does_not_answer(self):
        (seen,) = sightings("silent-node-unreachable", GONE + SILENCE)
        assert seen.values == {"node": "ash-2", "address": "10.31.0.12", "outcome": "loss"}

    def test_the_machine_answers_and_only_its_kubelet_is_silent(self):
        (seen,) = sightings("silent-node-answers", GONE + ANSWER)
        assert seen.node == "ash-2"
        assert sightings("silent-node-unreachable", GONE + ANSWER) == []

    def test_somebody_is_logged_in_there(self):
        (seen,) = sightings("output-from-silent-node", GONE + "\n[root@ash-2 ~]# uptime\n 08:00:00 up 1 day\n")
        assert seen.node == "ash-2"

    def test_a_node_that_came_back_is_not_silent(self):
        assert sightings("silent-node-unreachable", GONE + SILENCE + "\n" + ALIVE) == []
