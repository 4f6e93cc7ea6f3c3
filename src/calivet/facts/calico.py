"""What Calico's own programs and tools state."""

from __future__ import annotations

from datetime import datetime

from calivet.evidence.artifact import Line
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

    @property
    def unanswered(self) -> bool:
        """Whether its attempts to connect get no answer."""
        info = (self.info or "").lower()
        return info.partition(" ")[0] == "connect" or "timed out" in info


class BirdDown(Fact, frozen=True, kw_only=True):
    """A tool says that BIRD, or the whole of calico-node, is not running on `host`."""

    what: str
    """bird, bird6, calico."""


class BirdAnswer(Fact, frozen=True, kw_only=True):
    """Whether BIRD said anything to whoever asked it, through its own socket, for its sessions."""

    command: str
    answered: bool


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
    last_at: Line | None = None
    """The line of the last message; `end` may be that of a stack trace behind it."""
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
    disabled: bool | None = None
    selector: str | None = None
    block_size: int | None = None
    nat_outgoing: bool | None = None


class EgressRules(Fact, frozen=True, kw_only=True):
    """What Felix has programmed on `host` for packets that leave pods, in figures."""

    workloads: int
    restricted: int
    """Pods that some policy selects."""
    allowing: int
    """Rules of policies that let something through."""


class ProgrammedPool(Fact, frozen=True, kw_only=True):
    """A pool as Felix on `host` has it among all pools, whether or not it is disabled."""

    cidr: str


class CniConfig(Fact, frozen=True, kw_only=True):
    """A CNI configuration file's content."""

    name: str | None = None
    plugins: tuple[str, ...] = ()
    ipam: str | None = None
    pools: tuple[str, ...] = ()
    """The only pools that pods' addresses are to be of; empty for all."""
    gives_ipv6: bool = False
    datastore: str | None = None
    mtu: str | None = None
    file: str | None = None


class DeterminedMtu(Fact, frozen=True, kw_only=True):
    """The MTU that Felix found right for pods, from the cards of its machine and the tunnels that it uses."""

    mtu: int
    pod: str | None = None
    """The pod whose log says so."""


class TyphaAttempt(Fact, frozen=True, kw_only=True):
    """A connection to Typha was begun, and the log says nothing of how it ended."""

    address: str | None


class SupervisedProgram(Fact, frozen=True, kw_only=True):
    """A program of calico-node that runit looks after, in a whole list of the container's processes."""

    program: str
    """bird, confd."""
    alive: bool


class FelixRevived(Fact, frozen=True, kw_only=True):
    """Felix is far younger than the other processes of its container."""

    young: str
    old: str
    pod: str | None = None


class FelixRestarts(Fact, frozen=True, kw_only=True):
    """Felix began again inside its container; `at` is where it last did."""

    times: int = 0
    at_once: bool = False
    """It lives for seconds, time after time. Else it ended without a word, as often as is told."""
    pod: str | None = None
    """The pod whose log or container was asked for."""


class NetworkingBackend(Fact, frozen=True, kw_only=True):
    """The variable by which calico-node is told to run without BGP."""

    backend: str
    """vxlan, none."""


class BirdProbe(Fact, frozen=True, kw_only=True):
    """A probe that asks for BIRD."""


class NoBgpPeers(Fact, frozen=True, kw_only=True):
    """`calicoctl node status` knows of no peer."""


class IptablesBackend(Fact, frozen=True, kw_only=True):
    """The backend of iptables that a program works with."""

    program: str
    """felix, or iptables for the host's own."""
    nft: bool
    word: str
    """As the program names it: nft, nf_tables, legacy."""


class DataplaneMode(Fact, frozen=True, kw_only=True):
    """A program says that it works in a mode, or a note or a short output speaks of it."""

    mode: str
    """eBPF, WireGuard, nftables."""
    mentioned: bool = False
    """It is only spoken of."""


class PortLoopFailure(Fact, frozen=True, kw_only=True):
    """A loop over several ports that fails at the BGP port alone."""

    command: str


class BgpComplaint(Fact, frozen=True, kw_only=True):
    """BIRD's log names a peer of the mesh and what went wrong."""

    peer: str
    error: str


class UnknownCaller(Fact, frozen=True, kw_only=True):
    """Somebody calls BIRD from an address that is none of its peers'."""

    address: str


class WaitedPeer(Fact, frozen=True, kw_only=True):
    """A peer that calico-node says it has no session with."""

    address: str


class AddressConflict(Fact, frozen=True, kw_only=True):
    """calico-node refuses an address because the record of another node has it."""

    other: str
    address: str


class OldLogForm(Fact, frozen=True, kw_only=True):
    """A log has the form that Calico's lines had up to 3.13."""


class NodenameFile(Fact, frozen=True, kw_only=True):
    """What the file with the node's name holds; `host` is the machine as the prompt of whoever printed it names it."""

    name: str
    alone: bool = False
    """The file itself was printed, and the name stands right below the command."""


class NodenameMissed(Fact, frozen=True, kw_only=True):
    """The CNI plugin did not find the file with the node's name."""


class ListedConfig(Fact, frozen=True, kw_only=True):
    """The name of a CNI configuration in an output that is no plain listing."""

    name: str


class IpamBlock(Fact, frozen=True, kw_only=True):
    """A block of addresses, in a complete check of IPAM."""

    cidr: str


class BlockSize(Fact, frozen=True, kw_only=True):
    """The prefix length of blocks."""

    size: int


class PoolAnnotation(Fact, frozen=True, kw_only=True):
    """The pools that a pod or a namespace asks for."""

    pools: tuple[str, ...]


class AddressAnnotation(Fact, frozen=True, kw_only=True):
    """The addresses that a pod asks for."""

    addresses: tuple[str, ...]


class MissingWireguardKey(Fact, frozen=True, kw_only=True):
    """A node without a key in a list in which others have one."""

    node: str
    others: tuple[str, ...]


class BpfDevices(Fact, frozen=True, kw_only=True):
    """The devices of a machine, pods' aside, that Felix has told the eBPF programs of."""

    pod: str | None
    names: tuple[str, ...]


class WireguardUnsupported(Fact, frozen=True, kw_only=True):
    """Felix says that the kernel has no WireGuard to offer."""


class FelixAnswer(Fact, frozen=True, kw_only=True):
    """What Felix answered on its own machine to whoever asked how it is."""

    path: str
    """readiness, liveness."""
    status: int | None = None
    """Of HTTP; None where nobody answered."""
    rows: tuple[str, ...] = ()
    """The parts that it reports on, where it lists them."""

    @property
    def is_good(self) -> bool:
        """200 with what its parts say, 204 from releases that say nothing; one part alone is no Felix at work."""
        return self.status in (200, 204) and len(self.rows) != 1
