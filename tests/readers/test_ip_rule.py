"""Routing rules."""

from __future__ import annotations

from calivet.readers.network.ip_rule import READER
from tests.readers.host_reading import facts_of

RULES = """
0:      from all lookup local
99:     not from all fwmark 0x100000/0x100000 lookup 1
30400:  from 10.1.2.3 lookup 30400
32766:  from all lookup main
"""


def test_rules():
    found = facts_of(READER, RULES, "ip rule", "fig-2")
    assert [(one.priority, one.selector, one.table) for one in found] == [
        (0, "from all", "local"),
        (99, "not from all fwmark 0x100000/0x100000", "1"),
        (30400, "from 10.1.2.3", "30400"),
        (32766, "from all", "main"),
    ]
    assert {one.host for one in found} == {"fig-2"}


def test_an_interface_is_no_rule():
    assert facts_of(READER, "2: eth0: <BROADCAST> mtu 1500 from here lookup there") == []
