"""Every pod is ready, and what is wrong stands in settings: of pools, peers, nodes, accounts, of the plugin and of Felix."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import application
from tests.e2e.scenarios.calico_objects import pool, resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy, start
from tests.e2e.scenarios.manifest import manifest
from tests.e2e.scenarios.rights import policy
from tests.e2e.scenarios.scenario import scenario
from tests.e2e.scenarios.surroundings import KUBEADM, PROXY


def felix(node: str, **spec: Any) -> dict[str, Any]:
    """Settings of one node."""
    return resource("FelixConfiguration", f"node.{node}", **spec)


def change_plugin(cluster: Cluster, **settings: Any) -> None:
    """In the configuration that is written to every node."""
    data = cluster.custom("calico-config", "ConfigMap")["data"]
    told = json.loads(data["cni_network_config"])
    told["plugins"][0] |= settings
    data["cni_network_config"] = json.dumps(told, indent=2)


def use_vxlan(cluster: Cluster) -> None:
    """Pools and nodes of a cluster whose pods are reached by VXLAN."""
    cluster.custom("default-ipv4-ippool")["spec"] |= {"ipipMode": "Never", "vxlanMode": "Always"}
    for node in cluster.nodes.values():
        if told := node.annotations.pop("projectcalico.org/IPv4IPIPTunnelAddr", None):
            node.annotations["projectcalico.org/IPv4VXLANTunnelAddr"] = told


@scenario("felix-config-invalid", "worker-2", also=("overlay-blocked", "ip-pool-selection"))
def one_felix_has_vxlan_switched_off() -> Cluster:
    """One node's own settings take the tunnel away that the pool asks for."""
    cluster = healthy()
    use_vxlan(cluster)
    cluster.others.append(felix("worker-2", vxlanEnabled=False))
    return cluster


@scenario("bgp-config-wrong", also=("ip-pool-selection", "route-programming-disagrees"))
def the_routes_of_the_pool_are_not_exported() -> Cluster:
    """No node tells another of its block."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["disableBGPExport"] = True
    return cluster


@scenario("route-programming-disagrees", also=("bgp-config-wrong", "felix-config-invalid"))
def nobody_is_to_program_the_routes() -> Cluster:
    """Felix is told to leave the routes to BIRD, and BIRD to leave them to Felix (3.31)."""
    cluster = healthy()
    text = json.dumps(cluster.workloads["calico-node"]).replace("v3.30.4", "v3.31.2")
    cluster.workloads["calico-node"].update(json.loads(text))
    template = cluster.workloads["calico-node"]["spec"]["template"]
    for pod in cluster.pods:
        if pod.name.startswith("calico-node"):
            pod.template = template
            for one in pod.containers.values():
                one.image = one.image.replace("v3.30.4", "v3.31.2")
    cluster.custom("default", "ClusterInformation")["spec"]["calicoVersion"] = "v3.31.2"
    cluster.custom("default", "FelixConfiguration")["spec"]["programClusterRoutes"] = "Disabled"
    cluster.others.append(
        resource(
            "BGPConfiguration", "default", nodeToNodeMeshEnabled=True, asNumber=64512, programClusterRoutes="Disabled"
        )
    )
    return cluster


@scenario("network-policy-blocks")
def a_tier_ends_before_lookups() -> Cluster:
    """A tier whose only policy is for all pods and allows web traffic: what it does not allow ends with the tier."""
    cluster = healthy()
    web = {"action": "Allow", "protocol": "TCP", "destination": {"ports": [80, 443]}}
    cluster.others += [
        resource("Tier", "security", order=100, defaultAction="Deny"),
        resource("Tier", "default", order=1000000, defaultAction="Deny"),
        resource(
            "GlobalNetworkPolicy",
            "security.web",
            tier="security",
            order=10,
            selector="all()",
            types=["Ingress", "Egress"],
            ingress=[web],
            egress=[web],
        ),
    ]
    return cluster


@scenario("ip-pool-selection", also=("pod-cidr-mismatch", "ipam-inconsistent"))
def the_pods_are_in_no_pool() -> Cluster:
    """The pool was replaced by another range; the pods that ran before keep addresses that no pool knows."""
    cluster = healthy()
    new = "10.57.0.0/16"
    cluster.others.remove(cluster.custom("default-ipv4-ippool"))
    cluster.others.append(pool("new-pool", new))
    cluster.custom("kubeadm-config")["data"]["ClusterConfiguration"] = KUBEADM.format(pods=new)
    cluster.custom("kube-proxy", "ConfigMap")["data"]["config.conf"] = PROXY.format(pods=new)
    cluster.environment(CALICO_IPV4POOL_CIDR=new)
    return cluster


@scenario("ipam-inconsistent")
def two_pods_have_one_address() -> Cluster:
    """Both run, on different nodes, in a namespace that is nobody's machinery."""
    cluster = healthy()
    first = application(cluster, "cart", "worker-1")
    start(first, cluster.nodes["worker-1"])
    second = application(cluster, "basket", "worker-2")
    start(second, cluster.nodes["worker-2"])
    second.address = first.address
    return cluster


