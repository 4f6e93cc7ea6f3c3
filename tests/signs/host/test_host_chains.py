from __future__ import annotations

import pytest

from calivet.signs.host.local_network import find_host_chain_drops
from tests.facts.drawing import picture_of

LISTING = """\
root@birch-2:~# iptables -nvL {chain}
Chain {chain} (policy ACCEPT 0 packets, 0 bytes)
 pkts bytes target     prot opt in     out     source               destination
{packets} 4120K {target}       all  --  *      *       0.0.0.0/0            0.0.0.0/0
"""


def seen(**values):
    return list(find_host_chain_drops(picture_of(LISTING.format(**values))))


def test_a_rule_of_the_host_that_dropped_many():
    (sighting,) = seen(chain="FORWARD", packets="88213", target="DROP")
    assert sighting.values["packets"] == "88213"
    assert sighting.node == "birch-2"


@pytest.mark.parametrize(
    "values",
    [
        {"chain": "FORWARD", "packets": "3", "target": "DROP"},
        {"chain": "cali-tw-cali1234", "packets": "88213", "target": "DROP"},
        {"chain": "INPUT", "packets": "88213", "target": "ACCEPT"},
    ],
)
def test_strays_and_others_chains(values):
    assert seen(**values) == []
