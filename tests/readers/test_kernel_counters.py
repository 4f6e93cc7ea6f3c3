"""Counters of the kernel's network stack, as the kernel and its tools print them."""

from __future__ import annotations

import pytest

from calivet.readers.host.counters import KERNEL_COUNTERS_READER
from tests.readers.host_reading import facts_of, reading_of

KERNEL = """\
TcpExt: SyncookiesSent SyncookiesRecv TCPMD5NotFound TCPMD5Unexpected TCPMD5Failure TCPSackShifted
TcpExt: 0 4 0 2 17 9
IpExt: InNoRoutes InTruncatedPkts
IpExt: 0 0
"""
NSTAT = """\
#kernel
TcpExtTCPMD5NotFound            0                  0.0
TcpExtTCPMD5Unexpected          2                  0.0
TcpExtTCPMD5Failure             17                 0.0
TcpExtTCPSackShifted            9                  0.0
"""
NETSTAT = """\
TcpExt:
    4 SYN cookies received
    TCPMD5Unexpected: 2
    TCPMD5Failure: 17
    TCPSackShifted: 9
"""


@pytest.mark.parametrize(
    ("command", "text"),
    [("cat /proc/net/netstat", KERNEL), ("nstat -asz", NSTAT), ("netstat -s", NETSTAT)],
)
def test_segments_dropped_over_their_signature(command, text):
    facts = facts_of(KERNEL_COUNTERS_READER, text, command, "fig-2")
    counted = {fact.name: fact.value for fact in facts if fact.value}
    assert counted == {"TCPMD5Unexpected": 2, "TCPMD5Failure": 17}
    assert {fact.host for fact in facts} == {"fig-2"}
    assert all(str(fact.value) in fact.at.text for fact in facts)


@pytest.mark.parametrize(
    "text",
    [
        "TcpExt: 0 4 0 2 17 9",
        "TcpExt: TCPMD5Failure TCPSackShifted\nTcpExt: 17",
        "TcpExt: TCPMD5Failure TCPSackShifted\nTcpExt: many 9",
        "TcpExtTCPSackShifted            9                  0.0",
    ],
)
def test_a_table_without_its_half_says_nothing(text):
    assert reading_of(KERNEL_COUNTERS_READER, text, "grep TcpExt: /proc/net/netstat", "fig-2").facts == []


def test_the_network_of_a_container_is_not_the_hosts():
    (fact,) = facts_of(KERNEL_COUNTERS_READER, "TcpExtTCPMD5Failure 17 0.0", "ip netns exec blue nstat", "fig-2")
    assert fact.host is None


@pytest.mark.parametrize(
    "text",
    [
        "TcpExt: SyncookiesSent IPReversePathFilter\nTcpExt: 0 88",
        "TcpExtIPReversePathFilter       88                 0.0",
        "    IPReversePathFilter: 88",
    ],
)
def test_packets_dropped_for_their_way_back(text):
    (fact,) = facts_of(KERNEL_COUNTERS_READER, text, "nstat -asz", "fig-2")
    assert (fact.name, fact.value) == ("IPReversePathFilter", 88)
