"""Two settings that are right alone and do harm together; and those that look so and do none."""

from __future__ import annotations

from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.operator import operator_install
from tests.e2e.scenarios.scenario import scenario

FELIX = ("default", "FelixConfiguration")


@scenario("bgp-config-wrong", sufficient=False)
def two_networks_and_no_tunnel() -> Cluster:
    """The pool goes without a tunnel, and two of the nodes are behind a router that nobody tells the routes to."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"] |= {"ipipMode": "Never", "vxlanMode": "Never"}
    for number in (2, 3):
        node = cluster.nodes[f"worker-{number}"]
        node.annotations["projectcalico.org/IPv4Address"] = f"{node.address}/28"
    for name in ("plane-1", "worker-1"):
        node = cluster.nodes[name]
        node.annotations["projectcalico.org/IPv4Address"] = f"{node.address}/28"
    return cluster


@scenario(None)
def two_networks_and_tunnels_between_them() -> Cluster:
    """The same with tunnels where a packet leaves its network."""
    cluster = two_networks_and_no_tunnel.build()
    cluster.custom("default-ipv4-ippool")["spec"]["vxlanMode"] = "CrossSubnet"
    return cluster


@scenario(None)
def a_node_listens_at_a_port_of_its_own() -> Cluster:
    """The mesh calls each node at the port that its own settings name."""
    cluster = healthy()
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=True, asNumber=64512),
        resource("BGPConfiguration", "node.worker-2", listenPort=1790),
    ]
    return cluster


@scenario("bgp-config-wrong")
def a_node_is_called_at_the_wrong_port() -> Cluster:
    """The peerings between two nodes were written by hand, with the usual port; one of the two listens elsewhere."""
    cluster = healthy(workers=1)
    plane, worker = cluster.nodes["plane-1"].address, cluster.nodes["worker-1"].address
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPConfiguration", "node.worker-1", listenPort=1790),
        resource("BGPPeer", "to-worker", node="plane-1", peerIP=f"{worker}:179", asNumber=64512),
        resource("BGPPeer", "to-plane", node="worker-1", peerIP=plane, asNumber=64512),
    ]
    return cluster


@scenario("bgp-password-mismatch", "plane-1", "worker-1")
def one_end_has_a_password() -> Cluster:
    """Of two peerings that belong together one was given a password."""
    cluster = healthy(workers=1)
    plane, worker = cluster.nodes["plane-1"].address, cluster.nodes["worker-1"].address
    secret = {"secretKeyRef": {"name": "bgp", "key": "password"}}
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "to-worker", node="plane-1", peerIP=worker, asNumber=64512, password=secret),
        resource("BGPPeer", "to-plane", node="worker-1", peerIP=plane, asNumber=64512),
    ]
    return cluster


@scenario("felix-config-invalid")
def felix_looks_after_other_interfaces() -> Cluster:
    """The prefix is one of OpenStack's, from a manual that was not meant for Kubernetes."""
    cluster = healthy()
    cluster.custom(*FELIX)["spec"]["interfacePrefix"] = "tap"
    return cluster


@scenario("iptables-backend-mismatch", sufficient=False)
def the_old_tables_on_a_new_system() -> Cluster:
    """Felix is told to use the legacy tables; the nodes' own tools use the new ones."""
    cluster = healthy()
    cluster.custom(*FELIX)["spec"]["iptablesBackend"] = "Legacy"
    return cluster


@scenario("felix-config-invalid")
def ebpf_beside_kube_proxy() -> Cluster:
    """kube-proxy was left running when eBPF was switched on, and Felix takes its rules away again and again."""
    cluster = healthy()
    cluster.custom(*FELIX)["spec"]["bpfEnabled"] = True
    return cluster


@scenario(None)
def ebpf_lets_kube_proxy_be() -> Cluster:
    """The same, and Felix is told to leave kube-proxy's rules alone: as the documentation advises."""
    cluster = ebpf_beside_kube_proxy.build()
    cluster.custom(*FELIX)["spec"]["bpfKubeProxyIptablesCleanupEnabled"] = False
    return cluster


@scenario("operator-misconfigured", also=("felix-config-invalid",))
def the_operator_and_felix_disagree() -> Cluster:
    """The Installation asks for eBPF; in Felix's settings somebody has switched it off."""
    cluster = operator_install()
    cluster.custom("default", "Installation")["spec"]["calicoNetwork"]["linuxDataplane"] = "BPF"
    cluster.custom(*FELIX)["spec"]["bpfEnabled"] = False
    return cluster
