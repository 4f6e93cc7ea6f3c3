"""Who answers to an address."""

from __future__ import annotations

from tests.facts.drawing import sightings

CARD = """[root@fig-2 ~]# ip addr
2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
    link/ether 52:54:00:aa:bb:02 brd ff:ff:ff:ff:ff:ff
    inet 10.61.4.12/22 brd 10.61.7.255 scope global eth0
3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
    link/ether 52:54:00:aa:bb:03 brd ff:ff:ff:ff:ff:ff
"""
SEEN = "[root@fig-3 ~]# ip neigh\n10.61.4.12 dev eth0 {} STALE\n"


def other(hardware):
    return [
        (seen.node, seen.values["hardware"])
        for seen in sightings("address-answered-by-another", CARD + SEEN.format(hardware))
    ]


def test_a_card_that_the_owner_does_not_have():
    assert other("lladdr 52:54:00:aa:bb:99") == [("fig-2", "52:54:00:aa:bb:99")]


def test_one_of_his_cards():
    assert other("lladdr 52:54:00:aa:bb:02") == []
    assert other("lladdr 52:54:00:aa:bb:03") == []


def test_nobody_answers():
    assert other("") == []


def test_an_owner_whose_cards_were_not_seen():
    assert sightings("address-answered-by-another", SEEN.format("lladdr 52:54:00:aa:bb:99")) == []
