"""Every pod is ready and traffic is broken all the same: the fault stands in the configuration alone."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy, saying
from tests.e2e.scenarios.scenario import scenario


@scenario("bgp-config-wrong")
def the_mesh_is_off_and_nobody_is_peered() -> Cluster:
    """The mesh was switched off for route reflectors that were never configured."""
    cluster = healthy()
    cluster.others.append(resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512))
    return cluster


@scenario("bgp-config-wrong")
def the_peers_select_no_node() -> Cluster:
    """The mesh is off, and the only peering selects by a label that no node carries."""
    cluster = healthy()
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False),
        resource("BGPPeer", "rack", nodeSelector="rack == 'r7'", peerIP="10.20.0.1", asNumber=64600),
    ]
    return cluster


@scenario("duplicate-node-ip", "worker-2", "worker-3")
def two_nodes_are_recorded_with_one_address() -> Cluster:
    """worker-3 was told worker-2's address by hand; both pods are ready."""
    cluster = healthy()
    cluster.nodes["worker-3"].annotations["projectcalico.org/IPv4Address"] = f"{cluster.nodes['worker-2'].address}/24"
    return cluster


@scenario("network-policy-blocks")
def everything_is_denied_and_dns_with_it() -> Cluster:
    """A global policy denies all egress of all pods and leaves no way to the name servers."""
    cluster = healthy()
    cluster.others.append(
        resource("GlobalNetworkPolicy", "default.deny-all", order=2000, selector="all()", types=["Ingress", "Egress"])
    )
    return cluster


@scenario("network-policy-blocks")
def nobody_may_ask_the_name_servers() -> Cluster:
    """A global policy without types or rules: it denies all ingress, and the name servers are pods too."""
    cluster = healthy()
    cluster.others.append(resource("GlobalNetworkPolicy", "default.quarantine", selector="all()"))
    return cluster


@scenario("network-policy-blocks")
def lookups_are_forbidden_by_a_rule() -> Cluster:
    """Applications may go anywhere but to port 53, which was closed for a resolver outside."""
    cluster = healthy()
    closed = {"action": "Deny", "protocol": "UDP", "destination": {"ports": [53]}}
    cluster.others.append(
        resource("GlobalNetworkPolicy", "default.no-dns", selector="all()", egress=[closed, {"action": "Allow"}])
    )
    return cluster


APPLICATIONS = "has(projectcalico.org/name) && projectcalico.org/name not in {'kube-system','calico-system'}"


@scenario(None)
def everything_else_is_denied() -> Cluster:
    """The same for applications only, and DNS is let through for them before it."""
    cluster = healthy()
    cluster.others += [
        resource(
            "GlobalNetworkPolicy",
            "default.allow-dns",
            order=100,
            # Of all pods it would shut off the name servers too: whom a policy selects may do no more than that.
            namespaceSelector=APPLICATIONS,
            types=["Egress"],
            egress=[
                {
                    "action": "Allow",
                    "protocol": "UDP",
                    "destination": {"selector": "k8s-app == 'kube-dns'", "ports": [53]},
                }
            ],
        ),
        resource(
            "GlobalNetworkPolicy",
            "default.deny-app",
            order=2000,
            namespaceSelector=APPLICATIONS,
            types=["Ingress", "Egress"],
        ),
    ]
    return cluster


@scenario("felix-config-invalid", also=("overlay-blocked", "ip-pool-selection"))
def felix_has_ipip_switched_off() -> Cluster:
    """The pool wants IPIP and Felix is told not to have it."""
    cluster = healthy()
    cluster.custom("default", "FelixConfiguration")["spec"]["ipipEnabled"] = False
    return cluster


@scenario("stale-node-record", also=("ipam-inconsistent",))
def blocks_of_a_node_that_is_gone() -> Cluster:
    """A node was deleted from Kubernetes months ago; its blocks, with addresses in use, are still there."""
    cluster = healthy()
    gone = cluster.nodes.pop("worker-3")
    cluster.pods = [pod for pod in cluster.pods if pod.node != gone.name]
    return cluster


@scenario("service-vip-unreachable")
def nobody_programs_services() -> Cluster:
    """kube-proxy was removed for eBPF, which was never switched on."""
    cluster = healthy()
    cluster.remove("kube-proxy")
    del cluster.workloads["kube-proxy"]
    return cluster


@scenario("ip-pool-selection", also=("ip-pool-exhausted",))
def the_only_pool_is_disabled() -> Cluster:
    """Nobody can get an address any more; whoever has one keeps it."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["disabled"] = True
    return cluster


@scenario("ip-pool-selection")
def the_only_pool_selects_no_node() -> Cluster:
    """Its selector asks for a label that no node carries."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["nodeSelector"] = "zone == 'west'"
    return cluster


@scenario("ip-pool-cidr-overlap")
def the_pool_contains_the_services() -> Cluster:
    """Pods get addresses of the service range."""
    return healthy(pods="10.96.0.0/16")


@scenario("ip-pool-cidr-overlap")
def the_pool_contains_the_nodes() -> Cluster:
    """Pods get addresses of the network that the nodes themselves are in."""
    return healthy(pods="10.20.0.0/16")


@scenario("pod-cidr-mismatch", also=("ip-pool-cidr-overlap",))
def the_pool_is_not_the_pod_subnet() -> Cluster:
    """kubeadm was given another range than Calico, and kube-proxy takes pods for strangers."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["cidr"] = "192.168.0.0/16"
    return cluster


@scenario("wireguard-failed", "worker-2")
def encryption_is_asked_of_a_kernel_without_it() -> Cluster:
    """Every pod is ready, and what worker-2 sends to the others is not encrypted."""
    cluster = healthy()
    cluster.custom("default", "FelixConfiguration")["spec"]["wireguardEnabled"] = True
    agent = cluster.agent("worker-2")
    said = words.AGENT + "[INFO][52] felix/wireguard.go 1520: Wireguard is not supported\n"
    agent["calico-node"].run(saying(said, cluster.nodes["worker-2"]), since=agent.created)
    return cluster


@scenario("bgp-config-wrong")
def a_peering_was_written_at_one_end_only() -> Cluster:
    """The mesh is off, and the one peering between nodes is worker-1's own."""
    cluster = healthy()
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "one-way", node="worker-1", peerIP=cluster.nodes["worker-2"].address, asNumber=64512),
    ]
    return cluster


@scenario(None)
def every_node_is_peered_with_the_router() -> Cluster:
    """The mesh is off because the switch of the rack exchanges the routes: as the documentation advises."""
    cluster = healthy()
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "rack", peerIP="10.20.0.1", asNumber=64600),
    ]
    return cluster


@scenario("felix-config-invalid", "worker-2")
def a_node_has_another_port_for_vxlan() -> Cluster:
    """A setting of one node's own was left behind; its tunnel meets no other."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"] |= {"ipipMode": "Never", "vxlanMode": "Always"}
    cluster.others.append(resource("FelixConfiguration", "node.worker-2", vxlanPort=8472))
    return cluster