@scenario("ip-pool-selection", also=("ip-request-invalid",))
def the_plugin_names_a_pool_that_is_not_there() -> Cluster:
    """Its configuration was written for another cluster: no new pod gets an address."""
    cluster = healthy()
    change_plugin(cluster, ipam={"type": "calico-ipam", "ipv4_pools": ["production-pool"]})
    return cluster


@scenario("ip-pool-selection", "worker-3")
def a_node_without_a_zone_has_no_pool() -> Cluster:
    """Each zone has a pool, and one node was never told its zone."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["nodeSelector"] = "zone == 'north'"
    cluster.others.append(pool("south-pool", "10.57.0.0/16", nodeSelector="zone == 'south'"))
    for name in ("plane-1", "worker-1"):
        cluster.nodes[name].labels["zone"] = "north"
    cluster.nodes["worker-2"].labels["zone"] = "south"
    return cluster


@scenario("service-vip-unreachable", "worker-2", also=("daemonset-not-scheduled",))
def kube_proxy_is_kept_from_a_node() -> Cluster:
    """Its DaemonSet asks for a label that one node lacks; what is there is ready."""
    cluster = healthy()
    cluster.workloads["kube-proxy"]["spec"]["template"]["spec"]["nodeSelector"]["pool"] = "standard"
    for node in cluster.nodes.values():
        if node.name != "worker-2":
            node.labels["pool"] = "standard"
    cluster.pods.remove(cluster.pod("kube-proxy", "worker-2"))
    return cluster


@scenario("rbac-forbidden")
def the_tokens_cannot_be_renewed() -> Cluster:
    """calico-node may not make tokens for the plugin: its kubeconfig expires within a day."""
    cluster = healthy()
    role = cluster.custom("calico-node", "ClusterRole")
    role["rules"] = [rule for rule in role["rules"] if "serviceaccounts/token" not in rule["resources"]]
    return cluster


@scenario("bgp-as-mismatch", also=("bgp-config-wrong",))
def they_call_a_node_by_another_as() -> Cluster:
    """Peers by address: the node at the other end has the cluster's AS, and the peering names another."""
    cluster = healthy()
    cluster.others += [
        resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512),
        resource("BGPPeer", "to-the-hub", nodeSelector="!has(hub)", peerIP="10.20.0.11", asNumber=65012),
        resource("BGPPeer", "from-the-hub", nodeSelector="has(hub)", peerSelector="!has(hub)"),
    ]
    cluster.nodes["plane-1"].labels["hub"] = "yes"
    cluster.nodes["plane-1"].annotations["projectcalico.org/RouteReflectorClusterID"] = "244.0.0.1"
    return cluster


@scenario("network-policy-blocks")
def the_name_servers_may_only_ask_for_names() -> Cluster:
    """They cannot reach the API server, so they know no new service."""
    cluster = healthy()
    ports = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
    cluster.others.append(
        policy(
            "dns-upstream",
            "kube-system",
            podSelector={"matchLabels": {"k8s-app": "kube-dns"}},
            policyTypes=["Egress"],
            egress=[{"ports": ports}],
        )
    )
    return cluster


