"""Signs in BGP sessions, and in what their two ends see."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.picture import Picture, once
from calivet.facts.sessions import waiting_sessions
from calivet.signs.sighting import Sighting


def bgp_not_established(picture: Picture) -> Iterator[Sighting]:
    """A session that one end does not have up."""
    for peer in waiting_sessions(picture):
        values = {"peer": peer.address, "info": peer.info or peer.state}
        yield Sighting(line=peer.at, node=picture.names.node(peer.host) or peer.host, values=values)


def bgp_ends_differ(picture: Picture) -> Iterator[Sighting]:
    """One end waits (Passive) while the other calls somewhere else, or has no session with it at all."""
    views = _views(picture)
    strangers: dict[str | None, str] = {}
    for end, address in views:
        if not picture.names.node(address):
            strangers.setdefault(end, address)
    met = {(end, picture.names.node(address)) for end, address in views}
    for (host, address), peer in views.items() if strangers else ():
        other = picture.names.node(address)
        waits = not peer.established and (peer.info or "").split(" ")[0] in ("Passive", "Active", "Connect")
        if other and other in strangers and waits and (other, host) not in met:
            values = {"peer": address, "other": other, "stranger": strangers[other]}
            yield Sighting(line=peer.at, node=host, values=values)


@once
def _views(picture: Picture) -> dict[tuple[str | None, str], BgpPeer]:
    """The last view of each session from each end."""
    return {(picture.names.node(peer.host) or peer.host, peer.address): peer for peer in picture.all(BgpPeer)}


SIGNS = {"bgp-not-established": bgp_not_established, "bgp-ends-differ": bgp_ends_differ}
