"""The states the lab is brought into, and which cause of the catalogue accounts for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.lab import faults
from tests.lab.lab import Lab
from tests.lab.plan import ALDER, BIRCH, CEDAR, EVERYONE, Plan


@dataclass(frozen=True)
class Says:
    """What BIRD of one node says of its session with another once the state has come about."""

    node: str
    peer: str
    words: str


@dataclass(frozen=True)
class State:
    """One way in which three nodes can be; what is not said is healthy."""

    name: str
    cause: str | None
    """The catalogue's id of what is wrong."""
    at: str = "alder"
    """The node that it is about, or one of its nodes."""
    plans: tuple[Plan, ...] = EVERYONE
    rule: Callable[[Lab], None] | None = None
    """Done before the daemons start."""
    accident: Callable[[Lab], None] | None = None
    """Done once all sessions are up."""
    then: tuple[Says, ...] = ()
    not_ready: tuple[str, ...] = ()
    """Nodes whose calico-node pod the API server shows as not ready."""
    hangs: bool = False
    """Something in it never answers, so that whoever asks must give up at some time."""
    lost: tuple[str, ...] = ()
    """Nodes whose kubelet reports them as NotReady."""

    def bring_about(self, lab: Lab) -> None:
        """Starts the lab's daemons and makes it so; returns when the sessions show it."""
        if self.rule:
            self.rule(lab)
        lab.start()
        if self.accident:
            lab.until_all_sessions_are_up()
            self.accident(lab)
        for says in self.then:
            lab.until_bird_says(says.node, says.peer, says.words)
        if not self.then:
            lab.until_all_sessions_are_up()


UP = Says("birch", "cedar", "Established")
STATES = (
    State("healthy", None),
    State("second-card-idle", None, plans=(ALDER, BIRCH, replace(CEDAR, second_card="192.168.83.13"))),
    State(
        "cgroupfs-everywhere",
        None,
        plans=tuple(replace(plan, kubelet_driver="cgroupfs", runtime_driver="cgroupfs") for plan in EVERYONE),
    ),
    State("way-drops-pings", None, rule=faults.way_drops_pings),
    State("narrow-link", "mtu-mismatch", rule=faults.link_is_narrow),
    State("narrow-router", "mtu-mismatch", rule=faults.router_is_narrow),
    State(
        "way-drops-bgp",
        "bgp-port-blocked",
        "birch",
        rule=faults.way_drops_bgp,
        then=(Says("birch", "alder", "Connect"), Says("cedar", "birch", "Connect")),
        hangs=True,
        not_ready=("alder", "birch", "cedar"),
    ),
    State(
        "nft-drops-bgp",
        "firewall-on-host",
        rule=faults.nft_drops_bgp,
        then=(Says("birch", "alder", "Connect"), UP),
        hangs=True,
        not_ready=("alder",),
    ),
    State(
        "iptables-rejects-bgp",
        "firewall-on-host",
        rule=faults.iptables_rejects_bgp,
        then=(Says("birch", "alder", "Active Socket: No route to host"), UP),
        not_ready=("alder",),
    ),
    State(
        "iptables-resets-bgp",
        "firewall-on-host",
        rule=faults.iptables_resets_bgp,
        then=(Says("birch", "alder", "Active Socket: Connection refused"), UP),
        not_ready=("alder",),
    ),
    State(
        "wrong-as",
        "bgp-as-mismatch",
        "cedar",
        plans=(ALDER, BIRCH, replace(CEDAR, as_number=64999)),
        then=(Says("alder", "cedar", "Idle BGP Error: Bad peer AS"), Says("cedar", "birch", "Idle Received")),
        not_ready=("cedar",),
    ),
    State(
        "wrong-password",
        "bgp-password-mismatch",
        "cedar",
        plans=(replace(ALDER, password="one"), replace(BIRCH, password="one"), replace(CEDAR, password="other")),
        then=(Says("cedar", "alder", "Connect"), Says("birch", "alder", "Established")),
        hangs=True,
        not_ready=("cedar",),
    ),
    State(
        "password-on-one-side",
        "bgp-password-mismatch",
        "cedar",
        plans=(ALDER, BIRCH, replace(CEDAR, password="other")),
        then=(Says("cedar", "alder", "Connect"), Says("birch", "alder", "Established")),
        hangs=True,
        not_ready=("cedar",),
    ),
    State(
        "bird-dead",
        "bird-not-running",
        accident=faults.bird_dies,
        then=(Says("cedar", "alder", "Active Socket: Connection refused"),),
        not_ready=("alder",),
    ),
    State(
        "address-twice",
        "duplicate-node-ip",
        "cedar",
        plans=(ALDER, BIRCH, replace(CEDAR, address=BIRCH.address)),
        then=(Says("alder", "birch", "Established"),),
        hangs=True,
        not_ready=("cedar",),
    ),
    State(
        "second-card",
        "wrong-ip-autodetected",
        "cedar",
        plans=(ALDER, BIRCH, replace(CEDAR, second_card="192.168.83.13", takes_second_card=True)),
        then=(Says("cedar", "alder", "Connect"), Says("birch", "alder", "Established")),
        hangs=True,
        not_ready=("cedar",),
    ),
    State(
        "cgroup-drivers-differ",
        "cgroup-driver-mismatch",
        "cedar",
        plans=(ALDER, BIRCH, replace(CEDAR, runtime_driver="cgroupfs")),
        not_ready=("cedar",),
    ),
    State("runtime-dead", "runtime-unresponsive", "cedar", accident=faults.runtime_dies, then=(UP,), lost=("cedar",)),
    State(
        "runtime-frozen",
        "runtime-unresponsive",
        "cedar",
        accident=faults.runtime_freezes,
        then=(UP,),
        hangs=True,
        lost=("cedar",),
    ),
)
