"""Who exchanges routes with whom, where the mesh is off: as it should be, and with somebody left out."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy, saying
from tests.e2e.scenarios.scenario import scenario
from tests.e2e.scenarios.surroundings import config_map

REFLECTS = {"route-reflector": "true"}
CLUSTER_ID = "projectcalico.org/RouteReflectorClusterID"


def reflected(*reflectors: str, workers: int = 3) -> Cluster:
    """Without the mesh: every node is peered with these."""
    cluster = healthy(workers)
    for name in reflectors:
        cluster.nodes[name].labels |= REFLECTS
        cluster.nodes[name].annotations[CLUSTER_ID] = "244.0.0.1"
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "reflectors", nodeSelector="all()", peerSelector="route-reflector == 'true'"),
    ]
    return cluster


@scenario(None)
def two_reflectors_serve_everybody() -> Cluster:
    """Each node has two of them, they have each other, and both reflect."""
    return reflected("plane-1", "worker-1")


@scenario("bgp-config-wrong")
def a_reflector_does_not_reflect() -> Cluster:
    """It has its label and its sessions, and no cluster id: what it learns from one node it does not tell the others."""
    cluster = reflected("plane-1")
    del cluster.nodes["plane-1"].annotations[CLUSTER_ID]
    return cluster


@scenario("bgp-config-wrong", "worker-3")
def a_rack_was_forgotten() -> Cluster:
    """Each rack has a peering with its switch but the newest."""
    cluster = healthy()
    for node, rack in zip(cluster.nodes.values(), "aabc", strict=True):
        node.labels["rack"] = rack
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "rack-a", nodeSelector="rack == 'a'", peerIP="10.20.0.1", asNumber=64600),
        resource("BGPPeer", "rack-b", nodeSelector="rack == 'b'", peerIP="10.20.0.2", asNumber=64600),
    ]
    return cluster


@scenario("bgp-config-wrong")
def a_filter_lets_nothing_out() -> Cluster:
    """The only peering is with the switch, and its filter rejects every route that a node would tell it."""
    cluster = healthy()
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPFilter", "quiet", exportV4=[{"action": "Reject"}]),
        resource("BGPPeer", "rack", peerIP="10.20.0.1", asNumber=64600, filters=["quiet"]),
    ]
    return cluster


@scenario("bird-not-running", also=("route-programming-disagrees", "felix-config-invalid", "bgp-config-wrong"))
def tunnels_of_bgp_without_bgp() -> Cluster:
    """The backend was changed to VXLAN, the pool was not: nobody programs the routes of its tunnels."""
    cluster = healthy()
    settings = cluster.custom("calico-config")["data"]
    cluster.others.remove(cluster.custom("calico-config"))
    cluster.others.append(config_map("calico-config", settings | {"calico_backend": "vxlan"}))
    container = cluster.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]
    for probe, asks in (("livenessProbe", "-felix-live"), ("readinessProbe", "-felix-ready")):
        container[probe]["exec"]["command"] = ["/bin/calico-node", asks]
    return cluster


@scenario("wrong-ip-autodetected", "worker-2")
def a_bridge_was_taken_and_nobody_minds() -> Cluster:
    """The probe does not ask BIRD, so calico-node of the node that has a bridge's address is ready."""
    cluster = healthy()
    container = cluster.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]
    container["readinessProbe"]["exec"]["command"] = ["/bin/calico-node", "-felix-ready"]
    cluster.nodes["worker-2"].annotations["projectcalico.org/IPv4Address"] = "172.17.0.1/16"
    agent = cluster.agent("worker-2")
    taken = words.AGENT.replace("{address}/24", "172.17.0.1/16")
    agent["calico-node"].run(saying(taken, cluster.nodes["worker-2"], "docker0"), since=agent.created)
    return cluster
