"""Signs in unanswered BGP sessions: is the port closed, or the whole machine gone?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from ipaddress import IPv4Address

from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Event, Object
from calivet.facts.picture import Picture, once
from calivet.facts.sessions import waiting_sessions
from calivet.signs.computed.networks import parsed_address
from calivet.signs.sighting import Sighting

Compute = Callable[[Picture], Iterator[Sighting]]

# A probe that fails this often is past the first seconds after a start.
OFTEN = 10
_HOST_BITS = 8
_UNANSWERED = expression(r"^Connect\b|timed out", re.IGNORECASE)
_NO_BIRD = "unable to connect to BIRDv4 socket"
_SILENT = ("timeout", "no-route", "loss")


def connect_unanswered(picture: Picture) -> Iterator[Sighting]:
    """A session whose connection attempts get no answer."""
    for peer in _unanswered(picture):
        yield _sighting(peer, picture)


def answers_ping(picture: Picture) -> Iterator[Sighting]:
    """A silent peer that answers ping."""
    yield from _tested(picture, "icmp", ("ok",))


def lost_peer(picture: Picture) -> Iterator[Sighting]:
    """A silent peer that does not answer ping either."""
    yield from _tested(picture, "icmp", _SILENT)


def _saying(words: str) -> Compute:
    """A sign for sessions whose last error has these words; tools wrap them over lines, facts do not."""
    wanted = expression(words, re.IGNORECASE)

    def compute(picture: Picture) -> Iterator[Sighting]:
        for peer in waiting_sessions(picture):
            if wanted.search(peer.info or ""):
                yield _sighting(peer, picture)

    return compute


def end_at_subnet(picture: Picture) -> Iterator[Sighting]:
    """Sessions that are up inside a subnet and down to everything beyond it."""
    for host, peers in _by_host(picture).items():
        up = {_subnet(peer.address) for peer in peers if peer.established}
        down = [peer for peer in peers if not peer.established]
        beyond = {_subnet(peer.address) for peer in down}
        if up and down and not up & beyond and None not in up | beyond:
            values = {"peers": ", ".join(peer.address for peer in down[:4])}
            yield Sighting(line=down[0].at, node=picture.names.node(host) or host, values=values)


def socket_missing_for_long(picture: Picture) -> Iterator[Sighting]:
    """The probe has found no BIRD again and again, long after the start."""
    for event in picture.all(Event):
        if _NO_BIRD in event.message and event.count >= OFTEN:
            node = event.node or picture.node_of_pod(event.object)
            yield Sighting(line=event.at, node=picture.names.node(node) or node, values={"count": str(event.count)})


def password_peer_unanswered(picture: Picture) -> Iterator[Sighting]:
    """A session with a password that gets no answer."""
    with_password = [thing for thing in picture.all(Object) if any("assword" in path for path in thing.values)]
    everywhere = any("nodeMeshPassword" in path for thing in with_password for path in thing.values)
    addresses = {str(thing.values.get("spec.peerIP", "")).split(":")[0] for thing in with_password}
    for peer in _unanswered(picture):
        if everywhere or peer.address in addresses:
            yield _sighting(peer, picture)


@once
def _unanswered(picture: Picture) -> list[BgpPeer]:
    return [peer for peer in waiting_sessions(picture) if _UNANSWERED.search(peer.info or "")]


def _tested(picture: Picture, protocol: str, outcomes: tuple[str, ...]) -> Iterator[Sighting]:
    waiting = {peer.address for peer in _unanswered(picture)}
    for reach in picture.all(Reach):
        if reach.protocol == protocol and reach.outcome in outcomes and reach.target in waiting and not reach.pod:
            yield _reached(reach, picture)


@once
def _by_host(picture: Picture) -> dict[str | None, list[BgpPeer]]:
    latest = {(peer.host or peer.pod, peer.address): peer for peer in picture.all(BgpPeer)}
    grouped: dict[str | None, list[BgpPeer]] = defaultdict(list)
    for (host, _), peer in latest.items():
        grouped[host].append(peer)
    return grouped


def _subnet(address: str) -> int | None:
    own = parsed_address(address)
    return int(own) >> _HOST_BITS if isinstance(own, IPv4Address) else None


def _sighting(peer: BgpPeer, picture: Picture) -> Sighting:
    node = picture.names.node(peer.host) or peer.host or picture.node_of_pod(peer.pod)
    return Sighting(line=peer.at, node=node, values={"peer": peer.address, "info": peer.info or peer.state})


def _reached(reach: Reach, picture: Picture) -> Sighting:
    node = picture.names.node(reach.host) or reach.host
    return Sighting(line=reach.at, node=node, values={"peer": reach.target})


SIGNS = {
    "session-says-bad-as": _saying(r"Bad peer AS"),
    "session-says-bad-identifier": _saying(r"Bad BGP identifier"),
    "session-says-rejected": _saying(r"Peer de-configured|Connection rejected|Administrative shutdown"),
    "bgp-connect-unanswered": connect_unanswered,
    "silent-peer-answers-ping": answers_ping,
    "silent-peer-lost": lost_peer,
    "sessions-end-at-subnet": end_at_subnet,
    "bird-socket-missing-for-long": socket_missing_for_long,
    "password-peer-unanswered": password_peer_unanswered,
}
