"""Signs in the addresses that Calico has for nodes, against those the nodes have for each other and for all others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, ip_interface

from calivet.evidence.artifact import Line
from calivet.facts.calico import AddressConflict, BgpPeer, NodeAddress, UnknownCaller, WaitedPeer
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.cluster_network import list_latest_sessions, list_waiting_sessions
from calivet.facts.fact import Variable
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Event, Node, Object, Pod
from calivet.facts.networks import parse_address
from calivet.facts.vocabulary.messages import find_unreached_peers
from calivet.signs.identity.node_records import (
    collect_own_addresses,
    collect_records,
    list_stored,
    strip_prefix_length,
)
from calivet.signs.sighting import Sighting

_ALIKE = 2
"""So many others must agree before one counts as the odd one out."""
_SITE = 16
"""Nodes of one cluster may stand in several networks, racks and zones, but these lie side by side in one such range."""


def find_record_off_site(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One record far from all others; somebody may have meant it."""
    yield from _find_odd_records(cluster)


def find_record_off_site_and_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same, where others wait for a session with it."""
    lost = _collect_waited_for(cluster)
    yield from (one for one in _find_odd_records(cluster) if one.values["address"] in lost)


@once
def _find_odd_records(cluster: ClusterFacts) -> list[Sighting]:
    """One record lies far from all others, which lie together, and no session with it was seen up.

    Only for nodes whose own address is not known: where it is, that is compared.
    """
    records = {node: (record, _parse(record)) for node, record in collect_records(cluster).items()}
    placed = {node: (record, address) for node, (record, address) in records.items() if address}
    sites: dict[IPv4Network, list[str]] = defaultdict(list)
    for node, (_, address) in placed.items():
        sites[_find_site(address)].append(node)
    common = max(sites, key=lambda site: len(sites[site]), default=None)
    odd = [node for site, nodes in sites.items() if site != common for node in nodes]
    if common is None or len(sites[common]) < _ALIKE or 2 * len(odd) > len(sites[common]):
        return []
    up = _collect_established(cluster)
    own = collect_own_addresses(cluster)
    left = [(node, *placed[node]) for node in odd if node not in own and str(placed[node][1]) not in up]
    return [
        Sighting(line=record.at, node=node, values={"node": node, "address": str(address), "network": str(common)})
        for node, record, address in left
    ]


def find_nameless_record_off_site(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Of the stored addresses, grepped without their nodes' names, one is far from all others and has no session."""
    placed = [(record, address) for record in list_stored(cluster) if (address := _parse(record))]
    sites = Counter(_find_site(address) for _, address in placed)
    up = _collect_established(cluster)
    for record, address in placed:
        common, count = sites.most_common(1)[0]
        is_alone = count >= _ALIKE and sites[_find_site(address)] == 1
        if record.node is None and is_alone and str(address) not in up:
            yield Sighting(line=record.at, values={"address": str(address), "network": str(common)})


