"""What Calico's own programs and tools state."""

from __future__ import annotations

from datetime import datetime

from calivet.facts.fact import Fact


class BgpPeer(Fact, frozen=True, kw_only=True):
    """A BGP session as one end sees it; `host` is that end."""

    address: str
    state: str
    """up, start, down... as BIRD's protocol state."""
    info: str | None = None
    """Established, Passive, Active, Connect..., with BIRD's last error behind it."""
    type: str | None = None
    """node-to-node mesh, node specific, global."""
    since: str | None = None
    pod: str | None = None
    """The calico-node pod that was asked, where `host` is not known."""

    @property
    def established(self) -> bool:
        """Whether this end has the session up."""
        return (self.info or "").startswith("Established")


class BirdDown(Fact, frozen=True, kw_only=True):
    """A tool says that BIRD, or the whole of calico-node, is not running on `host`."""

    what: str
    """bird, bird6, calico."""


class HealthReport(Fact, frozen=True, kw_only=True):
    """A row of Felix's health table, or its overall line (component None)."""

    component: str | None = None
    live: bool | None = None
    ready: bool | None = None
    timed_out: bool = False
    detail: str | None = None
    time: datetime | None = None


class LogSpan(Fact, frozen=True, kw_only=True):
    """A stretch of Calico log lines: when it began and ended, and how it ended.

    `at` is the first line, `end` the number of the last one.
    """

    program: str
    """startup, felix, confd, ipam, cni-plugin, typha, kube-controllers, bird..., or mixed."""
    pod: str | None = None
    container: str | None = None
    lines: int = 0
    end: int = 0
    first_time: datetime | None = None
    last_time: datetime | None = None
    last_message: str = ""
    worst: str | None = None
    """The highest level seen: INFO, WARNING, ERROR, FATAL, PANIC."""


class NodeAddress(Fact, frozen=True, kw_only=True):
    """The address that Calico has for a node, and who says so."""

    node: str | None
    address: str
    """With prefix length where shown: 10.0.0.5/24."""
    interface: str | None = None
    source: str
    """annotation, autodetected, environment, resource."""


class Pool(Fact, frozen=True, kw_only=True):
    """An IP pool."""

    cidr: str
    name: str | None = None
    ipip: str | None = None
    vxlan: str | None = None
    nat: bool | None = None
    disabled: bool | None = None
    selector: str | None = None
    block_size: int | None = None


class CniConfig(Fact, frozen=True, kw_only=True):
    """A CNI configuration file's content."""

    name: str | None = None
    plugins: tuple[str, ...] = ()
    ipam: str | None = None
    datastore: str | None = None
    mtu: str | None = None
    file: str | None = None
