"""What a node's own tools and files state; `host` says which node."""

from __future__ import annotations

import re
from datetime import datetime

from calivet.evidence.artifact import Line
from calivet.facts.fact import Fact
from calivet.search.expressions import expression

_APPENDED = expression(r"(?:\[\d+:\d+\] )?-A (?P<arguments>.+)")
_TO_BGP = expression(r"\b(?:dports?|dpts?)\b[\s:={]+[\w,:\s]*?\b(?:179|bgp)\b")
_FIRST_PING = expression(r"ping -c 1 -W 1 (?P<target>\S+) >/dev/null")
_ONE_KIND = expression(r"dport|sport|icmp|established|\blo\b|\b(?:udp|esp|ipip)\b", re.IGNORECASE)
_ALL_BUT = expression(r"saddr != |! (?:-s|--source) |\s![\d.]+/\d")
_NOT_MASQUERADED = expression(r"! -s (?P<range>[0-9a-f.:]+/\d+).*KUBE-MARK-MASQ")
_NODE_MOUNTS = expression(r"/|/var(?:/(?:lib|log|run)(?:/.*)?)?|/opt(?:/.*)?|/run|/etc|/usr|/data\d*(?:/.*)?")


class Interface(Fact, frozen=True, kw_only=True):
    """A network interface with its addresses (with prefix length where shown)."""

    name: str
    addresses: tuple[str, ...] = ()
    up: bool | None = None
    mtu: int | None = None
    flags: tuple[str, ...] = ()
    hardware: str | None = None
    exists: bool = True
    """False where a tool says that there is no such device."""


class VxlanDevice(Fact, frozen=True, kw_only=True):
    """A VXLAN device as `ip -d link` shows it."""

    name: str
    vni: int
    port: int
    external: bool = False
    """It takes packets of every network id, and so has the port for itself."""


class Route(Fact, frozen=True, kw_only=True):
    """A line of the routing table."""

    destination: str
    via: str | None = None
    device: str | None = None
    protocol: str | None = None
    source: str | None = None
    kind: str = "unicast"
    """unicast, blackhole, unreachable, local..."""
    metric: int | None = None
    table: str | None = None
    """Where it is not the main one."""


class Socket(Fact, frozen=True, kw_only=True):
    """A listening or connected socket."""

    protocol: str
    address: str
    port: int
    state: str | None = None
    peer: str | None = None
    process: str | None = None


class Unit(Fact, frozen=True, kw_only=True):
    """A systemd unit's state."""

    name: str
    """Without .service: kubelet, containerd, docker."""
    active: str | None = None
    """active, inactive, failed, activating."""
    sub: str | None = None
    """running, dead, auto-restart, exited."""
    result: str | None = None
    enabled: bool | None = None
    restarts: int | None = None
    """How often systemd has restarted it, where its log counts."""


class Swap(Fact, frozen=True, kw_only=True):
    """A swap area that is on; size in KiB. A device of None says that none is on."""

    device: str | None
    size: int | None = None


class Load(Fact, frozen=True, kw_only=True):
    """The load average of the last minute."""

    one: float
    cpus: int | None = None


class Cpu(Fact, frozen=True, kw_only=True):
    """How many CPUs a host has, or how many of them are in use."""

    count: int | None = None
    used: float | None = None


class Memory(Fact, frozen=True, kw_only=True):
    """Memory in MiB."""

    total: float
    available: float | None = None


class Disk(Fact, frozen=True, kw_only=True):
    """A mounted file system; used in percent."""

    mount: str
    used: float
    inodes: bool = False
    """The figure is of inodes, not of space."""

    @property
    def of_node(self) -> bool:
        """Whether the node lives on it. What else is mounted may be full without harm: images and snaps always are."""
        return _NODE_MOUNTS.fullmatch(self.mount) is not None


class Sysctl(Fact, frozen=True, kw_only=True):
    """A kernel setting."""

    key: str
    value: str
    file: str | None = None
    """The file that sets it at boot, where it is not the running kernel's value."""


class KernelModule(Fact, frozen=True, kw_only=True):
    """A kernel module that is loaded (or that a tool says is absent)."""

    name: str
    loaded: bool


class MachineIdentity(Fact, frozen=True, kw_only=True):
    """A number that no other machine should have, by its sum."""

    name: str
    """machine-id, product_uuid."""
    digest: str


class HostsEntry(Fact, frozen=True, kw_only=True):
    """A line of /etc/hosts."""

    address: str
    names: tuple[str, ...]