@scenario("felix-config-invalid", "worker-1", also=("vxlan-device-conflict", "overlay-blocked"))
def one_node_speaks_in_another_network() -> Cluster:
    """Its packets carry another VXLAN number than those of all others."""
    cluster = healthy()
    use_vxlan(cluster)
    cluster.others.append(felix("worker-1", vxlanVNI=5000))
    return cluster


@scenario("pod-cidr-mismatch", undecided=True)
def kube_proxy_takes_pods_for_strangers() -> Cluster:
    """Its clusterCIDR is another range than the pool and podSubnet: it masks what pods send to services."""
    cluster = healthy()
    cluster.custom("kube-proxy", "ConfigMap")["data"]["config.conf"] = PROXY.format(pods="10.32.0.0/12")
    return cluster


@scenario("host-endpoint-policy", "worker-1")
def one_host_has_an_endpoint_and_nothing_for_it() -> Cluster:
    """Neither policy nor profile: all but the failsafe ports is dropped."""
    cluster = healthy()
    cluster.others.append(
        resource("HostEndpoint", "worker-1-ens3", node="worker-1", interfaceName="ens3", expectedIPs=["10.20.0.21"])
    )
    return cluster


@scenario("cni-config-conflict", undecided=True)
def flannel_runs_beside_it() -> Cluster:
    """Nobody took it away when Calico came; which of the two a pod gets is decided by the names of two files."""
    cluster = healthy()
    text = json.dumps(manifest("kube-proxy", kubernetes="v1.33.5"))
    text = text.replace("registry.k8s.io/kube-proxy:v1.33.5", "ghcr.io/flannel-io/flannel:v0.26.7")
    flannel = json.loads(text.replace("kube-proxy", "kube-flannel-ds"))
    flannel["metadata"]["namespace"] = "kube-flannel"
    flannel["spec"]["template"]["spec"]["containers"][0]["command"] = [
        "/opt/bin/flanneld",
        "--ip-masq",
        "--kube-subnet-mgr",
    ]
    for node in cluster.nodes.values():
        cluster.launch(flannel, node).start(
            {"kube-flannel-ds": "I0101 10:00:00.000000       1 main.go:464] Running backend.\n"}
        )
    cluster.others.append(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "kube-flannel-cfg", "namespace": "kube-flannel"},
            "data": {"net-conf.json": '{"Network": "10.244.0.0/16", "Backend": {"Type": "vxlan"}}'},
        }
    )
    return cluster


@scenario("ip-block-limit", "worker-1", also=("ip-pool-exhausted",), sufficient=False)
def the_block_is_full_and_no_other_allowed() -> Cluster:
    """Strict, one block for a node, and one node has given all its addresses away."""
    cluster = healthy()
    cluster.others.append(
        resource("IPAMConfig", "default", strictAffinity=True, maxBlocksPerHost=1, autoAllocateBlocks=True)
    )
    for number in range(61):
        start(application(cluster, f"web-{number}", "worker-1"), cluster.nodes["worker-1"])
    return cluster


@scenario("version-incompatible")
def the_plugin_is_years_older() -> Cluster:
    """Only the image of calico-node was changed by hand; the plugin is 3.12."""
    cluster = healthy()
    for container in cluster.workloads["calico-node"]["spec"]["template"]["spec"]["initContainers"]:
        container["image"] = container["image"].replace("calico/cni:v3.30.4", "calico/cni:v3.12.3")
    for pod in cluster.pods_of("calico-node"):
        for one in pod.containers.values():
            one.image = one.image.replace("calico/cni:v3.30.4", "calico/cni:v3.12.3")
    return cluster


@scenario("ipv6-host-mismatch", also=("felix-config-invalid", "no-ip-autodetected"), sufficient=False)
def the_second_family_is_promised_only() -> Cluster:
    """Pods are to have IPv6 addresses too, and no node has one for Calico, and Felix does not do IPv6."""
    cluster = healthy()
    six = "fd7a:244::/48"
    change_plugin(cluster, ipam={"type": "calico-ipam", "assign_ipv4": "true", "assign_ipv6": "true"})
    cluster.others.append(
        pool("default-ipv6-ippool", six, blockSize=122, ipipMode="Never", vxlanMode="Never", natOutgoing=False)
    )
    both = f"10.244.0.0/16,{six}"
    cluster.custom("kubeadm-config")["data"]["ClusterConfiguration"] = KUBEADM.format(pods=both)
    return cluster


