"""Pods get no address, or one that leads nowhere."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import agent_crashes, application, pod_without_network
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy, start
from tests.e2e.scenarios.scenario import scenario

NODES = "10.20.0.0/16"
SMALL = "10.244.0.0/29"
NO_WAY = """
[INFO][9] startup/startup.go 454: Hit error connecting to datastore - retry error=Get "https://10.96.0.1:443/api/v1/nodes/foo": dial tcp 10.96.0.1:443: connect: no route to host
... 1s
"""
USED_UP = f"Assigned 0 out of 1 requested IPv4 addresses; No IPs available in pools: [{SMALL}]"
NO_TUNNEL_ADDRESS = f"""
[INFO][9] startup/startup.go 213: Using node name: {{node}}
[FATAL][31] tunnel-ip-allocator/allocateip.go 388: Unable to autoassign an IPv4 address error=No IPs available in pools: [{SMALL}]
Calico node failed to start
"""


@scenario("ip-pool-cidr-overlap")
def the_pool_covers_the_nodes() -> Cluster:
    """Everyone was told the range that the machines themselves are in."""
    cluster = healthy(workers=2, pods=NODES)
    agent_crashes(cluster, "worker-2", words.STARTUP + 6 * NO_WAY, code=137)
    return cluster


@scenario("ip-pool-exhausted")
def the_pool_is_used_up() -> Cluster:
    """Eight addresses for three nodes: one of them holds them all, and every one is taken."""
    cluster = healthy(workers=2, pods=SMALL)
    while cluster.lease("worker-1"):
        start(application(cluster, f"orders-{len(cluster.pods)}", "worker-1"), cluster.nodes["worker-1"])
    for name in ("cart", "search"):
        pod_without_network(cluster, name, "worker-2", f"failed to request IPv4 addresses: {USED_UP}")
    agent_crashes(cluster, "worker-2", words.STARTUP + words.CONNECTED + NO_TUNNEL_ADDRESS)
    return cluster
