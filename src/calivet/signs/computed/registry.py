"""Every computed sign by the name the catalogue uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.facts.picture import Picture
from calivet.signs.computed import (
    addresses,
    api_reach,
    bgp,
    blocks,
    cgroup,
    cni_files,
    control_plane,
    crds,
    credentials,
    daemonset,
    etcd,
    filters,
    installing,
    load,
    nodes,
    peering,
    pods,
    policies,
    pool_choice,
    probes,
    ranges,
    records,
    remedies,
    runtime,
    service_rules,
    sessions,
    start,
    tigera,
    traffic,
    versions,
    virtual_addresses,
    wireguard,
)
from calivet.signs.sighting import Sighting

Compute = Callable[[Picture], Iterator[Sighting]]

COMPUTED: dict[str, Compute] = {
    **addresses.SIGNS,
    **api_reach.SIGNS,
    **bgp.SIGNS,
    **blocks.SIGNS,
    **cgroup.SIGNS,
    **cni_files.SIGNS,
    **control_plane.SIGNS,
    **crds.SIGNS,
    **credentials.SIGNS,
    **daemonset.SIGNS,
    **etcd.SIGNS,
    **filters.SIGNS,
    **installing.SIGNS,
    **load.SIGNS,
    **nodes.SIGNS,
    **peering.SIGNS,
    **pods.SIGNS,
    **policies.SIGNS,
    **pool_choice.SIGNS,
    **probes.SIGNS,
    **ranges.SIGNS,
    **records.SIGNS,
    **remedies.SIGNS,
    **runtime.SIGNS,
    **service_rules.SIGNS,
    **sessions.SIGNS,
    **start.SIGNS,
    **tigera.SIGNS,
    **traffic.SIGNS,
    **versions.SIGNS,
    **virtual_addresses.SIGNS,
    **wireguard.SIGNS,
}
