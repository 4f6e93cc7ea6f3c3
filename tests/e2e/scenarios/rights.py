"""Every pod is ready, and somebody may not do what has to be done: accounts, packets, addresses behind a service."""

from __future__ import annotations

from typing import Any

from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.operator import SYSTEM, operator_install
from tests.e2e.scenarios.roles import binding
from tests.e2e.scenarios.scenario import scenario

IPAM = {"blockaffinities", "ipamblocks", "ipamhandles"}


@scenario("rbac-forbidden")
def the_plugin_may_not_write_its_books() -> Cluster:
    """The role of the CNI plugin was narrowed by hand: no pod that is created from now on gets an address."""
    cluster = healthy()
    for rule in cluster.custom("calico-cni-plugin", "ClusterRole")["rules"]:
        rule["resources"] = [one for one in rule["resources"] if one not in IPAM]
    return cluster


@scenario("rbac-forbidden")
def the_binding_names_another_account() -> Cluster:
    """calico-node's role is bound to an account of a namespace in which Calico does not live."""
    cluster = healthy()
    cluster.others.remove(cluster.custom("calico-node", "ClusterRoleBinding"))
    cluster.others.append(binding("calico-node", "calico-node", "calico-system"))
    return cluster


def policy(name: str, namespace: str, **spec: Any) -> dict[str, Any]:
    """A NetworkPolicy of Kubernetes."""
    about = {"name": name, "namespace": namespace}
    return {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": about, "spec": spec}


def calico_policy(name: str, namespace: str, **spec: Any) -> dict[str, Any]:
    """One of Calico's own, of a namespace."""
    made = resource("NetworkPolicy", name, **spec)
    made["metadata"]["namespace"] = namespace
    return made


@scenario("network-policy-blocks")
def the_name_servers_are_isolated() -> Cluster:
    """Somebody denied all ingress of kube-system, and the name servers are there."""
    cluster = healthy()
    cluster.others.append(policy("default-deny", "kube-system", podSelector={}, policyTypes=["Ingress"]))
    return cluster


@scenario("network-policy-blocks")
def the_name_servers_answer_one_namespace() -> Cluster:
    """A policy of Calico's for the name servers lets only the pods of monitoring in, at their metrics."""
    cluster = healthy()
    metrics = {
        "action": "Allow",
        "protocol": "TCP",
        "source": {"namespaceSelector": "projectcalico.org/name == 'monitoring'"},
        "destination": {"ports": [9153]},
    }
    cluster.others.append(
        calico_policy(
            "default.metrics", "kube-system", selector="k8s-app == 'kube-dns'", types=["Ingress"], ingress=[metrics]
        )
    )
    return cluster


@scenario(None)
def the_name_servers_answer_everybody() -> Cluster:
    """The same namespace is closed, and DNS is open to all: as it should be."""
    cluster = healthy()
    ports = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
    cluster.others += [
        policy("default-deny", "kube-system", podSelector={}, policyTypes=["Ingress"]),
        policy(
            "allow-dns",
            "kube-system",
            podSelector={"matchLabels": {"k8s-app": "kube-dns"}},
            policyTypes=["Ingress"],
            ingress=[{"ports": ports}],
        ),
    ]
    return cluster


@scenario("host-endpoint-policy", also=("network-policy-blocks",))
def the_hosts_are_shut() -> Cluster:
    """Every node has a host endpoint, the failsafe ports were emptied, and a policy for all denies everything."""
    cluster = healthy()
    cluster.custom("default", "FelixConfiguration")["spec"] |= {
        "failsafeInboundHostPorts": [],
        "failsafeOutboundHostPorts": [],
    }
    for node in cluster.nodes.values():
        made = resource(
            "HostEndpoint", f"{node.name}-all", node=node.name, interfaceName="*", expectedIPs=[node.address]
        )
        made["metadata"]["labels"] = {"host": "yes"}
        cluster.others.append(made)
    cluster.others.append(
        resource("GlobalNetworkPolicy", "default.hosts", selector="host == 'yes'", types=["Ingress", "Egress"])
    )
    return cluster


@scenario("typha-unreachable")
def nobody_is_behind_the_service_of_typha() -> Cluster:
    """Its selector has a typing error; who is connected stays so, and who starts anew finds no Typha."""
    cluster = operator_install()
    cluster.custom("calico-typha", "Service")["spec"]["selector"] = {"k8s-app": "calico-thypha"}
    cluster.custom("calico-typha", "Endpoints")["subsets"] = []
    assert cluster.custom("calico-typha", "Service")["metadata"]["namespace"] == SYSTEM
    return cluster


@scenario("service-vip-unreachable", also=("apiserver-down",), sufficient=False)
def the_api_service_leads_to_a_machine_that_is_gone() -> Cluster:
    """Of the two behind the API server's service one was taken out of the cluster: every second connection fails."""
    cluster = healthy()
    cluster.custom("kubernetes", "Endpoints")["subsets"][0]["addresses"].append({"ip": "10.20.0.12"})
    return cluster
