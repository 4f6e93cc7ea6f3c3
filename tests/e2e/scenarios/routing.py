"""calico-node runs and its routes are wrong or missing: addresses, BGP sessions, packets that are too large."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import agent_crashes, agent_is_not_ready, sessions_down
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.scenario import scenario

UNKNOWN_PEER = "bird: BGP: Unexpected connect from unknown address 10.20.0.22 (port 38112)\n"
OTHER_AS = """
bird: Global_10_20_0_1: Error: Bad peer AS: 64601
... 6s
"""
ADDRESS_TAKEN = """
[INFO][9] startup/autodetection_methods.go 103: Using autodetected IPv4 address on interface ens3: 10.20.0.22/24
[INFO][9] startup/startup.go 558: Node IPv4 changed, will check for conflicts
[WARNING][9] startup/startup.go 910: Calico node 'worker-2' is already using the IPv4 address 10.20.0.22.
[INFO][9] startup/startup.go 397: Clearing out-of-date IPv4 address from this node IP="10.20.0.22/24"
"""
TOO_LARGE = """
[WARNING][48] felix/int_dataplane.go 1112: Configured MTU is larger than detected host interface MTU hostMTU=1500 mtu=8981
"""


@scenario("wrong-ip-autodetected", "worker-2")
def a_bridge_was_taken_for_the_card() -> Cluster:
    """A bridge of a container engine came up last, and its address was taken."""
    cluster = healthy()
    cluster.nodes["worker-2"].annotations["projectcalico.org/IPv4Address"] = "172.18.0.1/16"
    taken = words.AGENT.replace("{address}/24", "172.18.0.1/16")
    down = sessions_down("10.20.0.11", "10.20.0.21", "10.20.0.23")
    agent_is_not_ready(cluster, "worker-2", taken, down, interface="nerdctl0")
    other = cluster.agent("worker-1")
    other["calico-node"].run(3 * UNKNOWN_PEER, since=other.created)
    return cluster


@scenario("bgp-as-mismatch")
def the_router_is_of_another_as() -> Cluster:
    """The mesh is off, and the peer that was configured answers with another AS number."""
    cluster = healthy(workers=2)
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "rack-router", peerIP="10.20.0.1", asNumber=64600),
    ]
    for node in cluster.nodes:
        agent_is_not_ready(cluster, node, words.AGENT + 8 * OTHER_AS, sessions_down("10.20.0.1"))
    return cluster


@scenario("bgp-port-blocked", also=("firewall-on-host",), sufficient=False)
def the_bgp_port_is_filtered() -> Cluster:
    """No session comes up between any two nodes: every connection attempt goes unanswered."""
    cluster = healthy(workers=2)
    for name in cluster.nodes:
        peers = [node.address for node in cluster.nodes.values() if node.name != name]
        unanswered = [f"bird: Mesh_{peer.replace('.', '_')}: Socket error: Connection timed out\n" for peer in peers]
        agent_is_not_ready(cluster, name, words.AGENT + 4 * "".join(unanswered), sessions_down(*peers))
    return cluster


@scenario("duplicate-node-ip", "worker-2", "worker-3")
def two_nodes_claim_one_address() -> Cluster:
    """worker-3 was cloned from worker-2, and one of its cards still has that one's address."""
    cluster = healthy()
    agent_crashes(cluster, "worker-3", words.STARTUP + words.CONNECTED + ADDRESS_TAKEN + words.END)
    return cluster


@scenario("mtu-mismatch", sufficient=False)
def the_tunnel_is_wider_than_the_card() -> Cluster:
    """An MTU was set by hand that the network under it does not carry; everything looks well but for a warning."""
    cluster = healthy(workers=2)
    cluster.custom("calico-config")["data"]["veth_mtu"] = "8981"
    cluster.custom("default", "FelixConfiguration")["spec"]["ipipMTU"] = 8981
    for pod in cluster.pods_of("calico-node"):
        pod["calico-node"].run(TOO_LARGE, since=pod.created)
    return cluster
