"""The address that Calico would take on the node: found, in the nodes' network, and nobody else's."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.facts.host import Interface
from calivet.forecast.cards import Address, parsed
from calivet.forecast.nodes import host as seen_by_calico
from calivet.forecast.nodes import internal_addresses, stored_addresses
from calivet.forecast.releases import running as release
from calivet.forecast.settings import NONE, settings
from calivet.forecast.taking import UNKNOWN, Taken, taken
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import NO_CLUSTER, not_read

CARDS = r"^ip addr|^ifconfig"

NO_ADDRESS = Words("Calico would find no address here ({method})", "Calico 在此找不到地址（{method}）")
NOT_CLEAR = Words("it is not known which address Calico would take", "不知道 Calico 会取哪个地址")
TAKEN = Words(
    "Calico would take {address}, which is the address of {other}", "Calico 会取 {address}，而它是 {other} 的地址"
)
APART = Words(
    "no other node is in the network of {address}, nor has this one a card in theirs; whether routers join them is not "
    "known",
    "{address} 所在网络中没有其他节点，本机也没有网卡在它们的网络中；是否由路由器连通尚不清楚",
)
ASTRAY = Words(
    "Calico would take {address} on {interface}, while the other nodes share a network with {better} on {card}",
    "Calico 会取 {interface} 上的 {address}，而其他节点与 {card} 上的 {better} 同处一个网络",
)


def own_addresses(host: Host) -> dict[str, Interface]:
    """Every address of the machine, without its prefix length, and the card it is on."""
    return {address.split("/")[0]: card for card in host.all(Interface) for address in card.addresses}


def _found(host: Host) -> Result:
    choice = _taken(host)
    card = next((card.at for card in host.all(Interface)), None)
    if card is None or choice.how == UNKNOWN:
        return unchecked(NOT_CLEAR, card) if card else not_read(host, CARDS)
    if choice.wanting:
        return fails(NO_ADDRESS, card, method=settings(host.together).choices[_family(host)].method)
    return passes(_line(host, choice) or card)


def _in_the_nodes_network(host: Host) -> Result:
    choice, others = _taken(host), _others(host)
    own, line = parsed(choice.address), _line(host, choice)
    if own is None or line is None:
        return unchecked(NOT_CLEAR)
    if not others:
        return unchecked(NO_CLUSTER)
    if any(other.ip in own.network for other in others.values()):
        return passes(line)
    for address, card in own_addresses(host).items():
        written = next(one for one in card.addresses if one.split("/")[0] == address)
        better = parsed(written)
        near = [other for other in others.values() if better and other.ip in better.network]
        if better and 2 * len(near) > len(others):
            values = {"address": str(own.ip), "interface": str(choice.interface), "better": address, "card": card.name}
            return fails(ASTRAY, line, **values)
    return unchecked(APART, line, address=str(own.ip))


def _free(host: Host) -> Result:
    choice, others = _taken(host), _others(host)
    own, line = parsed(choice.address), _line(host, choice)
    if own is None or line is None:
        return unchecked(NOT_CLEAR)
    for node, other in others.items():
        if other.ip == own.ip:
            return fails(TAKEN, line, address=str(own.ip), other=node)
    return passes(line) if others else unchecked(NO_CLUSTER)


def _taken(host: Host) -> Taken:
    """What calico-node would store for it, as the cluster has it set up, or with Calico's defaults."""
    picture, family = host.together, _family(host)
    here = seen_by_calico(picture, host.node, family)
    stored = stored_addresses(picture).get((host.node, family))
    return taken(here, stored, settings(picture).choices[family], family, release(picture))


def _family(host: Host) -> int:
    return 6 if settings(host.together).choices[4].ip == NONE else 4


def _others(host: Host) -> dict[str, Address]:
    """The addresses by which Calico knows the other nodes, Kubernetes where Calico does not; and of those probed."""
    family = _family(host)
    found = {other.name: _taken(other).address for other in host.beside}
    if host.cluster:
        for addresses in (internal_addresses(host.cluster), stored_addresses(host.cluster)):
            found |= {node: address for (node, version), address in addresses.items() if version == family}
    found.pop(host.node, None)
    return {node: address for node, written in found.items() if (address := parsed(written))}


def _line(host: Host, choice: Taken) -> Line | None:
    card = own_addresses(host).get((choice.address or "").split("/")[0])
    return card.at if card else None


REQUIREMENTS = (
    Requirement(
        "address-found",
        Words("Address that Calico takes", "Calico 所取的地址"),
        "no-ip-autodetected",
        _found,
    ),
    Requirement(
        "address-network",
        Words("Network of that address", "该地址所在网络"),
        "wrong-ip-autodetected",
        _in_the_nodes_network,
    ),
    Requirement(
        "address-free",
        Words("Same address elsewhere", "地址重复"),
        "duplicate-node-ip",
        _free,
    ),
)
