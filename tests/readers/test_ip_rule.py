"""Routing rules."""

from __future__ import annotations

from calivet.readers.network.ip_route import RULES_READER
from tests.readers.host_reading import claimed_by

RULES = """0:      from all lookup local
99:     not from all fwmark 0x100000/0x100000 lookup 1
30400:  from 10.1.2.3 lookup 30400
32766:  from all lookup main"""


def test_rules():
    assert claimed_by(RULES_READER, RULES) == {0, 1, 2, 3}


def test_an_interface_is_no_rule():
    assert claimed_by(RULES_READER, "2: eth0: <BROADCAST> mtu 1500 from here lookup there") == set()