def find_peer_that_nobody_reaches(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Of all peers one that every node waits for, while these nodes have their other sessions up."""
    views: dict[str, list[BgpPeer]] = defaultdict(list)
    for peer in list_latest_sessions(cluster):
        views[peer.address].append(peer)
    content = {peer.host or peer.pod for peer in list_latest_sessions(cluster) if peer.established}
    lost = {address: seen for address, seen in views.items() if not any(peer.established for peer in seen)}
    if len(lost) != 1:
        return
    for address, seen in lost.items():
        waiting = {peer.host or peer.pod for peer in seen} & content
        if len(waiting) >= _ALIKE:
            values = {"address": address, "count": str(len(waiting))}
            yield Sighting(line=seen[0].at, node=cluster.names.node(address), values=values)


def find_caller_not_the_one_waited_for(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node waits for one address, and is called from another that it does not know."""
    waited = _collect_waited_for(cluster)
    callers = [one for one in cluster.all(UnknownCaller) if one.address not in waited]
    if len(waited) != 1 or len({one.address for one in callers}) != 1:
        return
    peer, line = next(iter(waited.items()))
    yield Sighting(line=line, node=cluster.names.node(peer), values={"peer": peer, "stranger": callers[0].address})


@once
def _collect_waited_for(cluster: ClusterFacts) -> dict[str, Line]:
    """The peers that somebody has no session with, each with the first line that says so."""
    waited = [(one.address, one.at) for one in cluster.all(WaitedPeer)]
    waited += [(one.address, one.at) for one in list_waiting_sessions(cluster)]
    return dict(reversed(waited))


def find_conflict_over_nobodys_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two nodes want one address, and it is the own address of neither: both took a wrong card.

    Silencing the check would leave both with an address at which nobody reaches them.
    """
    own = collect_own_addresses(cluster)
    for conflict in cluster.all(AddressConflict):
        other = cluster.names.node(conflict.other)
        if other in own and conflict.address not in own.values():
            values = {"other": str(other), "address": conflict.address, "own": own[str(other)]}
            yield Sighting(line=conflict.at, node=other, values=values)


def _parse(record: NodeAddress) -> IPv4Address | None:
    found = parse_address(strip_prefix_length(record.address))
    return found if isinstance(found, IPv4Address) else None


def _collect_established(cluster: ClusterFacts) -> set[str]:
    """The peers with which a session is up."""
    return {peer.address for peer in list_latest_sessions(cluster) if peer.established}


def _find_site(address: IPv4Address) -> IPv4Network:
    return IPv4Network((int(address) >> (32 - _SITE) << (32 - _SITE), _SITE))


_COMMON_PREFIXES = (24, 23, 22, 21, 20, 16)


def find_calico_address_off_network(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico took an address for the node that lies outside the network of its InternalIP and of its peers."""
    internal, network = _collect_internal(cluster), find_node_network(cluster)
    stored = _collect_stored(cluster)
    addresses = sorted(int(own.ip) for fact in stored.values() if (own := _parse_interface(fact.address)))
    for node, fact in stored.items():
        own = _parse_interface(fact.address)
        if own is None or node not in internal or own.ip == internal[node]:
            continue
        # An address without a network of its own (/32, as clouds give them) may still be the nodes' common one.
        if internal[node] in own.network or (own.network.prefixlen == 32 and network and own.ip in network):
            continue
        if _is_shared(own, addresses):
            continue
        yield Sighting(line=fact.at, node=node, values=_build_values(cluster, node, own.ip, internal))


def find_peer_address_unknown(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Peers try to reach a node at an address that no node is known by, outside the nodes' network."""
    internal = _collect_internal(cluster)
    if not internal:
        return
    network = find_node_network(cluster)
    known = set(internal.values())
    for address, line, complaining in _list_unreached_peers(cluster):
        if address in known or (network and address in network):
            continue
        node = _find_owner(address, complaining, cluster)
        yield Sighting(line=line, node=node, values=_build_values(cluster, node, address, internal))


@once
def find_node_network(cluster: ClusterFacts) -> IPv4Network | None:
    """The network that holds every node's InternalIP: an interface's own, else the narrowest usual one."""
    addresses = list(_collect_internal(cluster).values())
    if not addresses:
        return None
    ends = min(addresses), max(addresses)
    written = [_parse_interface(text) for fact in cluster.all(Interface) for text in fact.addresses]
    candidates = [one.network for one in written if one and one.network.prefixlen < 32]
    candidates += [IPv4Network(f"{addresses[0]}/{prefix}", strict=False) for prefix in _COMMON_PREFIXES]
    return next((network for network in candidates if all(end in network for end in ends)), None)


def _build_values(
    cluster: ClusterFacts, node: str | None, address: IPv4Address, internal: dict[str, IPv4Address]
) -> dict[str, str]:
    network = find_node_network(cluster)
    values = {"address": str(address), "network": str(network) if network else ""}
    if node in internal:
        values |= {"node": str(node), "internal": str(internal[str(node)])}
    return {name: value for name, value in values.items() if value}


def _list_unreached_peers(cluster: ClusterFacts) -> Iterator[tuple[IPv4Address, Line, str | None]]:
    for event in cluster.all(Event):
        node = event.node or cluster.find_node_of_pod(event.object)
        for word in find_unreached_peers(event.message):
            if address := _parse_address(word):
                yield address, event.at, cluster.names.find_node_or_host(node)
    for peer in list_waiting_sessions(cluster):
        address = _parse_address(peer.address)
        if address and "mesh" in (peer.type or "mesh"):
            yield address, peer.at, cluster.names.node(peer.host)


def _find_owner(address: IPv4Address, complaining: str | None, cluster: ClusterFacts) -> str | None:
    """The node behind an address: the one that stored it, else by exclusion, else by the same host part."""
    if address in _collect_holders(cluster):
        return _collect_holders(cluster)[address]
    left = _collect_unrecorded(cluster)
    return _pick_only(left[None], complaining) or _pick_only(left[address.packed[-1]], complaining)


def _pick_only(nodes: list[str], but: str | None) -> str | None:
    """The one node beside this one; of three there are always two others."""
    others = [node for node in nodes[:3] if node != but]
    return others[0] if len(others) == 1 else None


@once
def _collect_holders(cluster: ClusterFacts) -> dict[IPv4Address, str]:
    """The first node that stored each address."""
    stored = reversed(_collect_stored(cluster).items())
    return {own.ip: node for node, fact in stored if (own := _parse_interface(fact.address))}


@once
def _collect_unrecorded(cluster: ClusterFacts) -> dict[int | None, list[str]]:
    """The nodes of which Calico has no address: all of them, and by the host part of their own."""
    found: dict[int | None, list[str]] = defaultdict(list)
    for node, address in _collect_internal(cluster).items():
        if node not in _collect_stored(cluster):
            found[None].append(node)
            found[address.packed[-1]].append(node)
    return found


@once
def _collect_internal(cluster: ClusterFacts) -> dict[str, IPv4Address]:
    """Each node's own address: InternalIP, else the address of its host-network pods."""
    found = {node.name: address for node in cluster.all(Node) if (address := _parse_address(node.internal_ip))}
    told = frozenset(found)
    for role in ("calico-node", "kube-proxy", "apiserver", "etcd"):
        for pod in cluster.pods(role):
            if pod.node and pod.node not in told and (address := _parse_address(pod.ip)):
                found[pod.node] = address
    return found


@once
def _collect_stored(cluster: ClusterFacts) -> dict[str, NodeAddress]:
    facts = [fact for fact in cluster.all(NodeAddress) if _parse_interface(fact.address)]
    named = ((cluster.names.find_node_or_host(fact.node or fact.host), fact) for fact in facts)
    return {node: fact for node, fact in named if node}


def _is_shared(own: IPv4Interface, addresses: Sequence[int]) -> bool:
    """Whether most other nodes have an address in the same network: then it is the network meant for it.

    The addresses are those of all nodes, its own among them, in order.
    """
    first, last = int(own.network.network_address), int(own.network.broadcast_address)
    same = bisect_right(addresses, last) - bisect_left(addresses, first) - 1
    others = len(addresses) - 1
    return others > 0 and 2 * same >= others


@cache
def _parse_interface(text: str) -> IPv4Interface | None:
    try:
        found = ip_interface(text)
    except ValueError:
        return None
    return found if isinstance(found, IPv4Interface) else None


@cache
def _parse_address(text: str | None) -> IPv4Address | None:
    if not text or "/" in text:
        found = _parse_interface(text) if text else None
        return found.ip if found else None
    try:
        return IPv4Address(text)
    except ValueError:
        return None


_CALICO = ("CALICO_", "FELIX_", "CLUSTER_TYPE", "DATASTORE_TYPE")


def find_given_address_of_another(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node was told to use an address that is another node's own."""
    owners = {address: node for node, address in collect_own_addresses(cluster).items()}
    for fact in cluster.all(NodeAddress):
        node = cluster.names.node(fact.node or fact.host)
        owner = owners.get(strip_prefix_length(fact.address))
        if fact.source == "environment" and node and owner and owner != node:
            yield Sighting(
                line=fact.at, node=node, values={"address": strip_prefix_length(fact.address), "owner": owner}
            )


def find_one_address_for_all_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The environment that all calico-node pods share has one node's address in it."""
    variables = [variable for variable in cluster.all(Variable) if variable.host is None]
    of_calico = {variable.at.artifact for variable in variables if variable.name.startswith(_CALICO)}
    shared = len(cluster.list_latest_pods("calico-node")) > 1
    for variable in variables if shared else ():
        fixed = variable.name == "IP" and _parse_interface(variable.value)
        if fixed and variable.at.artifact in of_calico:
            yield Sighting(line=variable.at, values={"address": variable.value})


_SHOWN = 4
_METHOD = "IP_AUTODETECTION_METHOD"
_OPERATORS_METHOD = "nodeAddressAutodetectionV4"


def find_autodetection_finds_nothing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """No card of the node is one that the method takes."""
    sick = [pod for pod in cluster.list_latest_pods("calico-node") if pod.node and is_sick(pod)]
    return _find_pods_without_card(cluster, sick) if sick and _is_set(cluster) else iter(())


def _is_set(cluster: ClusterFacts) -> bool:
    """Whether a method was seen at all."""
    return any(variable.name == _METHOD for variable in cluster.all(Variable)) or any(
        _OPERATORS_METHOD in path for thing in cluster.all(Object) for path in thing.values
    )


def _find_pods_without_card(cluster: ClusterFacts, pods: list[Pod]) -> Iterator[Sighting]:
    # Most runs have no use for a forecast.
    from calivet.forecast.autodetection import detect_address
    from calivet.forecast.methods import FIRST_FOUND
    from calivet.forecast.nodes import collect_host
    from calivet.forecast.releases import find_running_release
    from calivet.forecast.settings import AUTODETECT, read_settings

    choice = read_settings(cluster).choices[4]
    if choice.ip != AUTODETECT or choice.method == FIRST_FOUND:
        return
    for pod in pods:
        found = detect_address(collect_host(cluster, str(pod.node), 4), choice.method, 4, find_running_release(cluster))
        cards = [card.name for card in found.considered if card.address]
        if found.known and found.address is None and cards:
            values = {"node": str(pod.node), "method": choice.method, "cards": ", ".join(cards[:_SHOWN])}
            yield Sighting(line=pod.at, node=pod.node, values=values)


SIGNS = {
    "calico-address-off-network": find_calico_address_off_network,
    "peer-address-unknown": find_peer_address_unknown,
    "given-address-of-another": find_given_address_of_another,
    "one-address-for-all-nodes": find_one_address_for_all_nodes,
    "autodetection-finds-nothing": find_autodetection_finds_nothing,
    "record-off-site": find_record_off_site,
    "nameless-record-off-site": find_nameless_record_off_site,
    "record-off-site-and-lost": find_record_off_site_and_lost,
    "peer-that-nobody-reaches": find_peer_that_nobody_reaches,
    "conflict-over-nobodys-address": find_conflict_over_nobodys_address,
    "caller-not-the-one-waited-for": find_caller_not_the_one_waited_for,
}
