"""Networks looked up by address, and by each other, as if all were compared with all."""

from __future__ import annotations

from ipaddress import IPv4Network
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from calivet.facts.networks import NetworkTable, do_overlap, find_overlaps, is_inside, parse_network

# Few addresses, so that networks meet.
ADDRESSES = st.one_of(
    st.builds("10.0.{}.{}".format, st.integers(0, 3), st.integers(0, 255)),
    st.builds("fd00::{:x}".format, st.integers(0, 255)),
)
NETWORKS = st.builds(
    lambda address, short: parse_network(f"{address}/{(128 if ':' in address else 32) - short}"),
    ADDRESSES,
    st.integers(0, 10),
)


@given(st.lists(NETWORKS, max_size=12), ADDRESSES)
def test_an_address_is_looked_up(networks, address):
    table = NetworkTable((one, place) for place, one in enumerate(networks))
    assert table.find_holding(address) == [place for place, one in enumerate(networks) if is_inside(address, one)]


def test_what_is_no_address_lies_nowhere():
    table = NetworkTable([(IPv4Network("0.0.0.0/0"), "everywhere")])
    assert table.find_holding("10.0.0.1/24") == ["everywhere"]
    assert [table.find_holding(text) for text in (None, "", "birch-1", "10.0.0", "fd00::1")] == [[]] * 5


@given(st.sets(NETWORKS, max_size=12))
def test_networks_that_share_addresses(networks):
    shared = {frozenset(pair) for pair in combinations(networks, 2) if do_overlap(*pair)}
    found = list(find_overlaps(networks))
    assert {frozenset(pair) for pair in found} == shared
    assert len(found) == len(shared)
    assert all(one.prefixlen < other.prefixlen for one, other in found)
