"""Signs in what the settings leave of pools: uses, reservations, blocks that nobody may borrow from."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.kubernetes import Object
from calivet.facts.networks import Network, parse_network
from calivet.signs.ipam.pools import find_more_nodes_than_blocks
from calivet.signs.sighting import Sighting

_USES = "spec.allowedUses["
_WORKLOAD = "Workload"
_MANUAL = "Manual"
_STRICT = "spec.strictAffinity"


def find_no_pool_for_pods(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pools are there, and none of those that are enabled may give addresses to pods by itself."""
    pools = _list_enabled(cluster)
    if pools and all(_is_closed_to_pods(pool) for pool in pools):
        yield Sighting(line=pools[0].at, values={"name": pools[0].name or ""})


def _is_closed_to_pods(pool: Object) -> bool:
    uses = [value for path, value in pool.values.items() if path.startswith(_USES)]
    return (bool(uses) and _WORKLOAD not in uses) or pool.values.get("spec.assignmentMode") == _MANUAL


def find_pools_reserved_whole(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Reservations cover every enabled pool to its last address."""
    networks = [network for pool in _list_enabled(cluster) if (network := _read_network(pool.values.get("spec.cidr")))]
    reserved = list(_list_reserved(cluster))
    covering = [next((thing for thing, held in reserved if _is_within(one, held)), None) for one in networks]
    if covering and all(covering) and covering[0]:
        values = {"name": covering[0].name or "", "cidr": str(networks[0])}
        yield Sighting(line=covering[0].at, values=values)


def _list_reserved(cluster: ClusterFacts) -> Iterator[tuple[Object, Network]]:
    for thing in cluster.all(Object):
        for path, value in thing.values.items() if thing.kind == "IPReservation" else ():
            network = _read_network(value) if path.startswith("spec.reservedCIDRs[") else None
            if network:
                yield thing, network


def find_nodes_without_own_block(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Nodes may not borrow addresses, and the only pool has fewer blocks than there are nodes."""
    for thing in cluster.all(Object):
        if thing.kind in ("IPAMConfig", "IPAMConfiguration") and thing.values.get(_STRICT) is True:
            line = thing.find_line_of(_STRICT)
            yield from (Sighting(line=line, values=seen.values) for seen in find_more_nodes_than_blocks(cluster))


@once
def _list_enabled(cluster: ClusterFacts) -> list[Object]:
    """The pools that were shown whole, each as it was seen last."""
    latest = {thing.name: thing for thing in cluster.all(Object) if thing.kind == "IPPool" and not thing.partial}
    return [pool for pool in latest.values() if pool.values.get("spec.disabled") is not True]


def _read_network(written: object) -> Network | None:
    return parse_network(str(written or ""))


def _is_within(network: Network, other: Network) -> bool:
    if network.version != other.version:
        return False
    return network.subnet_of(other)  # type: ignore[arg-type]


SIGNS = {
    "no-pool-for-pods": find_no_pool_for_pods,
    "pools-reserved-whole": find_pools_reserved_whole,
    "nodes-without-own-block": find_nodes_without_own_block,
}
