"""The BGP sessions: what each end said last of each, joined where both ends were asked."""

from __future__ import annotations

from collections import defaultdict

from calivet.facts.calico import BgpPeer, NodeAddress
from calivet.facts.names import Names
from calivet.facts.picture import Picture
from calivet.scene.scene import DOWN, HALF, UP, End, Session

_MESH = ("node-to-node mesh", None)


def sessions(picture: Picture) -> list[Session]:
    """One for each pair, in the order of the evidence; what nobody is known to have said is left out."""
    pairs: dict[tuple[str, str], dict[tuple[str, str], End]] = defaultdict(dict)
    stored = _by_address(picture)
    for asked, peers in _listings(picture).items():
        speaker = _speaker(asked, peers, picture)
        if speaker:
            for peer in peers:
                other = picture.names.node(peer.address) or stored.get(peer.address.lower())
                if not other or other == speaker:
                    other = peer.address
                pair = (speaker, other) if speaker < other else (other, speaker)
                pairs[pair][speaker, peer.address] = _end(speaker, peer)
    return [_session(*pair, tuple(ends.values())) for pair, ends in pairs.items()]


def _by_address(picture: Picture) -> dict[str, str]:
    """The nodes by what Calico has as their address, which may be one of IPv6."""
    return {one.address.partition("/")[0].lower(): one.node for one in picture.all(NodeAddress) if one.node}


def _listings(picture: Picture) -> dict[tuple[str | None, str | None, str], list[BgpPeer]]:
    """The peers by whom was asked and in which document."""
    listings: dict[tuple[str | None, str | None, str], list[BgpPeer]] = defaultdict(list)
    for peer in picture.all(BgpPeer):
        listings[peer.host, peer.pod, peer.at.artifact].append(peer)
    return listings


def _speaker(asked: tuple[str | None, str | None, str], peers: list[BgpPeer], picture: Picture) -> str | None:
    host, pod, _ = asked
    return picture.names.node(host) or host or picture.node_of_pod(pod) or _only_absent(peers, picture.names)


def _only_absent(peers: list[BgpPeer], names: Names) -> str | None:
    """In a full mesh a node lists all others: where a single one is not in the list, the list is its own."""
    if any(peer.type not in _MESH for peer in peers):
        return None
    listed = {names.node(peer.address) for peer in peers}
    absent = [node for node in names.nodes if node not in listed]
    return absent[0] if len(absent) == 1 and None not in listed else None


def _end(node: str, peer: BgpPeer) -> End:
    return End(node=node, info=peer.info or peer.state, up=peer.established, since=peer.since or "", line=peer.at)


def _session(one: str, other: str, ends: tuple[End, ...]) -> Session:
    ups = [end.up for end in ends]
    return Session(one=one, other=other, state=UP if all(ups) else HALF if any(ups) else DOWN, ends=ends)
