"""Signs of BIRD: whether it runs, how its sessions stand, and what their last errors say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from ipaddress import IPv4Address

from msgspec.structs import replace

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer, BirdDown, FelixAnswer, SupervisedProgram
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import list_silent_birds, list_waiting_sessions
from calivet.facts.fact import Reach, Setting, Variable
from calivet.facts.host import CommandRun
from calivet.facts.kubernetes import Event, Object
from calivet.facts.networks import parse_address
from calivet.facts.vocabulary.commands import lists_all_processes
from calivet.signs.bgp.peering import BGP_PORT, build_test_sighting
from calivet.signs.computed import Compute
from calivet.signs.identity.node_records import collect_own_addresses
from calivet.signs.install.cni_files import find_calico_nodes_all_ready
from calivet.signs.sighting import Sighting


def find_bird_refuses_inside_and_out(cluster: ClusterFacts) -> Iterator[Sighting]:
    """BIRD does not answer on its own machine, and connections to its port are refused there."""
    gone = {cluster.names.find_node_or_host(down.host) for down in cluster.all(BirdDown) if down.host}
    for address, line in _list_refusals(cluster):
        node = cluster.names.node(address)
        if node in gone:
            yield Sighting(line=line, node=node, values={"peer": address})


def _list_refusals(cluster: ClusterFacts) -> Iterator[tuple[str, Line]]:
    for peer in list_waiting_sessions(cluster):
        if "refused" in (peer.info or ""):
            yield peer.address, peer.at
    for reach in cluster.all(Reach):
        if reach.port == BGP_PORT and reach.outcome == "refused":
            yield reach.target, reach.at


def find_bird_answers_nobody(cluster: ClusterFacts) -> Iterator[Sighting]:
    """It was asked on its own machine, through its socket, and let the time pass."""
    for run in list_silent_birds(cluster):
        values = {"seconds": f"{run.seconds or 0:.0f}"}
        yield Sighting(line=run.at, node=cluster.names.find_node_or_host(run.host), values=values)


def find_bird_supervised_but_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Its supervisor runs, Felix runs, BIRD does not."""
    yield from _find_absent_programs(cluster)["bird"]


def find_bird_wanted_but_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node is told to use BIRD and Felix answers, but the whole list of processes has no BIRD."""
    for told in cluster.all(Variable):
        if (told.name, told.value) != ("CALICO_NETWORKING_BACKEND", "bird") or not told.host:
            continue
        listed = any(lists_all_processes(run.command) and run.exit == 0 for run in cluster.on(told.host, CommandRun))
        running = {one.program for one in cluster.on(told.host, Setting) if one.key == "running" and one.value}
        is_felix_up = any(answer.status for answer in cluster.on(told.host, FelixAnswer))
        if listed and is_felix_up and "calico-node" in running and not running & {"bird", "bird6"}:
            yield Sighting(line=told.at, node=cluster.names.find_node_or_host(told.host))


def find_confd_supervised_but_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same for confd, without which BIRD gets no configuration."""
    yield from _find_absent_programs(cluster)["confd"]


