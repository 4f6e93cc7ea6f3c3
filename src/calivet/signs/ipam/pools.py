"""Signs of pools and their blocks: used up, disabled, not selected; of addresses outside of them or asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from calivet.evidence.artifact import Line
from calivet.facts.calico import AddressAnnotation, BlockSize, CniConfig, IpamBlock, Pool, PoolAnnotation
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import find_disabled_pools, list_pod_ranges, list_pools, map_node_addresses
from calivet.facts.fact import Command, Count
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Node, Object, Pod, Row
from calivet.facts.networks import Network, NetworkTable, find_overlaps, parse_address, parse_network
from calivet.facts.selectors import Selection, parse_pool_annotation
from calivet.facts.vocabulary.identifiers import TUNNELS
from calivet.signs.sighting import Sighting

_CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_POOLS_WANTED = ("cni.projectcalico.org/ipv4pools", "cni.projectcalico.org/ipv6pools")


def find_every_pool_disabled(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All pools that were listed are switched off."""
    latest = {pool.cidr: pool for pool in cluster.all(Pool)}
    if latest and all(pool.disabled is True for pool in latest.values()):
        pool = next(iter(latest.values()))
        yield Sighting(line=pool.at, values={"pools": ", ".join(latest)} | _name_only(cluster, "disabled_pool"))


def find_pool_selectors_miss_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node whose labels fit the selector of no enabled pool."""
    pools = [pool for pool in {pool.cidr: pool for pool in cluster.all(Pool)}.values() if pool.disabled is not True]
    if not pools or any(not pool.selector for pool in pools):
        return
    labelled = {node.name: node for node in cluster.all(Node) if node.labels}
    selection = Selection({name: node.labels for name, node in labelled.items()})
    chosen = {name for pool in pools for name in selection.of(str(pool.selector))}
    for name, node in labelled.items():
        if name not in chosen:
            values = {"node": name, "selectors": ", ".join(str(pool.selector) for pool in pools[:3])}
            yield Sighting(line=node.at, node=name, values=values)


def find_workers_without_pool(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same of a machine for applications that is up, where other nodes are selected: it can start no pod."""
    workers = {node.name for node in cluster.all(Node) if node.labels and not _has_role(node) and node.ready}
    labelled = {node.name for node in cluster.all(Node) if node.labels}
    missed = list(find_pool_selectors_miss_node(cluster))
    for seen in missed if len(missed) < len(labelled) else ():
        if seen.node in workers:
            yield seen


def _has_role(node: Node) -> bool:
    return any(label.startswith(_CONTROL_PLANE) for label in node.labels)


def find_pools_select_no_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The pools' selectors fit none of several nodes: nobody gets an address any more."""
    missed = list(find_pool_selectors_miss_node(cluster))
    if len(missed) > 1 and len(missed) == len({node.name for node in cluster.all(Node)}):
        pool = cluster.all(Pool)[0]
        values = {"selectors": missed[0].values["selectors"]}
        yield Sighting(line=pool.at, values=values | _name_only(cluster, "idle_pool"))


def _name_only(cluster: ClusterFacts, value: str) -> dict[str, str]:
    """The pool, where it is the only one: of several it is for the operator to choose."""
    names = {pool.name for pool in cluster.all(Pool)}
    name = next(iter(names)) if len(names) == 1 else None
    return {value: name} if name else {}


