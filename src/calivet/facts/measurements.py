"""What was measured: packets on the wire, and what programs and the kernel count of themselves."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.fact import Fact


# What was captured on the wire.
class Capture(Fact, frozen=True, kw_only=True):
    """A run of tcpdump, also one in which nothing was seen."""

    interface: str = ""
    """The one that was listened on, empty where the command does not say."""


class Packet(Fact, frozen=True, kw_only=True):
    """One packet as tcpdump prints it; for a tunnel the outer packet."""

    capture: Line
    """Where its capture begins."""
    source: str
    target: str
    tunnel: str | None = None
    """IP-in-IP, VXLAN, WireGuard; None for a packet as it is."""
    length: int = 0
    sequence: str | None = None


class ArpMessage(Fact, frozen=True, kw_only=True):
    """Somebody asks who has an address, or is told."""

    capture: Line
    address: str
    asker: str | None = None
    """None in the answer."""


class EmptyCapture(Fact, frozen=True, kw_only=True):
    """tcpdump says at its end that it captured nothing."""

    bgp: bool = False
    """It was to capture BGP alone."""


# What programs, and the kernel, count of themselves.
class EtcdDiskWait(Fact, frozen=True, kw_only=True):
    """A step of a histogram of etcd: how many of its writes took no longer than so many seconds."""

    what: str
    """wal_fsync, backend_commit."""
    within: float
    count: float
    total: float


class ConntrackMetric(Fact, frozen=True, kw_only=True):
    """Entries of the connection table, or how many it may have."""

    limit: bool
    value: str


class KernelCounter(Fact, frozen=True, kw_only=True):
    """A counter of the kernel's network stack, since the machine (or its network namespace) began."""

    name: str
    """As in /proc/net/netstat: TCPMD5Failure..."""
    value: int
