"""Signs in what BIRD's own tools and its peers say of one BIRD."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import BirdDown
from calivet.facts.fact import Reach
from calivet.facts.picture import Picture
from calivet.facts.sessions import waiting_sessions
from calivet.signs.computed.bgp_port import BGP_PORT
from calivet.signs.sighting import Sighting


def refuses_inside_and_out(picture: Picture) -> Iterator[Sighting]:
    """BIRD does not answer on its own machine, and connections to its port are refused there."""
    gone = {picture.names.node(down.host) or down.host for down in picture.all(BirdDown) if down.host}
    for address, line in _refused(picture):
        node = picture.names.node(address)
        if node in gone:
            yield Sighting(line=line, node=node, values={"peer": address})


def _refused(picture: Picture) -> Iterator[tuple[str, Line]]:
    for peer in waiting_sessions(picture):
        if "refused" in (peer.info or ""):
            yield peer.address, peer.at
    for reach in picture.all(Reach):
        if reach.port == BGP_PORT and reach.outcome == "refused":
            yield reach.target, reach.at


SIGNS = {"bird-refuses-inside-and-out": refuses_inside_and_out}
