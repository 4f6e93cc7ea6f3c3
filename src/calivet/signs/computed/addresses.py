"""Signs in the addresses Calico has for nodes, against those the nodes have for each other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, ip_interface

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Event, Node
from calivet.facts.picture import Picture, once
from calivet.facts.sessions import waiting_sessions
from calivet.signs.sighting import Sighting

# Events glue the probe's log time to the last address: "with 192.0.2.72021-03-04 05:06".
_UNREACHED = expression(r"BGP not established with (?P<list>[\d.,: ]+)")
_ADDRESS = expression(r"(?:\d{1,3}\.){3}\d{1,3}")
_GLUED_TIME = expression(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*")
_COMMON_PREFIXES = (24, 23, 22, 21, 20, 16)


def calico_address_off_network(picture: Picture) -> Iterator[Sighting]:
    """Calico took an address for the node that lies outside the network of its InternalIP and of its peers."""
    internal, network = _internal(picture), node_network(picture)
    stored = _stored(picture)
    addresses = sorted(int(own.ip) for fact in stored.values() if (own := _interface(fact.address)))
    for node, fact in stored.items():
        own = _interface(fact.address)
        if own is None or node not in internal or own.ip == internal[node]:
            continue
        # An address without a network of its own (/32, as clouds give them) may still be the nodes' common one.
        if internal[node] in own.network or (own.network.prefixlen == 32 and network and own.ip in network):
            continue
        if _shared(own, addresses):
            continue
        yield Sighting(line=fact.at, node=node, values=_values(picture, node, own.ip, internal))


def peer_address_unknown(picture: Picture) -> Iterator[Sighting]:
    """Peers try to reach a node at an address that no node is known by, outside the nodes' network."""
    internal = _internal(picture)
    if not internal:
        return
    network = node_network(picture)
    known = set(internal.values())
    for address, line, complaining in _unreached(picture):
        if address in known or (network and address in network):
            continue
        node = _owner(address, complaining, picture)
        yield Sighting(line=line, node=node, values=_values(picture, node, address, internal))


@once
def node_network(picture: Picture) -> IPv4Network | None:
    """The network that holds every node's InternalIP: an interface's own, else the narrowest usual one."""
    addresses = list(_internal(picture).values())
    if not addresses:
        return None
    ends = min(addresses), max(addresses)
    written = [_interface(text) for fact in picture.all(Interface) for text in fact.addresses]
    candidates = [one.network for one in written if one and one.network.prefixlen < 32]
    candidates += [IPv4Network(f"{addresses[0]}/{prefix}", strict=False) for prefix in _COMMON_PREFIXES]
    return next((network for network in candidates if all(end in network for end in ends)), None)


def _values(
    picture: Picture, node: str | None, address: IPv4Address, internal: dict[str, IPv4Address]
) -> dict[str, str]:
    network = node_network(picture)
    values = {"address": str(address), "network": str(network) if network else ""}
    if node in internal:
        values |= {"node": str(node), "internal": str(internal[str(node)])}
    return {name: value for name, value in values.items() if value}


def _unreached(picture: Picture) -> Iterator[tuple[IPv4Address, Line, str | None]]:
    for event in picture.all(Event):
        found = _UNREACHED.search(event.message)
        if not found:
            continue
        text = _GLUED_TIME.sub("", event.message[found.start("list") :])
        node = event.node or picture.node_of_pod(event.object)
        for word in _ADDRESS.findall(text):
            if address := _address(word):
                yield address, event.at, picture.names.node(node) or node
    for peer in waiting_sessions(picture):
        address = _address(peer.address)
        if address and "mesh" in (peer.type or "mesh"):
            yield address, peer.at, picture.names.node(peer.host)


def _owner(address: IPv4Address, complaining: str | None, picture: Picture) -> str | None:
    """The node behind an address: the one that stored it, else by exclusion, else by the same host part."""
    if address in _holders(picture):
        return _holders(picture)[address]
    left = _unrecorded(picture)
    return _only(left[None], complaining) or _only(left[address.packed[-1]], complaining)


def _only(nodes: list[str], but: str | None) -> str | None:
    """The one node beside this one; of three there are always two others."""
    others = [node for node in nodes[:3] if node != but]
    return others[0] if len(others) == 1 else None


@once
def _holders(picture: Picture) -> dict[IPv4Address, str]:
    """The first node that stored each address."""
    stored = reversed(_stored(picture).items())
    return {own.ip: node for node, fact in stored if (own := _interface(fact.address))}


@once
def _unrecorded(picture: Picture) -> dict[int | None, list[str]]:
    """The nodes of which Calico has no address: all of them, and by the host part of their own."""
    found: dict[int | None, list[str]] = defaultdict(list)
    for node, address in _internal(picture).items():
        if node not in _stored(picture):
            found[None].append(node)
            found[address.packed[-1]].append(node)
    return found


@once
def _internal(picture: Picture) -> dict[str, IPv4Address]:
    """Each node's own address: InternalIP, else the address of its host-network pods."""
    found = {node.name: address for node in picture.all(Node) if (address := _address(node.internal_ip))}
    told = frozenset(found)
    for role in ("calico-node", "kube-proxy", "apiserver", "etcd"):
        for pod in picture.pods(role):
            if pod.node and pod.node not in told and (address := _address(pod.ip)):
                found[pod.node] = address
    return found


@once
def _stored(picture: Picture) -> dict[str, NodeAddress]:
    facts = [fact for fact in picture.all(NodeAddress) if _interface(fact.address)]
    named = ((picture.names.node(fact.node or fact.host) or fact.node or fact.host, fact) for fact in facts)
    return {node: fact for node, fact in named if node}


def _shared(own: IPv4Interface, addresses: Sequence[int]) -> bool:
    """Whether most other nodes have an address in the same network: then it is the network meant for it.

    The addresses are those of all nodes, its own among them, in order.
    """
    first, last = int(own.network.network_address), int(own.network.broadcast_address)
    same = bisect_right(addresses, last) - bisect_left(addresses, first) - 1
    others = len(addresses) - 1
    return others > 0 and 2 * same >= others


@cache
def _interface(text: str) -> IPv4Interface | None:
    try:
        found = ip_interface(text)
    except ValueError:
        return None
    return found if isinstance(found, IPv4Interface) else None


@cache
def _address(text: str | None) -> IPv4Address | None:
    if not text or "/" in text:
        found = _interface(text) if text else None
        return found.ip if found else None
    try:
        return IPv4Address(text)
    except ValueError:
        return None


SIGNS = {
    "calico-address-off-network": calico_address_off_network,
    "peer-address-unknown": peer_address_unknown,
}
