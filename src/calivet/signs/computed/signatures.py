"""Signs of BGP passwords in the kernel's counters: newer kernels no longer log what they drop."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.host import KernelCounter
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting


def segments_dropped(picture: Picture) -> Iterator[Sighting]:
    """A machine has dropped segments over their signature, and a session of its own is not up; both ends are named."""
    for counter in picture.all(KernelCounter):
        node = picture.names.node(counter.host) or counter.host
        down = [peer for peer in picture.on(counter.host, BgpPeer) if not peer.established]
        if not counter.value or not down:
            continue
        values = {"count": str(counter.value), "peer": ", ".join(sorted({peer.address for peer in down}))}
        others = {picture.names.node(peer.address) for peer in down} - {None, node}
        for end in (node, *sorted(filter(None, others))):
            yield Sighting(line=counter.at, node=end, values=values)


SIGNS = {"signed-segments-dropped": segments_dropped}
