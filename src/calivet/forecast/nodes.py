"""The cluster's nodes, and for each what Calico has stored and what Kubernetes calls its address."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.host import Route
from calivet.facts.kubernetes import Node, Object
from calivet.facts.picture import Picture, once
from calivet.forecast.cards import listed_hosts, listing, parsed
from calivet.forecast.detection import Host

_STORES = ("annotation", "resource")
_ADDRESS_TYPE = expression(r"status\.addresses\[(\d+)\]\.type")
_CLUSTER_ID = "projectcalico.org/RouteReflectorClusterID"

ByFamily = dict[tuple[str, int], str]


@once
def node_names(picture: Picture) -> list[str]:
    """The nodes that run Linux; where none were listed, every machine of which something was seen."""
    listed = {node.name: node for node in picture.all(Node)}
    if listed:
        return [name for name, node in listed.items() if not _is_windows(node)]
    return list(dict.fromkeys([*picture.names.nodes, *listed_hosts(picture)]))


def host(picture: Picture, node: str, family: int) -> Host:
    """All that the choice of its address depends on."""
    return Host(
        name=node,
        listing=listing(picture, node, family),
        internal=internal_addresses(picture).get((node, family)),
        routes=tuple(_routes(picture).get(node, ())),
    )


@once
def stored_addresses(picture: Picture) -> ByFamily:
    """What Calico's records say as last seen; what its log said where no record was seen."""
    found: ByFamily = {}
    for wanted in (False, True):
        for fact in picture.all(NodeAddress):
            own = parsed(fact.address)
            node = picture.names.node(fact.node or fact.host) or fact.node or fact.host
            if own and node and (fact.source in _STORES) is wanted:
                found[node, own.version] = fact.address
    return found


@once
def internal_addresses(picture: Picture) -> ByFamily:
    """Each node's first InternalIP of each family, or the address of its calico-node, which is the same."""
    found: ByFamily = {}
    for node, address in _called(picture):
        if own := parsed(address):
            found.setdefault((node, own.version), str(own.ip))
    return found


def labels(picture: Picture, node: str) -> dict[str, str]:
    """The node's labels as last seen."""
    return _labels(picture).get(node, {})


@once
def reflectors(picture: Picture) -> set[str]:
    """Nodes that are route reflectors: the mesh leaves them out."""
    found = {node.name for node in picture.all(Node) if node.annotations.get(_CLUSTER_ID)}
    things = (thing for thing in picture.all(Object) if thing.kind == "Node")
    return found | {thing.name for thing in things if thing.name and _is_reflector(thing)}


def _is_reflector(thing: Object) -> bool:
    return bool(thing.values.get("spec.bgp.routeReflectorClusterID"))


def _called(picture: Picture) -> Iterator[tuple[str, str | None]]:
    for thing in picture.all(Object):
        for path, value in thing.values.items() if thing.kind == "Node" and thing.name else ():
            if value == "InternalIP" and (found := _ADDRESS_TYPE.fullmatch(path)):
                yield str(thing.name), str(thing.values.get(f"status.addresses[{found[1]}].address"))
    yield from ((node.name, node.internal_ip) for node in reversed(picture.all(Node)))
    yield from ((pod.node, pod.ip) for pod in reversed(picture.pods("calico-node")) if pod.node)


@once
def _labels(picture: Picture) -> dict[str, dict[str, str]]:
    return {node.name: node.labels for node in picture.all(Node) if node.labels}


@once
def _routes(picture: Picture) -> dict[str, list[Route]]:
    found: dict[str, list[Route]] = defaultdict(list)
    for route in picture.all(Route):
        found[picture.names.node(route.host) or route.host or route.at.artifact].append(route)
    return found


def _is_windows(node: Node) -> bool:
    return node.labels.get("kubernetes.io/os") == "windows" or (node.os or "").startswith("Windows")