def find_calico_nodes_ready_with_bird(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every calico-node is ready; where BIRD was seen to be absent, the probes do not ask for it."""
    if not _find_absent_programs(cluster)["bird"]:
        yield from find_calico_nodes_all_ready(cluster)


@once
def _find_absent_programs(cluster: ClusterFacts) -> dict[str, list[Sighting]]:
    found: dict[str, list[Sighting]] = {"bird": [], "confd": []}
    for program in cluster.all(SupervisedProgram):
        if not program.alive:
            sighting = Sighting(line=program.at, node=cluster.names.node(program.host))
            found[program.program].append(sighting)
    return found


def find_bgp_not_established(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A session that one end does not have up."""
    for peer in list_waiting_sessions(cluster):
        values = {"peer": peer.address, "info": peer.info or peer.state}
        yield Sighting(line=peer.at, node=cluster.names.find_node_or_host(peer.host), values=values)


def find_bgp_ends_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One end waits (Passive) while the other calls somewhere else, or has no session with it at all."""
    views = _collect_views(cluster)
    strangers: dict[str | None, str] = {}
    for end, address in views:
        if not cluster.names.node(address):
            strangers.setdefault(end, address)
    met = {(end, cluster.names.node(address)) for end, address in views}
    for (host, address), peer in views.items() if strangers else ():
        other = cluster.names.node(address)
        waits = not peer.established and (peer.info or "").split(" ")[0] in ("Passive", "Active", "Connect")
        if other and other in strangers and waits and (other, host) not in met:
            values = {"peer": address, "other": other, "stranger": strangers[other]}
            yield Sighting(line=peer.at, node=host, values=values)


@once
def _collect_views(cluster: ClusterFacts) -> dict[tuple[str | None, str], BgpPeer]:
    """The last view of each session from each end."""
    return {(cluster.names.find_node_or_host(peer.host), peer.address): peer for peer in cluster.all(BgpPeer)}


# A probe that fails this often is past the first seconds after a start.
OFTEN = 10
_HOST_BITS = 8
_NO_BIRD = "unable to connect to BIRDv4 socket"
_SILENT = ("timeout", "no-route", "loss")


def find_bgp_connect_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A session whose connection attempts get no answer."""
    for peer in _list_unanswered(cluster):
        sighting = _build_session_sighting(peer, cluster)
        yield replace(sighting, values={**sighting.values, **_name_dialer(peer, sighting.node, cluster)})


def _name_dialer(peer: BgpPeer, node: str | None, cluster: ClusterFacts) -> dict[str, str]:
    """Which end opens the session: of two nodes the one whose address is the greater as text; the other is passive."""
    own, other = collect_own_addresses(cluster).get(node or ""), cluster.names.node(peer.address)
    if not node or not own or not other:
        return {}
    dialer, listener = (node, peer.address) if own > peer.address else (other, own)
    return {"dialer": dialer, "listener": listener}


def find_silent_peer_answers_ping(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A silent peer that answers ping."""
    yield from _find_tested_peers(cluster, "icmp", ("ok",))


def find_silent_peer_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A silent peer that does not answer ping either."""
    yield from _find_tested_peers(cluster, "icmp", _SILENT)


def _build_error_sign(*words: str) -> Compute:
    """A sign for sessions whose last error has these words; tools wrap them over lines, facts do not."""
    wanted = [word.lower() for word in words]

    def compute(cluster: ClusterFacts) -> Iterator[Sighting]:
        for peer in list_waiting_sessions(cluster):
            if any(word in (peer.info or "").lower() for word in wanted):
                yield _build_session_sighting(peer, cluster)

    return compute


def find_session_says_bad_as(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A session that ends over an AS number, with who refuses whom: what was received, the other end said."""
    for sighting in _build_error_sign("Bad peer AS")(cluster):
        refused = "refused_there" if "received" in sighting.values["info"].lower() else "refused_here"
        yield replace(sighting, values={**sighting.values, refused: sighting.values["peer"]})


def find_sessions_end_at_subnet(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Sessions that are up inside a subnet and down to everything beyond it."""
    for host, peers in _group_by_host(cluster).items():
        up = {_compute_subnet(peer.address) for peer in peers if peer.established}
        down = [peer for peer in peers if not peer.established]
        beyond = {_compute_subnet(peer.address) for peer in down}
        if up and down and not up & beyond and None not in up | beyond:
            values = {"peers": ", ".join(peer.address for peer in down[:4])}
            yield Sighting(line=down[0].at, node=cluster.names.find_node_or_host(host), values=values)


def find_bird_socket_missing_for_long(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The probe has found no BIRD again and again, long after the start."""
    for event in cluster.all(Event):
        if _NO_BIRD in event.message and event.count >= OFTEN:
            node = event.node or cluster.find_node_of_pod(event.object)
            yield Sighting(
                line=event.at, node=cluster.names.find_node_or_host(node), values={"count": str(event.count)}
            )


def find_password_peer_unanswered(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A session with a password that gets no answer."""
    with_password = [thing for thing in cluster.all(Object) if any("assword" in path for path in thing.values)]
    everywhere = any("nodeMeshPassword" in path for thing in with_password for path in thing.values)
    addresses = {str(thing.values.get("spec.peerIP", "")).split(":")[0] for thing in with_password}
    for peer in _list_unanswered(cluster):
        if everywhere or peer.address in addresses:
            yield _build_session_sighting(peer, cluster)


@once
def _list_unanswered(cluster: ClusterFacts) -> list[BgpPeer]:
    return [peer for peer in list_waiting_sessions(cluster) if peer.unanswered]


def _find_tested_peers(cluster: ClusterFacts, protocol: str, outcomes: tuple[str, ...]) -> Iterator[Sighting]:
    waiting = {peer.address for peer in _list_unanswered(cluster)}
    for reach in cluster.all(Reach):
        if reach.protocol == protocol and reach.outcome in outcomes and reach.target in waiting and not reach.pod:
            yield build_test_sighting(reach, cluster)


@once
def _group_by_host(cluster: ClusterFacts) -> dict[str | None, list[BgpPeer]]:
    latest = {(peer.host or peer.pod, peer.address): peer for peer in cluster.all(BgpPeer)}
    grouped: dict[str | None, list[BgpPeer]] = defaultdict(list)
    for (host, _), peer in latest.items():
        grouped[host].append(peer)
    return grouped


def _compute_subnet(address: str) -> int | None:
    own = parse_address(address)
    return int(own) >> _HOST_BITS if isinstance(own, IPv4Address) else None


def _build_session_sighting(peer: BgpPeer, cluster: ClusterFacts) -> Sighting:
    node = cluster.names.find_node_or_host(peer.host) or cluster.find_node_of_pod(peer.pod)
    return Sighting(line=peer.at, node=node, values={"peer": peer.address, "info": peer.info or peer.state})


SIGNS = {
    "bird-refuses-inside-and-out": find_bird_refuses_inside_and_out,
    "bird-answers-nobody": find_bird_answers_nobody,
    "bird-supervised-but-absent": find_bird_supervised_but_absent,
    "bird-wanted-but-absent": find_bird_wanted_but_absent,
    "confd-supervised-but-absent": find_confd_supervised_but_absent,
    "calico-nodes-ready-with-bird": find_calico_nodes_ready_with_bird,
    "bgp-not-established": find_bgp_not_established,
    "bgp-ends-differ": find_bgp_ends_differ,
    "session-says-bad-as": find_session_says_bad_as,
    "session-says-bad-identifier": _build_error_sign("Bad BGP identifier"),
    "session-says-rejected": _build_error_sign("Peer de-configured", "Connection rejected"),
    "bgp-connect-unanswered": find_bgp_connect_unanswered,
    "silent-peer-answers-ping": find_silent_peer_answers_ping,
    "silent-peer-lost": find_silent_peer_lost,
    "sessions-end-at-subnet": find_sessions_end_at_subnet,
    "bird-socket-missing-for-long": find_bird_socket_missing_for_long,
    "password-peer-unanswered": find_password_peer_unanswered,
}
