"""What a change would do to the whole cluster: each node's address, the sessions, the pools and the starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from calivet.forecast.autodetection import TakenAddress
from calivet.forecast.changes import Change
from calivet.forecast.peering import Session, WantedSessions
from calivet.forecast.reachability import PoolOutcome
from calivet.forecast.releases import RunningRelease
from calivet.forecast.settings import Settings
from calivet.forecast.starts import StartOutcome

FINE, BROKEN, UNCLEAR = "fine", "broken", "unclear"

# What is wrong with a node afterwards.
NO_ADDRESS = "no-address"
OLD_ADDRESS = "old-address"
ENDS = "ends"
SAME_ADDRESS = "same-address"
CUT_OFF = "cut-off"
NO_PEERS = "no-peers"
START_KILLED = "start-killed"
START_CLOSE = "start-close"
PROBE_CUT_OFF = "probe-cut-off"

# What was not seen.
CARDS = "cards"
CARDS_IN_ORDER = "cards-in-order"
ROUTES = "routes"
NODE_ADDRESSES = "node-addresses"
RESOLUTION = "resolution"
POOLS = "pools"
LABELS = "labels"
PROBES = "probes"
START_LOG = "start-log"
PROBE_DURATION = "probe-duration"


class Trouble(Struct, frozen=True):
    """Why a node would not be fine."""

    kind: str
    detail: str = ""


class Missing(Struct, frozen=True):
    """Evidence without which it cannot be told."""

    what: str
    node: str = ""
    detail: str = ""


class NodeOutcome(Struct):
    """A node's address before and after, and what would be wrong."""

    name: str
    before: TakenAddress
    after: TakenAddress
    internal: str | None = None
    """The InternalIP of the family."""
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def changes(self) -> bool:
        """Whether the address becomes another one, prefix length included."""
        return self.after.address != self.before.address

    @property
    def at_home(self) -> bool:
        """Whether it would be where Kubernetes knows it."""
        return self.internal is not None and self.internal == (self.after.address or "").partition("/")[0]


class FamilyOutcome(Struct):
    """All of one family: IPv4 or IPv6."""

    family: int
    nodes: list[NodeOutcome]
    wanted: WantedSessions
    """The sessions that are asked for afterwards."""
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many sessions between nodes go from which state to which."""
    states: dict[str, Counter[str]] = field(default_factory=dict)
    """For each node, how many of its sessions end in which state."""
    moved: list[Session] = field(default_factory=list)
    """Sessions that change or stay down; the first of them where they are very many."""
    routers: list[Session] = field(default_factory=list)


class Forecast(Struct):
    """The whole forecast."""

    changes: Sequence[Change]
    before: Settings
    after: Settings
    running: RunningRelease
    families: list[FamilyOutcome]
    pools: list[PoolOutcome] = field(default_factory=list)
    starts: list[StartOutcome] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    namespace: str = "kube-system"
    """Where calico-node runs."""

    def touches(self, *parts: str) -> bool:
        """Whether a change touches one of these parts of the cluster."""
        return any(change.touches in parts for change in self.changes)

    @property
    def broken(self) -> list[NodeOutcome]:
        """Nodes that would not be fine."""
        return [node for family in self.families for node in family.nodes if node.troubles]

    @property
    def verdict(self) -> str:
        """Broken where anything surely would be; else unclear where something cannot be told."""
        if self.broken or any(pool.troubles for pool in self.pools):
            return BROKEN
        return UNCLEAR if self.missing else FINE
