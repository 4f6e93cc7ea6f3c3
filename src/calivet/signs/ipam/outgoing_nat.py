"""Signs of pods whose packets leave the cluster without the node's address: nobody outside can answer them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.calico import Pool
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import list_pools, list_service_ranges, map_node_addresses
from calivet.facts.fact import Reach
from calivet.facts.host import Capture, Interface, Packet
from calivet.facts.kubernetes import Node, Object, Pod
from calivet.facts.networks import NetworkTable, parse_address, parse_network
from calivet.facts.vocabulary.identifiers import TUNNELS
from calivet.signs.sighting import Sighting

_LOST = ("timeout", "loss")
_POOL_OF_INSTALLATION = "ipPools["


class _Switch(Struct, frozen=True):
    """What is said of a pool's outgoing NAT."""

    line: Line
    cidr: str
    on: bool


def find_pool_without_nat(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An enabled pool with outgoing NAT off."""
    for switch in _list_switches(cluster):
        if not switch.on:
            yield Sighting(line=switch.line, values={"cidr": switch.cidr})


def find_every_pool_has_nat(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All pools that were shown have outgoing NAT on."""
    switches = _list_switches(cluster)
    if switches and all(switch.on for switch in switches):
        yield Sighting(line=switches[0].line, values={"cidr": switches[0].cidr})


def find_outside_lost_without_nat(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod reaches nothing outside the cluster, and a pool of that family has no NAT."""
    off = [switch for switch in _list_switches(cluster) if not switch.on]
    for reach in _list_lost_outside(cluster):
        for switch in off:
            if (":" in switch.cidr) == (":" in reach.target):
                values = {"cidr": switch.cidr, "target": reach.target, "pod": reach.pod or ""}
                yield Sighting(line=reach.at, node=cluster.find_node_of_pod(reach.pod), values=values)
                break


def find_pod_address_seen_outside(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A packet leaves through a card for the outside with a pod's address as its source."""
    pods, inside = _build_pod_table(cluster), _build_inside_table(cluster)
    cards = {run.at: run.interface for run in cluster.all(Capture)}
    for packet in cluster.all(Packet):
        card = cards.get(packet.capture, "")
        if packet.tunnel or not card or card in TUNNELS or card.startswith(("cali", "any", "lo")):
            continue
        if pods.find_holding(packet.source) and _is_outside(packet.target, inside):
            values = {"source": packet.source, "target": packet.target, "device": card}
            yield Sighting(line=packet.at, node=cluster.names.find_node_or_host(packet.host), values=values)


def _list_lost_outside(cluster: ClusterFacts) -> Iterator[Reach]:
    """Tests from pods, or from a prompt that names no node, which something outside did not answer."""
    inside = _build_inside_table(cluster)
    for reach in cluster.all(Reach):
        from_pod = reach.pod is not None or cluster.names.find_node_or_host(reach.host) is None
        if reach.outcome in _LOST and from_pod and _is_outside(reach.target, inside):
            yield reach


def _is_outside(target: str, inside: NetworkTable[None]) -> bool:
    address = parse_address(target)
    if address is None or address.is_loopback or address.is_link_local:
        return False
    return not inside.find_holding(target)


@once
def _list_switches(cluster: ClusterFacts) -> list[_Switch]:
    found = {
        pool.cidr: _Switch(pool.at, pool.cidr, pool.nat_outgoing)
        for pool in cluster.all(Pool)
        if pool.nat_outgoing is not None and pool.disabled is not True
    }
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            if path.endswith("].natOutgoing") and _POOL_OF_INSTALLATION in path:
                cidr = str(thing.values.get(f"{path.removesuffix('natOutgoing')}cidr", ""))
                found.setdefault(cidr, _Switch(thing.find_line_of(path), cidr, str(value) not in ("Disabled", "False")))
    return list(found.values())


@once
def _build_pod_table(cluster: ClusterFacts) -> NetworkTable[None]:
    return NetworkTable((pool.network, None) for pool in list_pools(cluster))


@once
def _build_inside_table(cluster: ClusterFacts) -> NetworkTable[None]:
    """Pods, services and nodes, with the networks that nodes have a card in."""
    known = [one.network for one in (*list_pools(cluster), *list_service_ranges(cluster))]
    single = {*map_node_addresses(cluster).values(), *(node.internal_ip for node in cluster.all(Node))}
    single |= {pod.ip for pod in cluster.all(Pod)}
    cards = [address for card in cluster.all(Interface) for address in card.addresses]
    known += [where for text in (*filter(None, single), *cards) if (where := parse_network(text))]
    return NetworkTable((where, None) for where in known)


SIGNS = {
    "pool-without-nat": find_pool_without_nat,
    "every-pool-has-nat": find_every_pool_has_nat,
    "outside-lost-without-nat": find_outside_lost_without_nat,
    "pod-address-seen-outside": find_pod_address_seen_outside,
}
