"""kubernetes-internal-ip: the address by which Kubernetes knows the node, if it is on a card of the host."""

from __future__ import annotations

from calivet.forecast import detection as came
from calivet.forecast.cards import Address
from calivet.forecast.detection import Considered, Detection, Host
from calivet.forecast.releases import Release, Running

# These stored the network's address in place of the node's, so that all nodes of a network clashed.
_TRUNCATING: tuple[tuple[Release, Release], ...] = (((3, 22, 0), (3, 22, 3)), ((3, 23, 0), (3, 23, 1)))


def truncates(running: Running) -> bool:
    """Whether this release surely has the fault that makes the method useless."""
    return any(running.within(first, last) for first, last in _TRUNCATING)


def may_truncate(running: Running) -> bool:
    """Whether it may have it."""
    return any(running.least <= last and first <= running.most for first, last in _TRUNCATING)


def internal_ip(host: Host, running: Running) -> Detection:
    """What the method takes on this host."""
    if host.internal is None:
        return Detection(came.INTERNAL_IP_NOT_SEEN)
    if host.listing is None:
        return Detection(came.NOT_LISTED)
    held = host.listing.holder(host.internal)
    if held is None:
        why = came.INTERNAL_IP_ELSEWHERE if host.listing.whole else came.NOT_ALL_LISTED
        return Detection(why, detail=host.internal)
    card, own = held
    stored = _masked(own) if truncates(running) else str(own)
    return Detection(came.FOUND, stored, card.name, considered=(Considered(card.name, str(own), came.TAKEN),))


def _masked(address: Address) -> str:
    return f"{address.network.network_address}/{address.network.prefixlen}"
