from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.redaction.addresses import FIXED, KEPT, Addresses, common

KEYS = st.binary(min_size=1, max_size=40)
V4 = st.ip_addresses(v=4)
V6 = st.ip_addresses(v=6)
NETWORKS = [ipaddress.ip_network(text) for text in (*KEPT, *FIXED)]


def turned(addresses: Addresses, address):
    return type(address)(addresses.turned(address.packed))


@given(KEYS, st.one_of(st.tuples(V4, V4), st.tuples(V6, V6)))
def test_two_addresses_have_as_much_in_common_as_before(key, pair):
    addresses = Addresses(key)
    one, other = pair
    new, new_other = (turned(addresses, address) for address in pair)
    assert common(new.packed, new_other.packed) == common(one.packed, other.packed)


@given(KEYS, st.one_of(st.tuples(V4, V4, st.integers(1, 32)), st.tuples(V6, V6, st.integers(1, 128))))
def test_who_lies_in_a_network_still_does(key, drawn):
    address, base, length = drawn
    addresses = Addresses(key)
    network = ipaddress.ip_network((base, length), strict=False)
    other = ipaddress.ip_network(f"{addresses.other(str(network.network_address), length)}/{length}")
    assert (turned(addresses, address) in other) == (address in network)


@given(KEYS, st.one_of(V4, V6))
def test_the_class_of_an_address_and_its_last_octet_stay(key, address):
    new = turned(Addresses(key), address)
    assert [network for network in NETWORKS if new in network] == [
        network for network in NETWORKS if address in network
    ]
    assert new.packed[-1] == address.packed[-1]
    assert [octet == 0 for octet in new.packed] == [octet == 0 for octet in address.packed]


@pytest.mark.parametrize(
    "address",
    "0.0.0.0 127.0.0.1 169.254.1.1 224.0.0.5 255.255.240.0 10.96.0.1 10.96.0.10 10.244.0.0 172.17.0.1 192.168.0.0 10.0.2.15"
    " 192.168.122.1 :: ::1 ff02::1 fe80::ecee:eeff:feee:eeee".split(),
)
def test_what_everybody_has_stays(address):
    assert Addresses(b"key").other(address) == address


def test_what_is_no_address_is_none():
    assert Addresses(b"key").other("12:34:56") is None


def test_another_key_gives_other_addresses():
    assert {Addresses(bytes([number])).other("10.187.93.7") for number in range(20)} - {"10.187.93.7"}
    assert len({Addresses(bytes([number])).other("10.187.93.7") for number in range(20)}) > 10


@given(KEYS)
def test_a_node_never_keeps_its_address_by_chance(key):
    assert Addresses(key).other("10.20.0.23") != "10.20.0.23"
    assert Addresses(key).other("192.168.5.23") != "192.168.5.23"