@scenario(None)
def vxlan_without_bgp() -> Cluster:
    """Nobody needs a session: the mesh is off, BIRD does not run, Felix makes the routes."""
    cluster = healthy()
    use_vxlan(cluster)
    cluster.custom("calico-config")["data"]["calico_backend"] = "vxlan"
    cluster.custom("default", "ClusterInformation")["spec"]["clusterType"] = "k8s,kubeadm,kdd"
    cluster.environment(CLUSTER_TYPE="k8s", CALICO_IPV4POOL_IPIP="Never", CALICO_IPV4POOL_VXLAN="Always")
    cluster.others.append(resource("BGPConfiguration", "default", nodeToNodeMeshEnabled=False, asNumber=64512))
    container = cluster.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]
    container["livenessProbe"]["exec"]["command"] = ["/bin/calico-node", "-felix-live"]
    container["readinessProbe"]["exec"]["command"] = ["/bin/calico-node", "-felix-ready"]
    quiet = "\n".join(line for line in words.AGENT.splitlines() if "bird" not in line.lower() and "confd" not in line)
    for pod in cluster.pods_of("calico-node"):
        node = cluster.nodes[pod.node]
        start(pod, node)
        pod["calico-node"].run(
            quiet.replace("{node}", node.name)
            .replace("{address}", node.address)
            .replace("{version}", "v3.30.4")
            .replace("{interface}", "ens3"),
            since=pod.created,
        )
    return cluster


@scenario(None)
def an_old_pool_is_being_left() -> Cluster:
    """As the documentation of Calico has it: a new pool, the old one disabled, pods move when they are restarted."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["disabled"] = True
    cluster.others.append(pool("new-pool", "10.245.0.0/16"))
    both = "10.244.0.0/15"
    cluster.custom("kubeadm-config")["data"]["ClusterConfiguration"] = KUBEADM.format(pods=both)
    cluster.custom("kube-proxy", "ConfigMap")["data"]["config.conf"] = PROXY.format(pods=both)
    return cluster


@scenario(None)
def a_variable_overrules_the_configuration() -> Cluster:
    """FelixConfiguration says no IPIP, and the environment, which goes before it, says yes."""
    cluster = healthy()
    cluster.custom("default", "FelixConfiguration")["spec"]["ipipEnabled"] = False
    cluster.environment(FELIX_IPINIPENABLED="true")
    return cluster


@scenario(None)
def denied_by_default_as_documented() -> Cluster:
    """All but the system's namespaces is denied, lookups are not."""
    cluster = healthy()
    dns = {
        "selector": 'k8s-app == "kube-dns"',
        "namespaceSelector": 'projectcalico.org/name == "kube-system"',
        "ports": [53],
    }
    cluster.others.append(
        resource(
            "GlobalNetworkPolicy",
            "deny-app-policy",
            namespaceSelector='has(projectcalico.org/name) && projectcalico.org/name not in {"kube-system", "calico-system", "calico-apiserver"}',
            types=["Ingress", "Egress"],
            egress=[{"action": "Allow", "protocol": protocol, "destination": dns} for protocol in ("UDP", "TCP")],
        )
    )
    start(application(cluster, "cart", "worker-1"), cluster.nodes["worker-1"])
    return cluster


@scenario(None)
def recorded_alone_and_always_tunnelled() -> Cluster:
    """As in a cloud: each node is alone in its network, so CrossSubnet means tunnels between all."""
    cluster = healthy()
    cluster.custom("default-ipv4-ippool")["spec"]["ipipMode"] = "CrossSubnet"
    for node in cluster.nodes.values():
        node.annotations["projectcalico.org/IPv4Address"] = f"{node.address}/32"
    return cluster
