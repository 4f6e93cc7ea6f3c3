"""Signs of two machines with one address or one identity, in what the machines themselves show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import BgpPeer
from calivet.facts.host import Interface, MachineIdentity
from calivet.facts.kubernetes import Node
from calivet.facts.listing import listed_others
from calivet.facts.picture import Picture
from calivet.signs.computed.records import bare, own_addresses, records
from calivet.signs.sighting import Sighting

_SINGLE = "/32"


def on_two_machines(picture: Picture) -> Iterator[Sighting]:
    """A node's address is on a card of two machines; addresses that wander (/32) and bridges' own are no nodes'."""
    known = _node_addresses(picture)
    holders: dict[str, dict[str, Interface]] = defaultdict(dict)
    for card in picture.all(Interface):
        node = picture.names.node(card.host) or card.host
        for address in card.addresses:
            if node and bare(address) in known and not address.endswith(_SINGLE) and card.up is not False:
                holders[bare(address)][node] = card
    for address, cards in holders.items():
        if len(cards) > 1:
            values = {"nodes": ", ".join(cards), "address": address}
            yield from (Sighting(line=card.at, node=node, values=values) for node, card in cards.items())


def internal_address_twice(picture: Picture) -> Iterator[Sighting]:
    """Two Kubernetes nodes report one InternalIP."""
    holders: dict[str, dict[str, Node]] = defaultdict(dict)
    for node in picture.all(Node):
        if node.internal_ip:
            holders[node.internal_ip][node.name] = node
    for address, nodes in holders.items():
        if len(nodes) > 1:
            values = {"nodes": ", ".join(nodes), "address": address}
            yield from (Sighting(line=node.at, node=name, values=values) for name, node in nodes.items())


def clones(picture: Picture) -> Iterator[Sighting]:
    """Two nodes have one machine-id, by which DHCP knows them; boards may share their number for want of one."""
    holders: dict[str, dict[str, MachineIdentity]] = defaultdict(dict)
    for number in picture.all(MachineIdentity):
        node = picture.names.node(number.host) or number.host
        if node and number.name == "machine-id":
            holders[number.digest][node] = number
    for twins in holders.values():
        names = list(twins)
        for node, number in twins.items() if len(names) > 1 else ():
            yield Sighting(line=number.at, node=node, values={"clone": listed_others(names, node)})


def _node_addresses(picture: Picture) -> set[str]:
    """By which nodes are known to each other: InternalIPs, Calico's records, the peers of BGP sessions."""
    stored = {bare(record.address) for record in records(picture).values()}
    return stored | set(own_addresses(picture).values()) | {peer.address for peer in picture.all(BgpPeer)}


SIGNS = {
    "same-address-on-two-machines": on_two_machines,
    "same-internal-address-twice": internal_address_twice,
    "same-machine-id": clones,
}