def find_annotation_names_unknown_pool(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An annotation that names a pool which was not listed."""
    known = {name for pool in cluster.all(Pool) for name in (pool.name, pool.cidr) if name}
    if not known:
        return
    for line, names in _list_annotations(cluster):
        for name in names:
            if name not in known:
                yield Sighting(line=line, values={"pool": name})


def _list_annotations(cluster: ClusterFacts) -> Iterator[tuple[Line, Sequence[str]]]:
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            if path.endswith(_POOLS_WANTED):
                yield thing.find_line_of(path), parse_pool_annotation(str(value))
    yield from ((annotation.at, annotation.pools) for annotation in cluster.all(PoolAnnotation))


def find_plugin_names_unknown_pool(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The plugin is told to take addresses of one pool only, and all pools were listed without it."""
    known = {name for pool in cluster.all(Pool) for name in (pool.name, pool.cidr) if name}
    for config in cluster.all(CniConfig) if known else ():
        missing = [name for name in config.pools if name not in known]
        if missing and len(missing) == len(config.pools):
            yield Sighting(line=config.at, values={"pool": missing[0]})


# What runtimes and other plugins give pods while Calico's configuration is not there.
_BRIDGES = {
    "172.17.0.0/16": "docker0",
    "10.88.0.0/16": "podman",
    "10.85.0.0/16": "CRI-O",
    "10.22.0.0/16": "the CNI examples",
}
_HOST_ROLES = ("calico-node", "typha", "operator", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")


def find_pod_address_outside_pools(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod whose address is neither a node's nor of any pool, be it one that is disabled."""
    alike: dict[int, list[Network]] = defaultdict(list)
    for pool in list_pools(cluster):
        alike[pool.network.version].append(pool.network)
    if not alike:
        return
    known = {*find_disabled_pools(cluster), *(pool.network for pool in list_pools(cluster))}
    for pod in _list_pods_outside(cluster, known):
        yield _build_pod_sighting(pod, pools=", ".join(str(pool) for pool in alike[_find_version(pod)][:3]))


def find_pod_address_of_other_bridge(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod with an address of a range that runtimes use when left alone, where no pool has that range."""
    known = [(told.network, told) for told in list_pools(cluster) or list_pod_ranges(cluster)]
    declared = NetworkTable(known)
    bridges = NetworkTable((usual, bridge) for cidr, bridge in _BRIDGES.items() if (usual := parse_network(cidr)))
    for pod in _list_networked_pods(cluster) if known else ():
        if not declared.find_holding(pod.ip):
            yield from (_build_pod_sighting(pod, bridge=bridge) for bridge in bridges.find_holding(pod.ip))


def find_pod_address_outside_blocks(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod whose address may lie in a pool, but is in no block although all blocks were listed."""
    yield from map(_build_pod_sighting, _list_pods_outside(cluster, list_all_blocks(cluster)))


def find_pod_in_block_without_pool(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod with an address of one of Calico's blocks, and the pool of that block is gone.

    Where Kubernetes was told the range, it is the pool that is elsewhere.
    """
    blocks = NetworkTable((block, None) for block in _collect_blocks(cluster))
    told = NetworkTable((one.network, one) for one in list_pod_ranges(cluster))
    for seen in find_pod_address_outside_pools(cluster):
        address = seen.values["address"]
        if blocks.find_holding(address) and not told.find_holding(address):
            yield seen


def find_pod_address_in_told_range(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod in the range that Kubernetes was told, outside Calico's pools: its addresses come from host-local."""
    told = NetworkTable((one.network, one) for one in list_pod_ranges(cluster))
    return (seen for seen in find_pod_address_outside_pools(cluster) if told.find_holding(seen.values["address"]))


def _list_pods_outside(cluster: ClusterFacts, known: Collection[Network]) -> Iterator[Pod]:
    """The pods that lie in none of these networks, where some of them are of the pod's version."""
    versions, table = {one.version for one in known}, NetworkTable((one, None) for one in known)
    for pod in _list_networked_pods(cluster) if known else ():
        if _find_version(pod) in versions and not table.find_holding(pod.ip):
            yield pod


def _find_version(pod: Pod) -> int:
    return 6 if ":" in str(pod.ip) else 4


@once
def _list_networked_pods(cluster: ClusterFacts) -> list[Pod]:
    """Pods with a network of their own, each as it was last seen."""
    hosts = set(map_node_addresses(cluster).values())
    hosts |= {pod.ip for role in _HOST_ROLES for pod in cluster.pods(role) if pod.ip}
    latest = {pod.name: pod for pod in cluster.all(Pod) if pod.ip and parse_address(pod.ip)}
    return [pod for pod in latest.values() if pod.ip not in hosts and cluster.role(pod) not in _HOST_ROLES]


def _build_pod_sighting(pod: Pod, **values: str) -> Sighting:
    return Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "address": str(pod.ip), **values})


_BLOCK_RESOURCES = ("blockaffinity", "ipamblock")
_USUAL_BLOCK = {4: 26, 6: 122}
_ENDED = ("Completed", "Succeeded", "Failed", "Evicted", "Terminating", "Error")


def find_pool_blocks_all_claimed(cluster: ClusterFacts) -> Iterator[Sighting]:
    """As many blocks exist as the pool has room for."""
    claimed = max([len(_collect_blocks(cluster)), *_list_counts(cluster, "ipam-blocks")], default=0)
    for pool, room in _compute_capacities(cluster):
        if claimed >= room > 0:
            yield Sighting(line=pool.at, values={"cidr": pool.cidr, "blocks": str(room)})


def find_more_nodes_than_blocks(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pool with fewer blocks than the cluster has nodes."""
    counted = [count - 1 for count in _list_counts(cluster, "nodes")]
    nodes = max([len(cluster.names.nodes), *counted])
    rooms = _compute_capacities(cluster)
    for pool, room in rooms:
        if len(rooms) == 1 and 0 < room < nodes:
            values = {"cidr": pool.cidr, "blocks": str(room), "nodes": str(nodes)}
            yield Sighting(line=pool.at, values=values)


def find_blocks_overlap(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two blocks of which one lies in the other."""
    lines = _collect_blocks(cluster)
    for one, other in find_overlaps(lines):
        yield Sighting(line=lines[other], values={"first": str(one), "second": str(other)})


def find_one_address_two_pods(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One address held by two pods that are both alive in the same listing."""
    for pods in _list_sharing_pods(cluster):
        yield _build_shared_sighting(pods, node=pods[0].node)


def find_one_address_two_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same of pods on different nodes with an address of Calico's; the bridges of two hosts may give one each."""
    pools = NetworkTable((pool.network, None) for pool in list_pools(cluster))
    for pods in _list_sharing_pods(cluster):
        if len({pod.node for pod in pods if pod.node}) > 1 and pools.find_holding(pods[0].ip):
            yield _build_shared_sighting(pods, node=None)


def _build_shared_sighting(pods: Sequence[Pod], node: str | None) -> Sighting:
    values = {"address": str(pods[0].ip), "pods": ", ".join(sorted(pod.name for pod in pods))}
    return Sighting(line=pods[0].at, node=node, values=values)


@once
def _list_sharing_pods(cluster: ClusterFacts) -> list[list[Pod]]:
    hosts = set(map_node_addresses(cluster).values()) | _collect_machine_addresses(cluster)
    holders: dict[tuple[str, str], dict[str, Pod]] = defaultdict(dict)
    for pod in cluster.all(Pod):
        if pod.ip and pod.ip not in hosts and pod.status == "Running" and cluster.role(pod) in ("other", "dns"):
            holders[pod.at.artifact, pod.ip][f"{pod.namespace}/{pod.name}"] = pod
    return [list(pods.values()) for pods in holders.values() if len(pods) > 1]


def find_pod_has_tunnel_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pod with the address that a node uses for its tunnel."""
    tunnels = {
        address.split("/")[0]
        for interface in cluster.all(Interface)
        if interface.name in TUNNELS
        for address in interface.addresses
    }
    for pod in cluster.all(Pod):
        if pod.ip in tunnels and pod.status not in _ENDED:
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "address": str(pod.ip)})


@once
def list_all_blocks(cluster: ClusterFacts) -> list[Network]:
    """Every block, where a complete check of IPAM listed them; nothing where only some were shown."""
    whole = any("ipam check" in command.line for command in cluster.all(Command))
    return list(_collect_blocks(cluster)) if whole else []


@once
def _collect_machine_addresses(cluster: ClusterFacts) -> set[str]:
    """The machines' own addresses: many pods on the host network share one."""
    cards = (interface for interface in cluster.all(Interface) if interface.name not in TUNNELS)
    return {address.split("/")[0] for card in cards for address in card.addresses}


@once
def _collect_blocks(cluster: ClusterFacts) -> dict[Network, Line]:
    found: dict[Network, Line] = {}
    for row in cluster.all(Row):
        of_block = row.resource in _BLOCK_RESOURCES or row.cells.get("GROUPING") == "Block"
        if of_block and (parsed := parse_network(row.cells.get("CIDR"))):
            found[parsed] = row.at
    for thing in cluster.all(Object):
        if thing.kind in ("BlockAffinity", "IPAMBlock") and (
            parsed := parse_network(str(thing.values.get("spec.cidr", "")))
        ):
            found[parsed] = thing.at
    for block in cluster.all(IpamBlock):
        if parsed := parse_network(block.cidr):
            found[parsed] = block.at
    return found


@once
def _compute_capacities(cluster: ClusterFacts) -> list[tuple[Pool, int]]:
    """Each pool with the number of blocks it can hold."""
    size = next((told.size for told in cluster.all(BlockSize)), None)
    listed = [row for row in cluster.all(Row) if row.cells.get("GROUPING") == "IP Pool"]
    rooms = {}
    for pool in (*(Pool(at=row.at, cidr=row.cells.get("CIDR", "")) for row in listed), *cluster.all(Pool)):
        if (parsed := parse_network(pool.cidr)) and pool.disabled is not True:
            block = pool.block_size or size or _USUAL_BLOCK[parsed.version]
            rooms[parsed] = (pool, 2 ** min(max(block - parsed.prefixlen, 0), 40))
    return list(rooms.values())


def _list_counts(cluster: ClusterFacts, what: str) -> list[int]:
    """Numbers that the operator had counted with wc -l."""
    return [count.number for count in cluster.all(Count) if count.what == what]


_NO_LIMIT_WRITTEN = 20
"""What 0 stands for."""


def find_pod_asks_for_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An annotation names the address that a pod is to have."""
    for asked in cluster.all(AddressAnnotation):
        yield Sighting(line=asked.at, values={"address": asked.addresses[0]})


def find_asked_address_outside_pools(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An address is asked for that lies in none of the enabled pools, where some of its family were listed."""
    pools = {pool.cidr: pool for pool in cluster.all(Pool) if parse_network(pool.cidr)}
    enabled = [pool.cidr for pool in pools.values() if pool.disabled is not True]
    table = NetworkTable((where, None) for cidr in enabled if (where := parse_network(cidr)))
    for asked in cluster.all(AddressAnnotation):
        for address in asked.addresses:
            alike = [cidr for cidr in enabled if (":" in cidr) == (":" in address)]
            if alike and not table.find_holding(address):
                yield Sighting(line=asked.at, values={"address": address, "pools": ", ".join(alike[:3])})


def find_node_has_all_blocks_it_may(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node with as many blocks as the limit allows, where both were shown."""
    limit = _find_block_limit(cluster)
    if limit is None:
        return
    for node, rows in _list_blocks_of_nodes(cluster).items():
        if len(rows) >= limit:
            values = {"node": node, "blocks": str(len(rows)), "limit": str(limit)}
            yield Sighting(line=rows[-1].at, node=node, values=values)


def _find_block_limit(cluster: ClusterFacts) -> int | None:
    """As an IPAMConfig or `calicoctl ipam show --show-configuration` says."""
    told: int | None = None
    for thing in cluster.all(Object):
        if thing.kind in ("IPAMConfig", "IPAMConfiguration"):
            told = _parse_limit(thing.values.get("spec.maxBlocksPerHost"))
    for row in cluster.all(Row):
        if row.cells.get("PROPERTY") == "MaxBlocksPerHost":
            told = _parse_limit(row.cells.get("VALUE"))
    return told


def _parse_limit(written: object) -> int | None:
    text = str(written).strip()
    return (int(text) or _NO_LIMIT_WRITTEN) if text.isdigit() else None


@once
def _list_blocks_of_nodes(cluster: ClusterFacts) -> dict[str, list[Row | Object]]:
    blocks: dict[str, dict[str, Row | Object]] = defaultdict(dict)
    for row in cluster.all(Row):
        if row.resource == "blockaffinity" and (node := row.cells.get("NODE")) and row.cells.get("CIDR"):
            blocks[node][row.cells["CIDR"]] = row
    for thing in cluster.all(Object):
        if thing.kind == "BlockAffinity" and (node := str(thing.values.get("spec.node", ""))):
            blocks[node][str(thing.values.get("spec.cidr"))] = thing
    return {node: list(rows.values()) for node, rows in blocks.items()}


SIGNS = {
    "every-pool-disabled": find_every_pool_disabled,
    "pool-selectors-miss-node": find_pool_selectors_miss_node,
    "pools-select-no-node": find_pools_select_no_node,
    "annotation-names-unknown-pool": find_annotation_names_unknown_pool,
    "plugin-names-unknown-pool": find_plugin_names_unknown_pool,
    "workers-without-pool": find_workers_without_pool,
    "pod-address-outside-pools": find_pod_address_outside_pools,
    "pod-address-of-other-bridge": find_pod_address_of_other_bridge,
    "pod-in-block-without-pool": find_pod_in_block_without_pool,
    "pod-address-outside-blocks": find_pod_address_outside_blocks,
    "pod-address-in-told-range": find_pod_address_in_told_range,
    "pool-blocks-all-claimed": find_pool_blocks_all_claimed,
    "more-nodes-than-blocks": find_more_nodes_than_blocks,
    "blocks-overlap": find_blocks_overlap,
    "one-address-two-pods": find_one_address_two_pods,
    "one-address-two-nodes": find_one_address_two_nodes,
    "pod-has-tunnel-address": find_pod_has_tunnel_address,
    "pod-asks-for-address": find_pod_asks_for_address,
    "asked-address-outside-pools": find_asked_address_outside_pools,
    "node-has-all-blocks-it-may": find_node_has_all_blocks_it_may,
}
