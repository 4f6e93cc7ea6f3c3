"""Whether the packets that pods may send still fit the node's card once they are wrapped."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from calivet.facts.calico import CniConfig
from calivet.facts.host import Interface
from calivet.facts.picture import Picture
from calivet.forecast.cards import listing
from calivet.forecast.pools import PoolMode
from calivet.forecast.reach import Place

OVERHEAD = {"": 0, "IPIP": 20, "VXLAN": 50}
"""Bytes that wrapping adds to a packet of IPv4."""
_MORE_FOR_IPV6 = 20
_LARGEST = 5
"""Digits of a size that is one."""


class TooLarge(Struct, frozen=True):
    """A node whose pods may send larger packets than its card takes."""

    node: str
    pod_mtu: int
    card: str
    card_mtu: int
    fixed: bool
    """The size is written in the CNI configuration; else Calico sets a new one, and only running pods keep the old."""


def too_large(picture: Picture, places: Mapping[str, Place], pool: PoolMode) -> tuple[TooLarge, ...]:
    """Where both the pods' and the card's sizes were seen."""
    overhead = OVERHEAD[pool.wrapping] + (_MORE_FOR_IPV6 if pool.wrapping and pool.family == 6 else 0)
    configured = _configured(picture)
    pods = _pod_sizes(picture)
    found = []
    for node, place in places.items():
        cards = listing(picture, node, place.network.version)
        held = cards.holder(place.text) if cards else None
        size = configured or pods.get(node)
        if held and held[0].mtu and size and size > held[0].mtu - overhead:
            found.append(TooLarge(node, size, held[0].name, held[0].mtu, bool(configured)))
    return tuple(found)


def _configured(picture: Picture) -> int | None:
    """A size that is written down; 0 lets Calico choose."""
    written = [config.mtu for config in picture.all(CniConfig) if config.mtu and config.mtu.isdecimal()]
    return int(written[-1][:_LARGEST]) or None if written else None


def _pod_sizes(picture: Picture) -> dict[str, int]:
    found: dict[str, int] = {}
    for device in picture.all(Interface):
        node = picture.names.node(device.host) or device.host
        if node and device.mtu and device.name.startswith("cali"):
            found[node] = max(found.get(node, 0), device.mtu)
    return found
