"""first-found, interface, skip-interface, cidr: one interface after the other, the last listed first."""

from __future__ import annotations

from collections.abc import Sequence

from calivet.forecast import detection as came
from calivet.forecast.cards import Address, Card, Listing
from calivet.forecast.detection import Considered, Detection
from calivet.forecast.methods import Network
from calivet.forecast.name_patterns import first_fit


def is_global(address: Address) -> bool:
    """Go's global unicast: private addresses count; loopback, link-local, multicast and broadcast do not."""
    ip = address.ip
    special = ip.is_unspecified or ip.is_loopback or ip.is_multicast or ip.is_link_local
    return not special and str(ip) != "255.255.255.255"


def enumerated(
    listing: Listing | None,
    family: int,
    include: Sequence[str] | None = None,
    exclude: Sequence[str] = (),
    ranges: Sequence[Network] = (),
) -> Detection:
    """The first fitting address. Whether a card is up matters nothing to Calico."""
    if listing is None:
        return Detection(came.NOT_LISTED)
    looked_at = [_looked_at(card, family, include, exclude, ranges) for card in reversed(listing.cards)]
    fitting = [one for one in looked_at if one.verdict == came.TAKEN]
    # Whatever else an unlisted card has, an address inside the ranges is what was asked for.
    if not listing.whole and not (ranges and fitting):
        return Detection(came.NOT_ALL_LISTED, considered=tuple(looked_at))
    if not listing.ordered and len(fitting) > 1:
        return Detection(came.NOT_IN_ORDER, detail=_names(fitting), considered=tuple(looked_at))
    if not fitting:
        named = any(one.verdict not in (came.EXCLUDED, came.NOT_INCLUDED) for one in looked_at)
        return Detection(came.NO_ADDRESS if named else came.NO_INTERFACE, considered=tuple(looked_at))
    taken = fitting[0]
    considered = [_later(one) if one in fitting[1:] else one for one in looked_at]
    return Detection(came.FOUND, taken.address, taken.name, considered=tuple(considered))


def _looked_at(
    card: Card, family: int, include: Sequence[str] | None, exclude: Sequence[str], ranges: Sequence[Network]
) -> Considered:
    own = card.of(family)
    first = str(own[0]) if own else ""
    if include is not None and first_fit(card.name, include) is None:
        return Considered(card.name, first, came.NOT_INCLUDED)
    if (pattern := first_fit(card.name, exclude)) is not None:
        return Considered(card.name, first, came.EXCLUDED, pattern)
    if not own:
        return Considered(card.name, first, came.WITHOUT_ADDRESS)
    usable = [address for address in own if is_global(address)]
    inside = [address for address in usable if not ranges or any(address.ip in each for each in ranges)]
    if inside:
        return Considered(card.name, str(inside[0]), came.TAKEN)
    return Considered(card.name, first, came.OUTSIDE if usable else came.NOT_GLOBAL)


def _later(one: Considered) -> Considered:
    return Considered(one.name, one.address, came.LATER)


def _names(cards: Sequence[Considered]) -> str:
    return ", ".join(card.name for card in cards)
