"""Signs in the neighbour tables: which machine answers to an address."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.host import Interface, Neighbour
from calivet.facts.picture import Picture
from calivet.signs.computed.records import bare
from calivet.signs.sighting import Sighting


def answered_by_another(picture: Picture) -> Iterator[Sighting]:
    """An address of a machine that was looked at is, in a neighbour's eyes, that of a card which it does not have."""
    owners: dict[str, str] = {}
    cards: dict[str, set[str]] = defaultdict(set)
    for card in picture.all(Interface):
        if card.host and card.hardware:
            cards[card.host].add(card.hardware)
            owners |= {bare(address): card.host for address in card.addresses}
    for entry in picture.all(Neighbour):
        owner = owners.get(entry.address)
        if not owner or not entry.hardware or owner == entry.host or entry.hardware in cards[owner]:
            continue
        values = {"address": entry.address, "owner": owner, "hardware": entry.hardware}
        yield Sighting(line=entry.at, node=picture.names.node(owner) or owner, values=values)


SIGNS = {"address-answered-by-another": answered_by_another}
