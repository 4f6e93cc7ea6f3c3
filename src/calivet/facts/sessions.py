"""The BGP sessions of a picture: with everybody's neighbours in it they outnumber all other facts."""

from __future__ import annotations

from calivet.facts.calico import BgpPeer
from calivet.facts.picture import Picture, once


@once
def latest_sessions(picture: Picture) -> list[BgpPeer]:
    """What each end said last of each of its sessions."""
    return list({(peer.host, peer.address): peer for peer in picture.all(BgpPeer)}.values())


@once
def waiting_sessions(picture: Picture) -> list[BgpPeer]:
    """Each time that an end was seen without the session up."""
    return [peer for peer in picture.all(BgpPeer) if not peer.established]
