"""What the cluster itself would answer to a new node: versions, pools, its lock, IPv6."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import Pool
from calivet.facts.fact import Version
from calivet.facts.host import Sysctl
from calivet.facts.kubernetes import Node, Object
from calivet.preflight.by_signs import by_cluster_signs
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import NO_CLUSTER, NOT_TOLD

_BLOCKS = expression(r"ipamblocks|blockaffinities|ipam show")
_READY = "spec.datastoreReady"

LOCKED = Words(
    "Calico's datastore is locked (datastoreReady is false)", "Calico 的数据存储已锁定（datastoreReady 为 false）"
)


def _unlocked(host: Host) -> Result:
    if host.cluster is None:
        return unchecked(NO_CLUSTER)
    for thing in host.cluster.all(Object):
        if thing.kind == "ClusterInformation" and _READY in thing.values:
            text = f"datastoreReady: {thing.values[_READY]}"
            line = Line(thing.at.artifact, thing.lines.get(_READY, thing.at.number), text)
            return passes(line) if str(thing.values[_READY]).lower() == "true" else fails(LOCKED, line)
    return unchecked(NOT_TOLD)


def _versions(host: Host) -> Line | None:
    kubernetes = any(node.version for node in host.together.all(Node))
    calico = next((one.at for one in host.together.all(Version) if one.program == "calico-node"), None)
    return calico if kubernetes else None


def _pools(host: Host) -> Line | None:
    return next((pool.at for pool in host.together.all(Pool)), None)


def _blocks(host: Host) -> Line | None:
    counted = any(_BLOCKS.search(artifact.command or "") for artifact in host.together.artifacts)
    return _pools(host) if counted else None


def _ipv6(host: Host) -> Line | None:
    return next((one.at for one in host.all(Sysctl) if one.key == "net.ipv6.conf.all.disable_ipv6"), None)


REQUIREMENTS = (
    Requirement(
        "versions",
        Words("Versions of Calico and Kubernetes", "Calico 与 Kubernetes 的版本"),
        "version-incompatible",
        by_cluster_signs("kubernetes-far-from-tested", "calico-parts-differ", shown=_versions),
    ),
    Requirement(
        "datastore-unlocked",
        Words("Lock of Calico's datastore", "Calico 数据存储的锁"),
        "datastore-not-ready-flag",
        _unlocked,
    ),
    Requirement(
        "pool-enabled",
        Words("Pools for the node", "节点可用的地址池"),
        "ip-pool-selection",
        by_cluster_signs("every-pool-disabled", "pool-selectors-miss-node", shown=_pools),
    ),
    Requirement(
        "pool-room",
        Words("Free blocks in the pools", "地址池的空闲地址块"),
        "ip-pool-exhausted",
        by_cluster_signs("pool-blocks-all-claimed", "more-nodes-than-blocks", shown=_blocks),
    ),
    Requirement(
        "ipv6",
        Words("IPv6", "IPv6"),
        "ipv6-host-mismatch",
        by_cluster_signs("ipv6-asked-but-disabled", shown=_ipv6),
    ),
)
