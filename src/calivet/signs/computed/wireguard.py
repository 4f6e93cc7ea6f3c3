"""Signs in WireGuard's devices, addresses and keys."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Node, Object
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_DEVICES = ("wireguard.cali", "wg-v6.cali")
_KEY = expression(r"[A-Za-z0-9+/]{43}=")
_KEYS = ("projectcalico.org/WireguardPublicKey", "wireguardPublicKey")


def device_without_address(picture: Picture) -> Iterator[Sighting]:
    """A WireGuard device that has no address, where another node's has one."""
    devices = [interface for interface in picture.all(Interface) if interface.name in _DEVICES and interface.exists]
    if not any(device.addresses for device in devices):
        return
    for device in devices:
        if not device.addresses:
            node = picture.names.node(device.host) or device.host
            yield Sighting(line=device.at, node=node, values={"node": node or ""})


def key_without_device(picture: Picture) -> Iterator[Sighting]:
    """A published key of a node that has no device any more."""
    gone = {
        picture.names.node(interface.host) or interface.host
        for interface in picture.all(Interface)
        if interface.name in _DEVICES and not interface.exists
    }
    for node, line in _keys(picture):
        if node in gone or (node is None and gone):
            named = node or next(iter(gone)) or ""
            yield Sighting(line=line, node=named, values={"node": named})


def keys_incomplete(picture: Picture) -> Iterator[Sighting]:
    """Some nodes have published a key, others that were seen whole have not."""
    yield from keys_listed_incompletely(picture)
    with_key = {node.name for node in picture.all(Node) if _KEYS[0] in node.annotations}
    without = [node for node in picture.all(Node) if node.annotations and node.name not in with_key]
    if with_key and without:
        values = {"with_key": ", ".join(sorted(with_key)[:4])}
        yield Sighting(line=without[0].at, node=without[0].name, values=values)


def keys_listed_incompletely(picture: Picture) -> Iterator[Sighting]:
    """A table of the nodes' keys in which some have none."""
    for artifact in picture.artifacts:
        if "WireguardPublicKey" not in (artifact.command or ""):
            continue
        rows = [(index, text.split()) for index, text in enumerate(artifact.lines) if index and text.strip()]
        with_key = {words[0]: None for _, words in rows if any(_KEY.fullmatch(word) for word in words)}
        for index, words in rows:
            if with_key and "<none>" in words and words[0] not in with_key:
                values = {"with_key": ", ".join(islice(with_key, 4))}
                node = picture.names.node(words[0]) or words[0]
                yield Sighting(line=artifact.at(index), node=node, values=values, order=artifact.order)


def _keys(picture: Picture) -> Iterator[tuple[str | None, Line]]:
    for node in picture.all(Node):
        if _KEYS[0] in node.annotations:
            yield node.name, node.at
    for thing in picture.all(Object):
        for path in thing.values:
            if path.endswith(_KEYS):
                yield picture.names.node(thing.name), thing.at


SIGNS = {
    "wireguard-device-without-address": device_without_address,
    "wireguard-key-without-device": key_without_device,
    "wireguard-keys-incomplete": keys_incomplete,
}
