"""Routes and interfaces that are not Calico's and take its traffic."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings

TABLE = """
[root@olive-3 ~]# ip route
default via 10.1.0.1 dev ens3
10.77.12.0/26 via 10.1.0.12 dev tunl0 proto bird onlink
10.77.40.0/26 via 10.1.0.40 dev tunl0 proto bird onlink
{0}
"""


@pytest.mark.parametrize(
    "route",
    [
        "10.77.40.16/28 dev br-9f8e7d6c5b4a proto kernel scope link src 10.77.40.17",
        "10.77.12.0/26 via 10.8.0.5 dev tun0",
    ],
)
def test_a_foreign_route_that_wins(route):
    (seen,) = sightings("foreign-route-inside-pods", TABLE.format(route))
    assert seen.node == "olive-3"
    assert seen.values["route"] == route.split()[0]


@pytest.mark.parametrize(
    "route", ["172.17.0.0/16 dev docker0 proto kernel scope link src 172.17.0.1", "10.77.0.0/16 dev virbr0 scope link"]
)
def test_a_foreign_route_that_does_no_harm(route):
    assert sightings("foreign-route-inside-pods", TABLE.format(route)) == []


def test_a_table_that_is_asked_first_wins_with_a_wider_route():
    text = TABLE.format("") + "[root@olive-3 ~]# ip route show table 52\n10.77.0.0/16 dev tailscale0\n"
    (seen,) = sightings("foreign-route-inside-pods", text)
    assert seen.values["device"] == "tailscale0"


FIRST = TABLE.format("") + "[root@olive-3 ~]# ip route show table {0}\n{1}\n"


def test_a_table_that_is_asked_first_takes_everything():
    (seen,) = sightings("default-of-table-asked-first", FIRST.format(52, "default dev tailscale0\nthrow 127.0.0.0/8"))
    assert (seen.node, seen.values) == ("olive-3", {"device": "tailscale0", "range": "10.77.12.0/26"})


@pytest.mark.parametrize(
    ("table", "routes"),
    [
        (52, "default dev tailscale0\nthrow 10.77.0.0/16"),
        (52, "100.64.0.1 dev tailscale0"),
        (51820, "default dev wg0 scope link"),
        (201, "default via 10.1.0.1 dev ens3"),
        ("main", "default dev tun0"),
    ],
)
def test_a_table_that_takes_nothing_of_calico(table, routes):
    assert sightings("default-of-table-asked-first", FIRST.format(table, routes)) == []


def test_a_bridge_in_the_network_of_the_nodes():
    text = (
        nodes("olive-3 Ready 10.60.3.4", "olive-4 Ready 10.60.9.7")
        + """
[root@olive-3 ~]# ip -4 -br addr
eth0             UP             10.60.3.4/16
br-0a1b2c3d4e5f  UP             10.60.9.1/24
docker0          DOWN           172.17.0.1/16
"""
    )
    (seen,) = sightings("nodes-behind-stranger", text)
    assert (seen.node, seen.values["device"], seen.values["other"]) == ("olive-3", "br-0a1b2c3d4e5f", "olive-4")


STATUS = """
[root@olive-3 ~]# calicoctl node status
Calico process is running.

IPv4 BGP status
+--------------+-------------------+-------+----------+---------+
| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |  INFO   |
+--------------+-------------------+-------+----------+---------+
| 10.1.0.12    | node-to-node mesh | start | 08:14:58 | Connect |
+--------------+-------------------+-------+----------+---------+
"""


def test_a_peer_that_the_host_takes_for_itself():
    asked = "[root@olive-3 ~]# ip route get {0}\nlocal {0} dev lo src {0}\n    cache <local>\n"
    (seen,) = sightings("peer-taken-for-local", STATUS + asked.format("10.1.0.12"))
    assert seen.values == {"peer": "10.1.0.12"}
    assert sightings("peer-taken-for-local", STATUS + asked.format("10.1.0.3")) == []


def test_a_peer_behind_a_vpn():
    text = TABLE.format("10.1.0.0/24 via 10.8.0.5 dev tun0") + STATUS
    (seen,) = sightings("peer-behind-stranger", text)
    assert seen.values == {"peer": "10.1.0.12", "device": "tun0"}
    assert sightings("peer-behind-stranger", TABLE.format("") + STATUS) == []


def test_the_address_of_another_node_on_kube_ipvs0():
    text = (
        nodes("olive-3 Ready 10.1.0.3", "olive-4 Ready 10.1.0.4")
        + """
[root@olive-3 ~]# ip addr show kube-ipvs0
9: kube-ipvs0: <BROADCAST,NOARP> mtu 1500 qdisc noop state DOWN group default
    inet 10.96.0.1/32 scope global kube-ipvs0
    inet 10.1.0.4/32 scope global kube-ipvs0
"""
    )
    (seen,) = sightings("node-address-on-ipvs", text)
    assert (seen.node, seen.values["other"]) == ("olive-3", "olive-4")
