"""Every pod is ready, and the next one gets no address, or one of somebody else's: pools, reservations, blocks."""

from __future__ import annotations

from tests.e2e.scenarios.calico_objects import pool, resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.scenario import scenario


@scenario("ip-pool-selection")
def the_pool_is_for_tunnels_alone() -> Cluster:
    """Its allowed uses were cut down to tunnels."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["allowedUses"] = ["Tunnel"]
    return cluster


@scenario("ip-pool-exhausted", also=("ip-pool-selection",))
def the_whole_pool_is_reserved() -> Cluster:
    """A reservation that was meant for a part of it covers it all."""
    cluster = healthy()
    cluster.others.append(resource("IPReservation", "for-the-lab", reservedCIDRs=["10.244.0.0/16"]))
    return cluster


@scenario("ip-pool-exhausted", also=("ip-pool-selection", "ip-block-limit"))
def one_block_for_four_nodes() -> Cluster:
    """Nobody may borrow, and the pool is a single block that the control plane holds."""
    cluster = healthy(pods="10.244.0.0/26")
    cluster.others.append(resource("IPAMConfig", "default", strictAffinity=True, autoAllocateBlocks=True))
    return cluster


@scenario("ip-pool-cidr-overlap")
def two_pools_share_addresses() -> Cluster:
    """A second pool was put in with kubectl, past all checks, inside the first one."""
    cluster = healthy()
    cluster.others.append(pool("second", "10.244.128.0/17"))
    return cluster


@scenario("datastore-not-ready-flag")
def the_datastore_is_locked_and_nobody_noticed() -> Cluster:
    """Who runs goes on with what it knows; no pod gets an address and no policy arrives."""
    cluster = healthy()
    cluster.custom("default", "ClusterInformation")["spec"]["datastoreReady"] = False
    return cluster
