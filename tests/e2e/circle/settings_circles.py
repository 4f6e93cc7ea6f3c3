"""Circles that are walked in the API server: settings of Calico's own resources and of its DaemonSet."""

from __future__ import annotations

from typing import Any

from tests.e2e.circle.circle import Circle
from tests.e2e.circle.live_cluster import LiveCluster
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import (
    agent_crashes,
    agent_is_not_ready,
    application,
    pod_without_network,
    probe_fails,
)
from tests.e2e.scenarios.calico_objects import pool, resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy, start
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.reaching import the_datastore_is_locked
from tests.e2e.scenarios.routing import a_bridge_was_taken_for_the_card
from tests.e2e.scenarios.starting import a_setting_cannot_be_read, the_role_lacks_a_resource

CALICO = "/apis/crd.projectcalico.org/v1"
PROXY = "http://proxy.example:3128"
PROXY_REFUSES = f"""
[INFO][9] startup/startup.go 454: Hit error connecting to datastore - retry error=Get "https://10.96.0.1:443/api/v1/nodes/foo": proxyconnect tcp: dial tcp: lookup {PROXY[7:-5]} on 10.20.0.2:53: no such host
... 1s
"""
NO_POOL = "failed to request IPv4 addresses: no configured Calico pools for node worker-1"
TIMED_OUT = 'Liveness probe failed: command timed out: "/bin/calico-node -felix-live -bird-live" timed out after 1s'


def small() -> Cluster:
    """Two workers are enough."""
    return healthy(workers=2)


def is_locked(cluster: LiveCluster) -> bool:
    """As Felix asks."""
    return cluster.get(f"{CALICO}/clusterinformations/default")["spec"]["datastoreReady"] is False


def takes_any_card(cluster: LiveCluster) -> bool:
    """The method is the first that is found, and a bridge came up first."""
    return cluster.variable("IP_AUTODETECTION_METHOD") is None


def record_address(cluster: LiveCluster) -> None:
    """calico-node writes down what it found when it starts."""
    address = "172.18.0.1/16" if takes_any_card(cluster) else "10.20.0.22/24"
    path = "/api/v1/nodes/worker-2"
    if cluster.get(path)["metadata"]["annotations"]["projectcalico.org/IPv4Address"] != address:
        patch = {"metadata": {"annotations": {"projectcalico.org/IPv4Address": address}}}
        cluster.bed.client.send("PATCH", path, patch, "application/merge-patch+json")


def a_proxy_is_set() -> Cluster:
    """Somebody gave calico-node the proxy by which the company reaches the internet."""
    cluster = small()
    cluster.environment(HTTPS_PROXY=PROXY)
    for node in cluster.nodes:
        agent_crashes(cluster, node, words.STARTUP + 9 * PROXY_REFUSES + words.END)
    return cluster


def no_pool_for_the_node() -> Cluster:
    """The only pool is for nodes with a label that none has."""
    return without_address(pool(nodeSelector='rack == "r9"'))


def the_pool_is_disabled() -> Cluster:
    """The only pool was switched off for a migration that nobody ended."""
    return without_address(pool(disabled=True))


def without_address(only_pool: dict[str, Any]) -> Cluster:
    """A pod waits for an address of this pool."""
    cluster = small()
    cluster.others = [one for one in cluster.others if one["kind"] != "IPPool"]
    cluster.others.append(only_pool)
    pod_without_network(cluster, "cart", "worker-1", NO_POOL)
    return cluster


def the_cart_runs() -> Cluster:
    """The pod that waited has its address."""
    cluster = small()
    pod = application(cluster, "cart", "worker-1")
    start(pod, cluster.nodes["worker-1"])
    return cluster


def selects_no_node(cluster: LiveCluster) -> bool:
    """As Calico's IPAM reads the pool."""
    return bool(cluster.get(f"{CALICO}/ippools/default-ipv4-ippool")["spec"]["nodeSelector"] != "all()")


