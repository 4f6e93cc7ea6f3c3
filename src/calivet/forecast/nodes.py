"""The cluster's nodes, and for each what Calico has stored and what Kubernetes calls its address."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import NodeAddress
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.host import Route
from calivet.facts.kubernetes import Node, Object
from calivet.facts.networks import NetworkTable
from calivet.forecast.cards import find_listing, list_hosts_with_cards, parse_address
from calivet.forecast.methods import HostNetwork
from calivet.search.expressions import expression

_STORES = ("annotation", "resource")
_ADDRESS_TYPE = expression(r"status\.addresses\[(\d+)\]\.type")
_CLUSTER_ID = "projectcalico.org/RouteReflectorClusterID"

ByFamily = dict[tuple[str, int], str]


@once
def list_node_names(picture: ClusterFacts) -> list[str]:
    """The nodes that run Linux; where none were listed, every machine of which something was seen."""
    listed = {node.name: node for node in picture.all(Node)}
    if listed:
        return [name for name, node in listed.items() if not _is_windows(node)]
    return list(dict.fromkeys([*picture.names.nodes, *list_hosts_with_cards(picture)]))


def collect_host(picture: ClusterFacts, node: str, family: int) -> HostNetwork:
    """All that the choice of its address depends on."""
    internal = collect_internal_addresses(picture).get((node, family))
    return HostNetwork(
        name=node,
        listing=find_listing(picture, node, family),
        internal=internal,
        prefix=_find_prefix(picture, internal),
        routes=tuple(_collect_routes(picture).get(node, ())),
    )


def _find_prefix(picture: ClusterFacts, internal: str | None) -> int | None:
    """The prefix length of the network that Calico's records name for this address or its neighbours."""
    around = set(_collect_prefixes(picture).find_holding(internal))
    return around.pop() if len(around) == 1 else None


@once
def _collect_prefixes(picture: ClusterFacts) -> NetworkTable[int]:
    """The prefix length of each network that is named."""
    stored = (parse_address(address) for address in collect_stored_addresses(picture).values())
    networks = {own.network for own in stored if own and own.network.num_addresses > 1}
    return NetworkTable((network, network.prefixlen) for network in networks)


@once
def collect_stored_addresses(picture: ClusterFacts) -> ByFamily:
    """What Calico's records say as last seen; what its log said where no record was seen."""
    found: ByFamily = {}
    for wanted in (False, True):
        for fact in picture.all(NodeAddress):
            own = parse_address(fact.address)
            node = picture.names.find_node_or_host(fact.node or fact.host)
            if own and node and (fact.source in _STORES) is wanted:
                found[node, own.version] = fact.address
    return found


@once
def collect_internal_addresses(picture: ClusterFacts) -> ByFamily:
    """Each node's first InternalIP of each family, or the address of its calico-node, which is the same."""
    found: ByFamily = {}
    for node, address in _list_names(picture):
        if own := parse_address(address):
            found.setdefault((node, own.version), str(own.ip))
    return found


def find_labels(picture: ClusterFacts, node: str) -> dict[str, str]:
    """The node's labels as last seen."""
    return _collect_labels(picture).get(node, {})


@once
def find_reflectors(picture: ClusterFacts) -> set[str]:
    """Nodes that are route reflectors: the mesh leaves them out."""
    found = {node.name for node in picture.all(Node) if node.annotations.get(_CLUSTER_ID)}
    things = (thing for thing in picture.all(Object) if thing.kind == "Node")
    return found | {thing.name for thing in things if thing.name and _is_reflector(thing)}


def _is_reflector(thing: Object) -> bool:
    told = (
        thing.values.get(path) for path in ("spec.bgp.routeReflectorClusterID", f"metadata.annotations.{_CLUSTER_ID}")
    )
    return any(told)


def _list_names(picture: ClusterFacts) -> Iterator[tuple[str, str | None]]:
    for thing in picture.all(Object):
        for path, value in thing.values.items() if thing.kind == "Node" and thing.name else ():
            if value == "InternalIP" and (found := _ADDRESS_TYPE.fullmatch(path)):
                yield str(thing.name), str(thing.values.get(f"status.addresses[{found[1]}].address"))
    yield from ((node.name, node.internal_ip) for node in reversed(picture.all(Node)))
    yield from ((pod.node, pod.ip) for pod in reversed(picture.pods("calico-node")) if pod.node)


@once
def _collect_labels(picture: ClusterFacts) -> dict[str, dict[str, str]]:
    return {node.name: node.labels for node in picture.all(Node) if node.labels}


@once
def _collect_routes(picture: ClusterFacts) -> dict[str, list[Route]]:
    found: dict[str, list[Route]] = defaultdict(list)
    for route in picture.all(Route):
        found[picture.names.find_node_or_host(route.host) or route.at.artifact].append(route)
    return found


def _is_windows(node: Node) -> bool:
    return node.labels.get("kubernetes.io/os") == "windows" or (node.os or "").startswith("Windows")
