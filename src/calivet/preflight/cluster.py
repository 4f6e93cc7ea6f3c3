"""What the cluster itself would answer to a new node: versions, pools, its lock, IPv6."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.calico import Pool
from calivet.facts.fact import Version
from calivet.facts.host import Sysctl
from calivet.facts.kubernetes import Node, Object
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    check_by_cluster_signs,
    fail_by,
    mark_unchecked,
    pass_by,
)
from calivet.search.expressions import expression

_BLOCKS = expression(r"ipamblocks|blockaffinities|ipam show")
_READY = "spec.datastoreReady"


def _check_unlocked(host: Host) -> Result:
    if host.cluster is None:
        return mark_unchecked("no_cluster")
    for thing in host.cluster.all(Object):
        if thing.kind == "ClusterInformation" and _READY in thing.values:
            text = f"datastoreReady: {thing.values[_READY]}"
            line = Line(thing.at.artifact, thing.lines.get(_READY, thing.at.number), text)
            return pass_by(line) if str(thing.values[_READY]).lower() == "true" else fail_by("datastore_locked", line)
    return mark_unchecked("cluster_silent")


def _find_versions(host: Host) -> Line | None:
    kubernetes = any(node.version for node in host.together.all(Node))
    calico = next((one.at for one in host.together.all(Version) if one.program == "calico-node"), None)
    return calico if kubernetes else None


def _find_pools(host: Host) -> Line | None:
    return next((pool.at for pool in host.together.all(Pool)), None)


def _find_blocks(host: Host) -> Line | None:
    counted = any(_BLOCKS.search(artifact.command or "") for artifact in host.together.artifacts)
    return _find_pools(host) if counted else None


def _find_ipv6(host: Host) -> Line | None:
    return next((one.at for one in host.all(Sysctl) if one.key == "net.ipv6.conf.all.disable_ipv6"), None)


REQUIREMENTS = (
    Requirement(
        "versions",
        "version-incompatible",
        check_by_cluster_signs("kubernetes-far-from-tested", "calico-parts-differ", shown=_find_versions),
    ),
    Requirement(
        "datastore-unlocked",
        "datastore-not-ready-flag",
        _check_unlocked,
    ),
    Requirement(
        "pool-enabled",
        "ip-pool-selection",
        check_by_cluster_signs("every-pool-disabled", "pool-selectors-miss-node", shown=_find_pools),
    ),
    Requirement(
        "pool-room",
        "ip-pool-exhausted",
        check_by_cluster_signs("pool-blocks-all-claimed", "more-nodes-than-blocks", shown=_find_blocks),
    ),
    Requirement(
        "ipv6",
        "ipv6-host-mismatch",
        check_by_cluster_signs("ipv6-asked-but-disabled", shown=_find_ipv6),
    ),
)
