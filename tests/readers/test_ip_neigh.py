"""The neighbour table."""

from __future__ import annotations

import pytest

from calivet.readers.network.ip_route import NEIGHBOURS_READER
from tests.readers.host_reading import facts_of


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "10.0.0.1 dev eth0 lladdr 52:54:00:AA:BB:01 REACHABLE ",
            ("10.0.0.1", "eth0", "52:54:00:aa:bb:01", "REACHABLE"),
        ),
        ("10.0.0.9 dev eth0 FAILED ", ("10.0.0.9", "eth0", None, "FAILED")),
        ("10.0.0.8 dev eth0  INCOMPLETE", ("10.0.0.8", "eth0", None, "INCOMPLETE")),
        ("fe80::1 dev ens7 lladdr 52:54:00:aa:bb:02 router STALE", ("fe80::1", "ens7", "52:54:00:aa:bb:02", "STALE")),
        (
            "10.0.0.3                 ether   52:54:00:aa:bb:03   C                     eth0",
            ("10.0.0.3", "eth0", "52:54:00:aa:bb:03", "REACHABLE"),
        ),
        (
            "10.0.0.4                         (incomplete)                              eth0",
            ("10.0.0.4", "eth0", None, "INCOMPLETE"),
        ),
        ("10.0.0.0/24 dev eth0 proto kernel scope link src 10.0.0.5", None),
    ],
)
def test_lines(line, told):
    found = [
        (one.address, one.device, one.hardware, one.state)
        for one in facts_of(NEIGHBOURS_READER, line, "ip neigh", "fig-2")
    ]
    assert found == ([told] if told else [])
