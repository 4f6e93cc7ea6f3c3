"""Signs in what the configuration makes of routes: who learns them, what filters keep back, where they would lead."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Command, EmptySearch
from calivet.facts.kubernetes import Object
from calivet.facts.networks import Network, parse_network
from calivet.facts.platform import find_newest_calico
from calivet.facts.vocabulary.commands import lists_bgp_peers
from calivet.forecast.nodes import list_node_names
from calivet.forecast.peering import find_unlearned_route, list_nodes_without_labels
from calivet.forecast.settings import read_settings
from calivet.signs.bgp.peering import BGP_PORT, find_no_bird_by_design
from calivet.signs.sighting import Sighting

_OF_NODE = "node."
_NEVER = "Never"
_FELIX_MAY_ROUTE_IPIP = (3, 31)
"""From here on Felix can write the routes of IPIP pools itself."""
_DIRECTIONS = ("export", "import")
_OWN_AS = ("projectcalico.org/ASNumber", "bgp.asNumber")


def find_routes_not_passed_on(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All nodes have sessions, and yet one never hears of another: who stands between them is no route reflector."""
    nodes = list_node_names(cluster)
    if not _is_bgp_known(cluster) or list_nodes_without_labels(cluster, nodes) or _has_node_its_own_as(cluster):
        return
    peerings = _list_of_kind(cluster, "BGPPeer")
    missed = find_unlearned_route(cluster, nodes, mesh=read_settings(cluster).mesh) if peerings else None
    if missed:
        yield Sighting(line=peerings[0].at, values={"node": missed[0], "other": missed[1]})


