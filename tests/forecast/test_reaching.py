"""can-reach: the kernel's choice of a source address, from the routes that were seen."""

from __future__ import annotations

import pytest

from calivet.forecast.autodetection import detect_address
from tests.facts.drawing import picture_of
from tests.forecast.made_up import host

CARDS = ("lo 127.0.0.1/8", "eth0 10.1.1.4/24 10.1.1.9/24", "eth1 10.2.2.4/24", "eth2 10.3.3.4/16")


def taken(destination, *routes):
    return detect_address(host(*CARDS, routes=routes), f"can-reach={destination}", 4)


@pytest.mark.parametrize(
    ("routes", "address"),
    [
        # The route says from where.
        (["default via 10.1.1.1 dev eth0 src 10.1.1.9"], "10.1.1.9/24"),
        # It does not: the first address of the card in the next hop's network, else its first.
        (["default via 10.1.1.1 dev eth0"], "10.1.1.4/24"),
        (["default dev eth1"], "10.2.2.4/24"),
        (["default via 192.0.2.1 dev eth2"], "10.3.3.4/16"),
        # The narrowest wins, whatever it costs.
        (["default via 10.1.1.1 dev eth0 metric 5", "203.0.113.0/24 via 10.2.2.1 dev eth1 metric 900"], "10.2.2.4/24"),
        (["203.0.0.0/8 via 10.1.1.1 dev eth0", "203.0.113.7 via 10.2.2.1 dev eth1"], "10.2.2.4/24"),
        # Among equals the cheapest, and one without a metric costs nothing.
        (["default via 10.1.1.1 dev eth0 metric 101", "default via 10.2.2.1 dev eth1 metric 100"], "10.2.2.4/24"),
        (["default via 10.1.1.1 dev eth0", "default via 10.2.2.1 dev eth1 metric 1"], "10.1.1.4/24"),
        # Tables of their own are asked by rules only.
        (["default via 10.2.2.1 dev eth1 table 200", "default via 10.1.1.1 dev eth0"], "10.1.1.4/24"),
        (["default via 10.1.1.1 dev eth0 table main"], "10.1.1.4/24"),
        # The kernel itself was asked.
        (["default via 10.1.1.1 dev eth0", "lookup 203.0.113.7 via 10.2.2.1 dev eth1 src 10.2.2.4"], "10.2.2.4/24"),
    ],
)
def test_the_way_decides(routes, address):
    assert taken("203.0.113.7", *routes).address == address


@pytest.mark.parametrize("dead_end", ["unreachable 203.0.113.0/24", "blackhole 203.0.113.0/24 dev eth0"])
def test_a_dead_end_is_no_way(dead_end):
    assert taken("203.0.113.7", "default via 10.1.1.1 dev eth0", dead_end).why == "no-route"


def test_without_a_default_route_nothing_leads_there():
    assert taken("203.0.113.7", "10.1.1.0/24 dev eth0 src 10.1.1.4").why == "no-route"


def test_a_source_that_is_on_no_card_gives_no_address():
    assert taken("203.0.113.7", "default via 10.9.9.1 dev eth9 src 10.9.9.4").why == "no-address"


def test_routes_are_read_as_tools_print_them():
    text = """
        [root@heron-1 ~]# ip addr
        1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN
            inet 127.0.0.1/8 scope host lo
        2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP
            inet 10.44.0.11/23 brd 10.44.1.255 scope global eth0
        3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP
            inet 172.29.7.11/24 scope global eth1
        [root@heron-1 ~]# ip route
        default via 172.29.7.1 dev eth1 proto dhcp src 172.29.7.11 metric 200
        default via 10.44.0.1 dev eth0 proto static metric 100
        10.44.0.0/23 dev eth0 proto kernel scope link src 10.44.0.11
        172.29.7.0/24 dev eth1 proto kernel scope link src 172.29.7.11
    """
    from calivet.forecast.nodes import collect_host as seen

    here = seen(picture_of(text), "heron-1", 4)
    assert detect_address(here, "can-reach=8.8.8.8").address == "10.44.0.11/23"
    assert detect_address(here, "can-reach=172.29.7.40").address == "172.29.7.11/24"