class VirtualServer(Fact, frozen=True, kw_only=True):
    """An ipvs service with its real servers."""

    address: str
    port: str
    backends: tuple[str, ...] = ()


class FirewallRule(Fact, frozen=True, kw_only=True):
    """A rule of iptables or nft."""

    rule: str
    chain: str | None = None
    target: str | None = None
    packets: int | None = None

    @property
    def arguments(self) -> str | None:
        """Chain and matches as `iptables -D` takes them, where the listing shows them so."""
        found = _APPENDED.match(self.rule)
        return found["arguments"] if found else None

    @property
    def of_bgp(self) -> bool:
        """Whether it is about connections to the BGP port."""
        return _TO_BGP.search(self.rule) is not None

    @property
    def names_no_kind(self) -> bool:
        """Whether it is about connections of every kind, so about those to the BGP port as well."""
        return _ONE_KIND.search(self.rule) is None

    @property
    def spares_some(self) -> bool:
        """Whether it is about all but some sources: a rule against strangers blocks no node."""
        return _ALL_BUT.search(self.rule) is not None

    @property
    def spared_source(self) -> str | None:
        """The range that kube-proxy does not masquerade."""
        found = _NOT_MASQUERADED.search(self.rule)
        return found["range"] if found else None


class FirewallTable(Fact, frozen=True, kw_only=True):
    """A table of iptables that was listed from its first line to its last."""

    name: str
    """filter, nat, mangle, raw."""


class File(Fact, frozen=True, kw_only=True):
    """A file that a listing shows, or that a tool says is missing."""

    path: str
    exists: bool


class CommandRun(Fact, frozen=True, kw_only=True):
    """How a command of calivet's own probe of a node ended; what it printed is read like any other output."""

    command: str
    exit: int | None = None
    seconds: float | None = None
    timed_out: bool = False
    absent: bool = False
    """There is no such program."""
    skipped: bool = False
    """It was not tried: no time was left, or its like had just timed out."""

    @property
    def found_dead(self) -> str | None:
        """The machine that did not answer the ping with which the probe begins."""
        found = _FIRST_PING.match(self.command) if self.exit == 1 else None
        return found["target"] if found else None


class NodeProbe(Fact, frozen=True, kw_only=True):
    """The first line of a probe."""

    user: str
    time: datetime | None = None


class NodeProbeEnd(Fact, frozen=True, kw_only=True):
    """The last line of a probe: what has none was cut short."""

    sections: int


class Pressure(Fact, frozen=True, kw_only=True):
    """The share of time, in percent over the last minute, in which work waited for a resource."""

    resource: str
    """cpu, memory, io."""
    some: float
    """At least one process waited."""
    full: float | None = None
    """All of them did."""


class Neighbour(Fact, frozen=True, kw_only=True):
    """An entry of the neighbour table: who answers to an address on the same network."""

    address: str
    device: str
    hardware: str | None = None
    state: str | None = None
    """REACHABLE, STALE, FAILED, INCOMPLETE, PERMANENT..."""


class CpuBelowLevel(Fact, frozen=True, kw_only=True):
    """A processor without the instructions of x86-64-v2, for which newer images are built."""

    missing: tuple[str, ...] = ()
    """What the kernel's list of flags lacks; nothing where the dynamic loader says it."""


class TunnelEntry(Fact, frozen=True, kw_only=True):
    """A line of a VXLAN device's forwarding table: which node has a hardware address."""

    table: Line
    """Where its table begins."""
    hardware: str
    address: str


# Sizes as free, swapon, df and top write them.
_SIZE = expression(r"^(\d+(?:[.,]\d+)?)\s*([KMGTPE]?)i?B?$", re.IGNORECASE)
_POWERS = {"K": 0, "M": 1, "G": 2, "T": 3, "P": 4, "E": 5}


def convert_to_kibibytes(text: str, unit: str = "K") -> float | None:
    """KiB of `2G`, `512Mi`, `0B` or a bare number, which is in `unit` (B, K, M or G); None where it is no size."""
    found = _SIZE.match(text.strip())
    if not found:
        return None
    number = float(found[1].replace(",", "."))
    if found[2]:
        unit = found[2].upper()
    elif text.strip().upper().endswith("B"):
        unit = "B"
    return number / 1024 if unit == "B" else float(number * 1024 ** _POWERS.get(unit, 0))


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
