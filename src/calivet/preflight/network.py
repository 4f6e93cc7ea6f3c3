"""The pods' network against the node's: address ranges, routes, packet sizes."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import CniConfig
from calivet.facts.host import Interface, Route
from calivet.facts.kubernetes import Object
from calivet.facts.picture import Picture
from calivet.forecast.packet_sizes import OVERHEAD
from calivet.forecast.pools import pool_modes
from calivet.preflight.addressing import CARDS
from calivet.preflight.by_signs import by_cluster_signs, fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import NO_CLUSTER, NOT_TOLD, not_read
from calivet.signs.computed.networks import network, overlap, pools

# Devices whose addresses come from the pools, or are services'.
_CALICOS = expression(
    r"cali|tunl0|vxlan(?:-v6)?\.calico|wireguard\.cali|wg-v6\.cali|bpf(?:in|out)\.cali|kube-ipvs0|nodelocaldns|lo$"
)
_RANGE_SIGNS = ("pod-range-contains-nodes", "pod-range-meets-services", "pools-overlap-each-other")
_SIZE_SIGNS = ("tunnel-mtu-over-card", "pod-mtu-over-tunnel")
_SIZE_PATH = expression(r"(?:^|\.)veth_mtu$|calicoNetwork\.mtu$")

MEETS_CARD = Words(
    "the pool {cidr} and {address} on {card} share addresses", "地址池 {cidr} 与 {card} 上的 {address} 网段重叠"
)
TOO_LARGE = Words(
    "pods may send packets of {size} bytes, with their wrapping {wrapped}, and {card} takes {mtu}",
    "Pod 可发送 {size} 字节的报文，封装后为 {wrapped}，而 {card} 只能承载 {mtu}",
)
SIZE_UNKNOWN = Words(
    "the size of the pods' packets is not known, for no cluster told anything",
    "没有得到集群的信息，不知道 Pod 报文的大小",
)


def _ranges(host: Host) -> Result:
    if host.cluster is None:
        return unchecked(NO_CLUSTER)
    for name in _RANGE_SIGNS:
        for sighting in seen(name, host.together, host):
            return fails_by(name, sighting)
    known = pools(host.cluster)
    cards = [card for card in host.all(Interface) if not _CALICOS.match(card.name)]
    for card in cards:
        for address in card.addresses:
            taken = next((pool for pool in known if (own := network(address)) and overlap(own, pool.network)), None)
            if taken:
                return fails(MEETS_CARD, card.at, cidr=str(taken.network), address=address, card=card.name)
    if not known:
        return unchecked(NOT_TOLD)
    return passes(cards[0].at) if cards else not_read(host, CARDS)


def _sizes(host: Host) -> Result:
    for name in _SIZE_SIGNS:
        for sighting in seen(name, host.picture, host):
            return fails_by(name, sighting)
    card = _card(host)
    if card is None or card.mtu is None:
        return not_read(host, CARDS)
    if host.cluster is None:
        at_work = any(_CALICOS.match(one.name) and one.name != "lo" for one in host.all(Interface))
        return passes(card.at) if at_work else unchecked(SIZE_UNKNOWN)
    size = next(_configured(host.together), 0)
    wrapped = size + max((OVERHEAD[pool.wrapping] for pool in pool_modes(host.together)), default=0)
    if size and wrapped > card.mtu:
        values = {"size": str(size), "wrapped": str(wrapped), "card": card.name, "mtu": str(card.mtu)}
        return fails(TOO_LARGE, card.at, **values)
    return passes(card.at)


def _card(host: Host) -> Interface | None:
    """The card that leads out."""
    device = next((route.device for route in host.all(Route) if route.destination == "default"), None)
    return next((card for card in host.all(Interface) if card.name == device), None)


def _configured(picture: Picture) -> Iterator[int]:
    """Sizes that are written down; where none is, Calico chooses by the card."""
    written = [config.mtu for config in picture.all(CniConfig)]
    for thing in picture.all(Object):
        written += [str(value) for path, value in thing.values.items() if _SIZE_PATH.search(path)]
    yield from (int(text) for text in written if text and text.isdecimal() and len(text) <= 5 and int(text))


def _routes(host: Host) -> Line | None:
    return next((route.at for route in host.all(Route)), None)


REQUIREMENTS = (
    Requirement(
        "pool-ranges",
        Words("Pools against the node's networks", "地址池与节点网络"),
        "ip-pool-cidr-overlap",
        _ranges,
    ),
    Requirement(
        "routes",
        Words("Routes of bridges and VPNs", "网桥与 VPN 的路由"),
        "route-conflict",
        by_cluster_signs("foreign-route-inside-pods", "nodes-behind-stranger", shown=_routes),
    ),
    Requirement(
        "packet-size",
        Words("Packet sizes (MTU)", "报文大小（MTU）"),
        "mtu-mismatch",
        _sizes,
    ),
)
