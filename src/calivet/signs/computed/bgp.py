"""Signs in BGP sessions, and in what their two ends see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting


def bgp_not_established(picture: Picture) -> Iterator[Sighting]:
    """A session that one end does not have up."""
    for peer in picture.all(BgpPeer):
        if not peer.established:
            values = {"peer": peer.address, "info": peer.info or peer.state}
            yield Sighting(line=peer.at, node=picture.names.node(peer.host) or peer.host, values=values)


def bgp_ends_differ(picture: Picture) -> Iterator[Sighting]:
    """One end waits (Passive) while the other calls somewhere else, or has no session with it at all."""
    views = _views(picture)
    by_end: dict[str | None, list[BgpPeer]] = defaultdict(list)
    for (end, _), view in views.items():
        by_end[end].append(view)
    for (host, address), peer in views.items():
        other = picture.names.node(address)
        if peer.established or not other or (peer.info or "").split(" ")[0] not in ("Passive", "Active", "Connect"):
            continue
        there = by_end.get(other, [])
        strangers = [view for view in there if not picture.names.node(view.address)]
        if strangers and all(picture.names.node(view.address) != host for view in there):
            values = {"peer": address, "other": other, "stranger": strangers[0].address}
            yield Sighting(line=peer.at, node=host, values=values)


@once
def _views(picture: Picture) -> dict[tuple[str | None, str], BgpPeer]:
    """The last view of each session from each end."""
    return {(picture.names.node(peer.host) or peer.host, peer.address): peer for peer in picture.all(BgpPeer)}


SIGNS = {"bgp-not-established": bgp_not_established, "bgp-ends-differ": bgp_ends_differ}
