"""A cluster in which all is well, the way its installer leaves it; scenarios begin here and break something."""

from __future__ import annotations

from typing import Any

from tests.e2e.scenarios import words
from tests.e2e.scenarios.address_books import blocks
from tests.e2e.scenarios.calico_objects import POOL, pool, settings
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.manifest import manifest
from tests.e2e.scenarios.node import Node
from tests.e2e.scenarios.pod import Pod
from tests.e2e.scenarios.roles import roles
from tests.e2e.scenarios.surroundings import cluster_services, cluster_settings

CALICO = "v3.30.4"
KUBERNETES = "v1.33.5"
NETWORK = "10.20.0"
CONTROL_PLANE = {
    "etcd": ("registry.k8s.io/etcd:3.5.21-0", words.ETCD),
    "kube-apiserver": (f"registry.k8s.io/kube-apiserver:{KUBERNETES}", words.APISERVER),
    "kube-controller-manager": (f"registry.k8s.io/kube-controller-manager:{KUBERNETES}", ""),
    "kube-scheduler": (f"registry.k8s.io/kube-scheduler:{KUBERNETES}", ""),
}


def healthy(
    workers: int = 3,
    *,
    control_plane: int = 1,
    pods: str = POOL,
    agent: dict[str, Any] | None = None,
    network: str = NETWORK,
) -> Cluster:
    """kubeadm with Calico's manifest; `pods` is the range of their addresses, `agent` a DaemonSet in place of the manifest's."""
    cluster = machines(workers, control_plane, network)
    daemonset = agent or manifest("calico-node", calico=CALICO)
    namespace = daemonset["metadata"]["namespace"]
    cluster.blocks = blocks(pods, cluster.nodes)
    for node in cluster.nodes.values():
        start(cluster.launch(daemonset, node), node)
        if held := cluster.blocks.get(node.name):
            node.annotations["projectcalico.org/IPv4IPIPTunnelAddr"] = str(held[0])
    if not agent:
        cluster.environment(CALICO_IPV4POOL_CIDR=pods)
    _networked(cluster, manifest("calico-kube-controllers", calico=CALICO, namespace=namespace))
    cluster.others += [pool(cidr=pods), *settings(CALICO), *cluster_settings(pods), *cluster_services(cluster)]
    cluster.others += roles(namespace)
    return cluster


def _networked(cluster: Cluster, controllers: dict[str, Any]) -> None:
    """What runs in the pod network: DNS and Calico's controllers, on the first workers."""
    hosts = [node for node in cluster.nodes.values() if not node.role][:2]
    dns = manifest("coredns")
    for workload, node in [*((dns, host) for host in hosts), (controllers, hosts[0])]:
        start(cluster.launch(workload, node, cluster.lease(node.name)), node)


def machines(workers: int, control_plane: int = 1, network: str = NETWORK) -> Cluster:
    """Kubernetes itself, without a pod network."""
    cluster = Cluster()
    for number in range(control_plane):
        name = f"plane-{number + 1}"
        cluster.nodes[name] = Node(name, f"{network}.{11 + number}", KUBERNETES, role="control-plane")
    for number in range(workers):
        name = f"worker-{number + 1}"
        cluster.nodes[name] = Node(name, f"{network}.{21 + number}", KUBERNETES)
    proxy = manifest("kube-proxy", kubernetes=KUBERNETES)
    static = {name: manifest("static-pod", name=name, image=image) for name, (image, _) in CONTROL_PLANE.items()}
    for node in cluster.nodes.values():
        node.annotations["projectcalico.org/IPv4Address"] = f"{node.address}/24"
        for workload in (proxy, *(static.values() if node.role else ())):
            start(cluster.launch(workload, node), node)
    return cluster


SAYINGS = {
    "upgrade-ipam": words.UPGRADE_IPAM,
    "install-cni": words.INSTALL_CNI,
    "mount-bpffs": words.MOUNT_BPFFS,
    "calico-node": words.AGENT,
    "calico-kube-controllers": words.KUBE_CONTROLLERS,
    "calico-typha": words.TYPHA,
    "tigera-operator": words.OPERATOR,
    "kube-proxy": words.KUBE_PROXY,
    "coredns": words.COREDNS,
} | {name: said for name, (_, said) in CONTROL_PLANE.items()}


def start(pod: Pod, node: Node) -> Pod:
    """Starts the pod, saying what a healthy one says."""
    pod.start({name: saying(text, node) for name, text in SAYINGS.items()})
    return pod


def saying(text: str, node: Node, interface: str = "ens3") -> str:
    """Fills in whose log it is."""
    values = {"node": node.name, "address": node.address, "version": CALICO, "interface": interface}
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
