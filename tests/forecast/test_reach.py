"""Whether each of many nodes reaches each, told without asking every pair."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from calivet.forecast.reachability import can_all_reach, can_reach, place_nodes

ADDRESSES = st.builds("10.0.{}.{}/{}".format, st.integers(0, 1), st.integers(0, 7), st.sampled_from([23, 24, 29, 32]))


@given(st.lists(st.tuples(ADDRESSES, st.booleans()), max_size=8, unique_by=lambda pair: pair[0].partition("/")[0]))
def test_as_if_every_pair_were_asked(told):
    addresses = {f"node-{number}": address for number, (address, _) in enumerate(told)}
    internal = {f"node-{n}": address.partition("/")[0] for n, (address, own) in enumerate(told) if own}
    found = list(place_nodes(addresses, internal).values())
    assert can_all_reach(found) == all(can_reach(one, other) for one, other in combinations(found, 2))