def find_filter_rejects_all(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The mesh is off, and every peering has a filter whose first rule rejects whatever comes."""
    peerings = _list_of_kind(cluster, "BGPPeer")
    if not _is_bgp_known(cluster) or read_settings(cluster).mesh or not peerings:
        return
    filters = {thing.name: thing for thing in _list_of_kind(cluster, "BGPFilter")}
    for direction in _DIRECTIONS:
        shut = [_find_shut(peering, filters, direction) for peering in peerings]
        if all(shut) and shut[0]:
            path = f"spec.{direction}V4[0].action"
            values = {"filter": str(shut[0].name), "peer": str(peerings[0].name), "direction": direction}
            yield Sighting(line=shut[0].find_line_of(path), values=values)


def _find_shut(peering: Object, filters: dict[str | None, Object], direction: str) -> Object | None:
    """The peering's first filter, where that lets nothing through in this direction."""
    first = filters.get(str(peering.values.get("spec.filters[0]")))
    head = f"spec.{direction}V4[0]."
    rule = (
        {path.removeprefix(head): value for path, value in first.values.items() if path.startswith(head)}
        if first
        else {}
    )
    return first if rule == {"action": "Reject"} else None


def find_pool_not_exported(cluster: ClusterFacts) -> Iterator[Sighting]:
    """BIRD is to tell nobody of a pool, and the routes to its pods come from BIRD alone."""
    path = "spec.disableBGPExport"
    needing = {pool.name: pool for pool in cluster.all(Pool) if pool.disabled is not True and pool.vxlan == _NEVER}
    written_by_felix = any(
        str(thing.values.get("spec.programClusterRoutes", "")).startswith("Enabled")
        for thing in _list_of_kind(cluster, "FelixConfiguration")
    )
    several = len(list_node_names(cluster)) > 1
    for thing in _list_of_kind(cluster, "IPPool") if several and not written_by_felix else ():
        is_off = str(thing.values.get(path)).lower() == "true"
        if is_off and thing.name in needing and read_settings(cluster).has_bgp:
            yield Sighting(line=thing.find_line_of(path), values={"name": str(thing.name)})


def find_pool_needs_other_network(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Nodes of several networks, a pool without tunnels, and no router that anybody tells the routes to."""
    plain = [pool for pool in cluster.all(Pool) if pool.disabled is not True and _is_plain(pool)]
    places = _list_networks_of_nodes(cluster)
    if not plain or len(places) < 2 or not _is_bgp_known(cluster) or _is_router_told(cluster):
        return
    values = {"cidr": plain[0].cidr, "first": str(places[0]), "second": str(places[1])}
    yield Sighting(line=plain[0].at, values=values)


def _is_plain(pool: Pool) -> bool:
    """Whether pods' packets go without a tunnel; where neither mode was shown that is not known."""
    modes = (pool.ipip, pool.vxlan)
    return ":" not in pool.cidr and any(modes) and all((mode or _NEVER) == _NEVER for mode in modes)


def _is_router_told(cluster: ClusterFacts) -> bool:
    """Whether a peering is with somebody who is no node."""
    peers = [str(thing.values.get("spec.peerIP") or "") for thing in _list_of_kind(cluster, "BGPPeer")]
    return any(peer and not cluster.names.node(_strip_port(peer)[0]) for peer in peers)


@once
def _list_networks_of_nodes(cluster: ClusterFacts) -> list[Network]:
    """The networks that the nodes' own addresses are in; a single address names none."""
    found: dict[Network, None] = {}
    for told in cluster.all(NodeAddress):
        network = parse_network(told.address) if "/" in told.address else None
        if network and network.version == 4 and network.num_addresses > 1:
            found[network] = None
    return list(found)


def find_peer_port_of_nobody(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A peering names a node with a port at which that node's BIRD does not listen."""
    for thing in _list_of_kind(cluster, "BGPPeer"):
        address, port = _strip_port(str(thing.values.get("spec.peerIP") or ""))
        node = cluster.names.node(address)
        own = _find_listen_port(cluster, node)
        if node and port and own and port != own:
            values = {"name": str(thing.name), "node": node, "port": port, "own": own}
            yield Sighting(line=thing.find_line_of("spec.peerIP"), values=values)


def _strip_port(peer: str) -> tuple[str, str]:
    """Address and port, of ADDRESS:PORT or [ADDRESS]:PORT; an empty port where none is written."""
    if peer.startswith("["):
        address, _, rest = peer[1:].partition("]")
        return address, rest.removeprefix(":")
    address, colon, port = peer.partition(":")
    return (address, port) if colon and ":" not in port else (peer, "")


def _find_listen_port(cluster: ClusterFacts, node: str | None) -> str | None:
    """Where the node's BIRD listens: as its own settings say, else the common ones, else the usual port."""
    told = {thing.name: thing.values.get("spec.listenPort") for thing in _list_of_kind(cluster, "BGPConfiguration")}
    if not told:
        return None
    return str(told.get(f"{_OF_NODE}{node}") or told.get("default") or BGP_PORT)


def find_password_at_one_end(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two nodes are peered by a resource for each end, and only one of these has a password."""
    ends: dict[tuple[str | None, str | None], Object] = {}
    for thing in _list_of_kind(cluster, "BGPPeer"):
        near = cluster.names.node(str(thing.values.get("spec.node") or ""))
        far = cluster.names.node(_strip_port(str(thing.values.get("spec.peerIP") or ""))[0])
        if near and far:
            ends[near, far] = thing
    for (near, far), thing in ends.items():
        other = ends.get((far, near))
        if other and _has_password(thing) and not _has_password(other):
            values = {"name": str(thing.name), "other": str(other.name)}
            for node in (near, far):
                yield Sighting(line=thing.at, node=node, values=values)


def _has_password(thing: Object) -> bool:
    return any(path.startswith("spec.password") for path in thing.values)


def find_tunnel_routes_without_bird(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pool's packets go through IPIP, whose routes BIRD writes, and no BIRD is meant to run."""
    backend = next(find_no_bird_by_design(cluster), None)
    if backend is None or find_newest_calico(cluster, unknown=_FELIX_MAY_ROUTE_IPIP) >= _FELIX_MAY_ROUTE_IPIP:
        return
    for pool in cluster.all(Pool):
        if pool.disabled is not True and (pool.ipip or _NEVER) != _NEVER:
            yield Sighting(line=backend.line, values={"backend": backend.values["backend"], "cidr": pool.cidr})
            return


def _is_bgp_known(cluster: ClusterFacts) -> bool:
    """Whether BIRD exchanges routes here, and all peerings were listed."""
    listed = any(lists_bgp_peers(one.line) for one in cluster.all(Command))
    listed = listed or any(search.what == "bgp-peers" for search in cluster.all(EmptySearch))
    return listed and read_settings(cluster).has_bgp and not any(find_no_bird_by_design(cluster))


def _has_node_its_own_as(cluster: ClusterFacts) -> bool:
    """Between different AS numbers everybody passes on what he learns."""
    things = (thing for thing in cluster.all(Object) if thing.kind == "Node")
    return any(path.endswith(_OWN_AS) for thing in things for path in thing.values)


@once
def _collect_kinds(cluster: ClusterFacts) -> dict[str, list[Object]]:
    found: dict[str, list[Object]] = {}
    for thing in cluster.all(Object):
        if thing.kind and not thing.partial:
            found.setdefault(thing.kind, []).append(thing)
    return found


def _list_of_kind(cluster: ClusterFacts, kind: str) -> list[Object]:
    return _collect_kinds(cluster).get(kind, [])


SIGNS = {
    "routes-not-passed-on": find_routes_not_passed_on,
    "filter-rejects-all": find_filter_rejects_all,
    "pool-not-exported": find_pool_not_exported,
    "pool-needs-other-network": find_pool_needs_other_network,
    "peer-port-of-nobody": find_peer_port_of_nobody,
    "password-at-one-end": find_password_at_one_end,
    "tunnel-routes-without-bird": find_tunnel_routes_without_bird,
}
