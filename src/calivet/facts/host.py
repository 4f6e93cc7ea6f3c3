"""What a node's own tools and files state; `host` says which node."""

from __future__ import annotations

from datetime import datetime

from calivet.facts.fact import Fact


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
    """Load averages of the last 1, 5 and 15 minutes."""

    one: float
    five: float | None = None
    fifteen: float | None = None
    cpus: int | None = None


class Cpu(Fact, frozen=True, kw_only=True):
    """How many CPUs a host has, how idle they are in percent, or how many of them are in use."""

    count: int | None = None
    idle: float | None = None
    used: float | None = None


class Memory(Fact, frozen=True, kw_only=True):
    """Memory in MiB."""

    total: float
    available: float | None = None
    swap_total: float | None = None


class Disk(Fact, frozen=True, kw_only=True):
    """A mounted file system; used in percent."""

    mount: str
    used: float
    inodes: bool = False
    """The figure is of inodes, not of space."""


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


class OomKill(Fact, frozen=True, kw_only=True):
    """The kernel's OOM killer ended a process."""

    process: str
    constraint: str | None = None
    """memcg for a container's limit, none for the host."""


class RuntimeContainer(Fact, frozen=True, kw_only=True):
    """A container as crictl or docker lists it."""

    name: str
    state: str
    """running, exited, created, unknown."""
    pod: str | None = None
    age: float | None = None
    attempt: int | None = None
    exit_code: int | None = None


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


class File(Fact, frozen=True, kw_only=True):
    """A file that a listing shows, or that a tool says is missing."""

    path: str
    exists: bool


class KernelCounter(Fact, frozen=True, kw_only=True):
    """A counter of the kernel's network stack, since the machine (or its network namespace) began."""

    name: str
    """As in /proc/net/netstat: TCPMD5Failure..."""
    value: int


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
    cut: bool = False
    """It printed more than the probe keeps."""


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


class RoutingRule(Fact, frozen=True, kw_only=True):
    """Which routing table is asked for which packets, and when."""

    priority: int
    selector: str
    """from all, from 10.0.0.5, fwmark 0x10/0x10..."""
    table: str
