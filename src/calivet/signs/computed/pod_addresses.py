"""Signs in whose addresses pods have: Calico's pools and blocks, or another plugin's range."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Pod
from calivet.facts.picture import Picture, once
from calivet.signs.computed.blocks import all_blocks
from calivet.signs.computed.network_table import NetworkTable
from calivet.signs.computed.networks import Network, network, node_addresses, pod_ranges_told, pools
from calivet.signs.sighting import Sighting

# What runtimes and other plugins give pods while Calico's configuration is not there.
_BRIDGES = {
    "172.17.0.0/16": "docker0",
    "10.88.0.0/16": "podman",
    "10.85.0.0/16": "CRI-O",
    "10.22.0.0/16": "the CNI examples",
}
_HOST_ROLES = ("calico-node", "typha", "operator", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")
_WRITTEN = expression(r"[0-9a-f.:]+")


def outside_pools(picture: Picture) -> Iterator[Sighting]:
    """A pod whose address is neither a node's nor of any pool."""
    alike: dict[int, list[Network]] = defaultdict(list)
    for pool in pools(picture):
        alike[pool.network.version].append(pool.network)
    for pod in _outside(picture, [pool.network for pool in pools(picture)]):
        yield _sighting(pod, pools=", ".join(str(pool) for pool in alike[_version(pod)][:3]))


def of_other_bridge(picture: Picture) -> Iterator[Sighting]:
    """A pod with an address of a range that runtimes use when left alone, where no pool has that range."""
    known = [(told.network, told) for told in pools(picture) or pod_ranges_told(picture)]
    declared = NetworkTable(known)
    bridges = NetworkTable((usual, bridge) for cidr, bridge in _BRIDGES.items() if (usual := network(cidr)))
    for pod in _networked_pods(picture) if known else ():
        if not declared.holding(pod.ip):
            yield from (_sighting(pod, bridge=bridge) for bridge in bridges.holding(pod.ip))


def outside_blocks(picture: Picture) -> Iterator[Sighting]:
    """A pod whose address may lie in a pool, but is in no block although all blocks were listed."""
    yield from map(_sighting, _outside(picture, all_blocks(picture)))


def in_told_range(picture: Picture) -> Iterator[Sighting]:
    """A pod in the range that Kubernetes was told, outside Calico's pools: its addresses come from host-local."""
    told = NetworkTable((one.network, one) for one in pod_ranges_told(picture))
    return (seen for seen in outside_pools(picture) if told.holding(seen.values["address"]))


def _outside(picture: Picture, known: Collection[Network]) -> Iterator[Pod]:
    """The pods that lie in none of these networks, where some of them are of the pod's version."""
    versions, table = {one.version for one in known}, NetworkTable((one, None) for one in known)
    for pod in _networked_pods(picture) if known else ():
        if _version(pod) in versions and not table.holding(pod.ip):
            yield pod


def _version(pod: Pod) -> int:
    return 6 if ":" in str(pod.ip) else 4


@once
def _networked_pods(picture: Picture) -> list[Pod]:
    """Pods with a network of their own, each as it was last seen."""
    hosts = set(node_addresses(picture).values())
    hosts |= {pod.ip for role in _HOST_ROLES for pod in picture.pods(role) if pod.ip}
    latest = {pod.name: pod for pod in picture.all(Pod) if pod.ip and _WRITTEN.fullmatch(pod.ip)}
    return [pod for pod in latest.values() if pod.ip not in hosts and picture.role(pod) not in _HOST_ROLES]


def _sighting(pod: Pod, **values: str) -> Sighting:
    return Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "address": str(pod.ip), **values})


SIGNS = {
    "pod-address-outside-pools": outside_pools,
    "pod-address-of-other-bridge": of_other_bridge,
    "pod-address-outside-blocks": outside_blocks,
    "pod-address-in-told-range": in_told_range,
}
