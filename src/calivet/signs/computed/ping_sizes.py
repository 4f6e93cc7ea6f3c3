"""Signs in pings of different sizes: how large a packet may be on its way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.host import Interface
from calivet.facts.picture import Picture, once
from calivet.signs.computed.mtus import pod_mtu_over_tunnel, tunnel_mtu_over_card
from calivet.signs.sighting import Sighting

FULL = 1200
"""Bytes of a ping that is not a small one."""
_SMALL = 56
_LOST = ("timeout", "loss")
_PARTLY = expression(r"^\d\d?% packet loss")
_LIMIT = expression(r"\bmtu ?= ?(?P<mtu>\d{2,5})")


def large_fails_small_passes(picture: Picture) -> Iterator[Sighting]:
    """Small packets reach the target, large ones vanish or are turned back."""
    for tests in _pings(picture).values():
        passed = [reach for reach in tests if reach.outcome == "ok"]
        lost = [reach for reach in tests if (reach.size or 0) >= FULL and _does_not_fit(reach, picture)]
        small = min((reach.size or _SMALL for reach in passed), default=None)
        for reach in lost[:1]:
            if small is not None and small < (reach.size or 0):
                values = {"target": reach.target, "small": str(small), "large": str(reach.size)}
                yield Sighting(line=reach.at, node=_node(reach, picture), values=values)


def large_passes(picture: Picture) -> Iterator[Sighting]:
    """Full packets reach their targets, and none was lost anywhere.

    Between machines they say nothing of what a tunnel makes of pods' packets, where that is larger still.
    """
    full = [reach for tests in _pings(picture).values() for reach in tests if (reach.size or 0) >= FULL]
    too_large = any(tunnel_mtu_over_card(picture)) or any(pod_mtu_over_tunnel(picture))
    telling = [reach for reach in full if reach.pod or not too_large]
    if telling and all(reach.outcome == "ok" for reach in full):
        values = {"target": telling[0].target, "size": str(telling[0].size)}
        yield Sighting(line=telling[0].at, node=_node(telling[0], picture), values=values)


def arrives(reach: Reach) -> bool:
    """Some of them did, which is enough to say that they fit."""
    return reach.outcome == "ok" or bool(_PARTLY.match(reach.detail or ""))


def _does_not_fit(reach: Reach, picture: Picture) -> bool:
    """All of its size were lost, or turned back for a limit that is none of the machine's own devices'."""
    if reach.outcome in _LOST:
        return not arrives(reach)
    limit = _LIMIT.search(reach.detail or "")
    own = {card.mtu for card in picture.on(reach.host, Interface)}
    return bool(limit and own and not reach.pod and int(limit["mtu"]) not in own)


@once
def _pings(picture: Picture) -> dict[tuple[str | None, str | None, str], list[Reach]]:
    found: dict[tuple[str | None, str | None, str], list[Reach]] = defaultdict(list)
    for reach in picture.all(Reach):
        if reach.protocol == "icmp":
            found[reach.host, reach.pod, reach.target].append(reach)
    return found


def _node(reach: Reach, picture: Picture) -> str | None:
    return picture.node_of_pod(reach.pod) or picture.names.node(reach.host) or reach.host


SIGNS = {"large-fails-small-passes": large_fails_small_passes, "large-passes": large_passes}
