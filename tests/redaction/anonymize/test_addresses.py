from __future__ import annotations

import ipaddress

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from calivet.redaction.anonymize.addresses import FIXED, KEPT, WRAPPED, Addresses, count_common_bits

KEYS = st.binary(min_size=1, max_size=40)
V4 = st.ip_addresses(v=4)
V6 = st.ip_addresses(v=6)
UNTOUCHED = [ipaddress.ip_network(text) for text in KEPT]
AROUND_V4 = [ipaddress.ip_network(text) for text in WRAPPED]
NETWORKS = [ipaddress.ip_network(text) for text in (*KEPT, *FIXED)]


def turned(addresses: Addresses, address):
    return type(address)(addresses.replace_packed(address.packed))


@given(KEYS, st.one_of(st.tuples(V4, V4), st.tuples(V6, V6)))
def test_two_addresses_have_as_much_in_common_as_before(key, pair):
    addresses = Addresses(key)
    one, other = pair
    new, new_other = (turned(addresses, address) for address in pair)
    assert count_common_bits(new.packed, new_other.packed) == count_common_bits(one.packed, other.packed)


@given(KEYS, st.one_of(st.tuples(V4, V4, st.integers(1, 32)), st.tuples(V6, V6, st.integers(1, 128))))
def test_who_lies_in_a_network_still_does(key, drawn):
    address, base, length = drawn
    addresses = Addresses(key)
    network = ipaddress.ip_network((base, length), strict=False)
    other = ipaddress.ip_network(f"{addresses.other(str(network.network_address), length)}/{length}")
    assert (turned(addresses, address) in other) == (address in network)


@given(KEYS, st.one_of(V4, V6))
def test_the_class_of_an_address_stays(key, address):
    new = turned(Addresses(key), address)
    assert [network for network in NETWORKS if new in network] == [
        network for network in NETWORKS if address in network
    ]


@given(KEYS, st.ip_addresses(network="10.0.0.0/8"))
def test_the_last_octet_stays_where_the_others_have_choice_enough(key, address):
    assert turned(Addresses(key), address).packed[-1] == address.packed[-1]


@pytest.mark.parametrize(
    "address",
    "0.0.0.0 127.0.0.1 169.254.1.1 224.0.0.5 255.255.240.0 172.17.0.1 :: ::1 ff02::1 fe80::ecee:eeff:feee:eeee"
    " ::ffff:0:0 ::ffff:7f00:1".split(),
)
def test_what_everybody_has_stays(address):
    assert Addresses(b"key").other(address) == address


def test_what_is_no_address_is_none():
    assert Addresses(b"key").other("12:34:56") is None


ANYBODYS = (
    "10.0.0.5 10.0.0.1 10.96.0.1 10.244.0.0 10.42.0.0 192.168.0.10 192.168.122.1 172.16.0.5 172.18.0.1 172.31.255.254"
    " 100.64.0.9 8.8.8.8 9.0.0.1 11.1.1.1 126.255.255.255 128.0.0.1 192.0.2.7 203.0.113.200 198.18.0.3 10.0.2.15"
    " 10.85.3.4 10.84.3.4 fd00::5 fe80::1 fe80::5054:ff:fe1a:3456 2001:db8::1 2a01:4f8:1:2::3 ::ffff:10.0.0.5"
).split()


@pytest.mark.parametrize("address", ANYBODYS)
def test_another_key_gives_other_addresses(address):
    found = {Addresses(bytes([number])).other(address) for number in range(100)}
    assert address not in found
    assert len(found) > 30


def is_untouched(address) -> bool:
    """An IPv4 address stays also where it is written as an IPv6 one."""
    if any(address in network for network in AROUND_V4):
        return is_untouched(ipaddress.IPv4Address(address.packed[12:]))
    return any(address in network for network in UNTOUCHED)


@example(b"key", ipaddress.ip_address("::ffff:10.0.0.5"))
@given(KEYS, st.one_of(V4, V6))
def test_no_address_keeps_itself(key, address):
    assume(not is_untouched(address))
    assert turned(Addresses(key), address) != address


@given(
    KEYS,
    st.sampled_from(
        [
            ("10.0.0.0", 16),
            ("10.0.0.0", 11),
            ("192.168.0.0", 17),
            ("192.168.0.0", 23),
            ("192.168.0.0", 24),
            ("10.244.0.0", 16),
            ("10.96.0.0", 12),
            ("fd00::", 48),
            ("fd00::", 9),
            ("2001:db8::", 33),
        ]
    ),
)
def test_no_network_keeps_itself(key, network):
    assert Addresses(key).other(*network) != network[0]


@given(KEYS, st.ip_addresses(network="10.0.0.0/14"), st.ip_addresses(network="10.0.0.0/14"))
def test_a_network_that_is_to_stay_stays_and_nobody_gets_into_it(key, one, other):
    addresses = Addresses(key)
    addresses.keep("10.0.2.0/24")
    assert addresses.other("10.0.2.15") == "10.0.2.15"
    island = ipaddress.ip_network("10.0.2.0/24")
    assert (turned(addresses, one) in island) == (one in island)
    assert (turned(addresses, one) == turned(addresses, other)) == (one == other)
