"""Signs that a record holds an address that is not its node's own: a wandering one, or one nobody runs at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.fact import Note
from calivet.facts.picture import Picture
from calivet.signs.computed.records import bare, own_addresses, records
from calivet.signs.sighting import Sighting

_VIRTUAL = expression(
    r"\bvips?\b|virtual ip|keepalived|kube-vip|vrrp|虚拟 ?(?:ip|地址)|浮动 ?(?:ip|地址)", re.IGNORECASE
)
_ADDRESS = expression(r"(?:\d{1,3}\.){3}\d{1,3}")
_ENOUGH = 2


def record_called_virtual(picture: Picture) -> Iterator[Sighting]:
    """An address that the author calls virtual is what Calico has for a node."""
    stored = {bare(record.address): record for record in records(picture).values()}
    for note in picture.all(Note):
        if not _VIRTUAL.search(note.text):
            continue
        for address in _named_virtual(note.text):
            if record := stored.get(address):
                values = {"address": address, "node": str(record.node)}
                yield Sighting(line=record.at, node=record.node, values=values)


def own_address_unrecorded(picture: Picture) -> Iterator[Sighting]:
    """calico-node runs at an address that no record has, though there is a record for every pod and most agree."""
    stored = {bare(record.address) for record in records(picture).values()}
    pods = [pod for pod in picture.latest_pods("calico-node") if pod.ip and "." in pod.ip]
    missing = [pod for pod in pods if pod.ip not in stored]
    if len(stored) < len(pods) or len(pods) - len(missing) < _ENOUGH or len(missing) > len(pods) // 2:
        return
    for pod in missing:
        yield Sighting(line=pod.at, node=pod.node, values={"address": str(pod.ip)})


def autodetected_own_address(picture: Picture) -> Iterator[Sighting]:
    """Every address that was seen autodetected is the node's own, so the choice of the card is right."""
    own = own_addresses(picture)
    found = [
        (fact, own[node])
        for fact in picture.all(NodeAddress)
        if fact.source == "autodetected" and (node := picture.names.node(fact.node or fact.host)) in own
    ]
    if found and all(bare(fact.address) == address for fact, address in found):
        yield Sighting(line=found[0][0].at)


def _named_virtual(text: str) -> Iterator[str]:
    """The addresses in the same clause as the word."""
    for clause in re.split(r"[。；;]|\.\s|, |，", text):
        if _VIRTUAL.search(clause):
            yield from _ADDRESS.findall(clause)


SIGNS = {
    "record-called-virtual": record_called_virtual,
    "own-address-unrecorded": own_address_unrecorded,
    "autodetected-own-address": autodetected_own_address,
}
