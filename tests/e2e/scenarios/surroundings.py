"""What kubeadm and Calico's manifest leave beside the pods: settings, services and their endpoints."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.scenarios.cluster import Cluster

CNI = {
    "name": "k8s-pod-network",
    "cniVersion": "0.3.1",
    "plugins": [
        {
            "type": "calico",
            "datastore_type": "kubernetes",
            "nodename": "__KUBERNETES_NODE_NAME__",
            "mtu": "__CNI_MTU__",
        },
        {"type": "portmap", "snat": True, "capabilities": {"portMappings": True}},
    ],
}
KUBEADM = """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: kubernetes
networking:
  dnsDomain: cluster.local
  podSubnet: {pods}
  serviceSubnet: 10.96.0.0/12
"""
PROXY = """\
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clusterCIDR: {pods}
mode: ""
"""


def cluster_settings(pods: str = "10.244.0.0/16", *, mtu: str = "0") -> list[dict[str, Any]]:
    """The ConfigMaps that tell how the cluster was set up."""
    calico = {"typha_service_name": "none", "calico_backend": "bird", "veth_mtu": mtu}
    return [
        config_map("calico-config", calico | {"cni_network_config": json.dumps(CNI, indent=2)}),
        config_map("kubeadm-config", {"ClusterConfiguration": KUBEADM.format(pods=pods)}),
        config_map("kube-proxy", {"config.conf": PROXY.format(pods=pods)}),
    ]


def config_map(name: str, data: dict[str, str], namespace: str = "kube-system") -> dict[str, Any]:
    """Any ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


def cluster_services(cluster: Cluster) -> list[dict[str, Any]]:
    """The service of DNS, and whom it and the API server's service lead to."""
    planes = [node.address for node in cluster.nodes.values() if node.role]
    names = [pod.address or "" for pod in cluster.pods_of("coredns")]
    return [
        service("kube-dns", "10.96.0.10", {"k8s-app": "kube-dns"}, 53),
        endpoints("kube-dns", "kube-system", names, 53),
        endpoints("kubernetes", "default", planes, 6443),
    ]


def service(
    name: str, address: str, selector: dict[str, str], port: int, namespace: str = "kube-system"
) -> dict[str, Any]:
    """A service with one port."""
    ports = [{"name": name, "port": port, "targetPort": port, "protocol": "TCP"}]
    metadata = {"name": name, "namespace": namespace}
    spec = {"clusterIP": address, "selector": selector, "ports": ports}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def endpoints(name: str, namespace: str, addresses: list[str], port: int) -> dict[str, Any]:
    """Those behind a service; none where nobody is ready."""
    ready = {"addresses": [{"ip": address} for address in addresses], "ports": [{"name": name, "port": port}]}
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Endpoints", "metadata": metadata, "subsets": [ready] if addresses else []}
