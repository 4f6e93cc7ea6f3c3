"""Two machines with one address, or one identity."""

from __future__ import annotations

from tests.facts.drawing import nodes, sightings

CARD = """
[root@{host} ~]# ip addr show {card}
2: {card}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state {state} group default qlen 1000
    link/ether 52:54:00:12:34:56 brd ff:ff:ff:ff:ff:ff
    inet {address} scope global {card}
"""
THREE = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12", "birch-3 Ready 10.71.0.13")


def card(host, address, name="eth0", state="UP"):
    return CARD.format(host=host, address=address, card=name, state=state)


def twins(text):
    return [(seen.node, seen.values["address"]) for seen in sightings("same-address-on-two-machines", text)]


def test_a_nodes_address_on_two_machines_names_both():
    text = THREE + card("birch-2", "10.71.0.12/24") + card("birch-3", "10.71.0.12/24")
    assert twins(text) == [("birch-2", "10.71.0.12"), ("birch-3", "10.71.0.12")]


def test_one_address_each():
    assert twins(THREE + card("birch-2", "10.71.0.12/24") + card("birch-3", "10.71.0.13/24")) == []


def test_the_same_machine_shown_twice_is_one():
    assert twins(THREE + card("birch-2", "10.71.0.12/24") * 2) == []


def test_an_address_that_no_node_is_known_by_may_be_everywhere():
    bridges = card("birch-2", "172.17.0.1/16", "docker0") + card("birch-3", "172.17.0.1/16", "docker0")
    assert twins(THREE + bridges) == []


def test_an_address_that_wanders_is_no_twin():
    text = nodes("birch-1 Ready 10.71.0.100") + card("birch-1", "10.71.0.100/32") + card("birch-2", "10.71.0.100/32")
    assert twins(text) == []


def test_two_nodes_that_report_one_internal_address():
    text = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12", "birch-3 NotReady 10.71.0.12")
    seen = sightings("same-internal-address-twice", text)
    assert [one.node for one in seen] == ["birch-2", "birch-3"]
    assert seen[0].values == {"nodes": "birch-2, birch-3", "address": "10.71.0.12"}
    assert sightings("same-internal-address-twice", THREE) == []


def numbered(host, number, name="/etc/machine-id"):
    return f"[root@{host} ~]# sha256sum {name}\n{number * 32}  {name}\n"


def test_clones_name_each_other():
    text = numbered("birch-1", "a1") + numbered("birch-2", "b2") + numbered("birch-3", "b2")
    found = [(seen.node, seen.values["clone"]) for seen in sightings("same-machine-id", THREE + text)]
    assert found == [("birch-2", "birch-3"), ("birch-3", "birch-2")]


def test_one_machine_twice_is_no_clone_and_boards_of_one_maker_are_none():
    board = "/sys/class/dmi/id/product_uuid"
    text = numbered("birch-2", "b2") * 2 + numbered("birch-2", "c3", board) + numbered("birch-3", "c3", board)
    assert sightings("same-machine-id", THREE + text) == []


def test_masked_addresses_are_not_the_same_one():
    text = nodes("birch-1 Ready ***HIDDEN***", "birch-2 Ready ***HIDDEN***")
    assert sightings("same-internal-address-twice", text) == []