def the_probe_is_too_short() -> Cluster:
    """An old manifest gave the probes one second."""
    cluster = small()
    container: dict[str, Any] = cluster.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]
    for probe in ("livenessProbe", "readinessProbe"):
        container[probe]["timeoutSeconds"] = 1
    for node in cluster.nodes:
        pod = cluster.agent(node)
        pod["calico-node"].died(words.AGENT, at=ago(minutes=4), code=137, times=6)
        pod["calico-node"].run(words.AGENT, since=ago(minutes=4))
        probe_fails(cluster, pod, TIMED_OUT)
    return cluster


def every_node_is_closed() -> Cluster:
    """A host endpoint for all nodes, and no policy that lets anything through."""
    cluster = small()
    cluster.others.append(resource("HostEndpoint", "all-workers", node="worker-1", interfaceName="*", expectedIPs=[]))
    cluster.nodes["worker-1"].stop_posting(since=ago(minutes=9))
    agent_is_not_ready(cluster, "worker-1", words.AGENT, "")
    return cluster


CIRCLES = (
    Circle(
        cause="datastore-not-ready-flag",
        sick=the_datastore_is_locked.build,
        well=small,
        is_broken=is_locked,
        steps=("Unlock the datastore",),
        good=r"^true$",
    ),
    Circle(
        cause="wrong-ip-autodetected",
        sick=a_bridge_was_taken_for_the_card.build,
        is_broken=takes_any_card,
        react=record_address,
        steps=("Set the method",),
        good="interface ens3",
        bad="nerdctl0",
    ),
    Circle(
        cause="http-proxy-env",
        sick=a_proxy_is_set,
        well=small,
        is_broken=lambda cluster: cluster.variable("HTTPS_PROXY") is not None,
        steps=("Remove the proxy from the DaemonSet",),
        check=1,
        good=r"^0$",
    ),
    Circle(
        cause="felix-config-invalid",
        sick=a_setting_cannot_be_read.build,
        well=small,
        is_broken=lambda cluster: "ssh" in (cluster.variable("FELIX_FAILSAFEINBOUNDHOSTPORTS") or ""),
        steps=("Set the variable that the log names",),
        by_hand="what the value should have been, only its author knows",
        edits="s/tcp:22,ssh/tcp:22/",
        good="Calico node started successfully",
        bad="Invalid \\(required\\)",
    ),
    Circle(
        cause="ip-pool-selection",
        sick=no_pool_for_the_node,
        well=the_cart_runs,
        is_broken=selects_no_node,
        steps=("Let the pool default-ipv4-ippool select every node",),
        good="No resources found",
    ),
    Circle(
        cause="ip-pool-selection",
        name="disabled",
        sick=the_pool_is_disabled,
        well=the_cart_runs,
        is_broken=lambda cluster: bool(cluster.get(f"{CALICO}/ippools/default-ipv4-ippool")["spec"].get("disabled")),
        steps=("Enable the pool default-ipv4-ippool",),
        good="No resources found",
    ),
    Circle(
        cause="probe-timeout-too-short",
        sick=the_probe_is_too_short,
        well=small,
        is_broken=lambda cluster: cluster.agent()["livenessProbe"]["timeoutSeconds"] == 1,
        steps=("Raise both timeouts to ten seconds",),
        good="No resources found|^$",
        bad="calico-node",
    ),
    Circle(
        cause="rbac-forbidden",
        sick=the_role_lacks_a_resource.build,
        well=small,
        is_broken=lambda cluster: not may_list_tiers(cluster),
        steps=("Allow what was refused",),
        good="^yes$",
    ),
)


def may_list_tiers(cluster: LiveCluster) -> bool:
    """As the API server itself judges."""
    asked = {"group": "crd.projectcalico.org", "resource": "tiers", "verb": "list"}
    spec = {"user": "system:serviceaccount:kube-system:calico-node", "resourceAttributes": asked}
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
    answer = cluster.bed.client.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
    return bool(answer["status"]["allowed"])
