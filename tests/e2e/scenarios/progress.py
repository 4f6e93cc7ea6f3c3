"""What is under way, what is missing somewhere, and one sick node among many that are well."""

from __future__ import annotations

from tests.e2e.scenarios.ailments import NO_NETWORK
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.scenario import scenario

NOT_ASKED = (
    'Error creating: Internal error occurred: failed calling webhook "validate.policies.example": failed to call webhook: '
    'Post "https://policies.guard.svc:443/validate?timeout=10s": dial tcp 10.96.31.7:443: connect: connection refused'
)


@scenario("daemonset-not-scheduled", "worker-3")
def a_node_has_no_agent() -> Cluster:
    """The DaemonSet asks for a label that the newest node was not given; its old network still works."""
    cluster = healthy()
    spec = cluster.workloads["calico-node"]["spec"]["template"]["spec"]
    spec["nodeSelector"] = {"kubernetes.io/os": "linux", "network": "calico"}
    for node in cluster.nodes.values():
        if node.name != "worker-3":
            node.labels["network"] = "calico"
    cluster.pods.remove(cluster.agent("worker-3"))
    return cluster


@scenario(None, undecided=True)
def calico_node_is_rolling_out() -> Cluster:
    """One node after the other gets the new version; worker-2's turn began seconds ago."""
    cluster = healthy()
    pod = cluster.agent("worker-2")
    pod.created = ago(seconds=9)
    pod.hold("install-cni").run("", since=ago(seconds=4))
    cluster.workloads["calico-node"]["status"] = {"updatedNumberScheduled": 2}
    return cluster


@scenario(None, undecided=True)
def a_node_is_joining() -> Cluster:
    """It was added half a minute ago, and calico-node has yet to come up there."""
    cluster = healthy(workers=4)
    node = cluster.nodes["worker-4"]
    node.created = ago(seconds=32)
    node.not_ready(NO_NETWORK, since=ago(seconds=32))
    node.annotations.clear()
    pod = cluster.agent("worker-4")
    pod.created = ago(seconds=30)
    pod.hold("upgrade-ipam").wait("PodInitializing")
    cluster.pod("kube-proxy", "worker-4").created = ago(seconds=30)
    return cluster


@scenario("runtime-unresponsive", "worker-17")
def one_runtime_of_forty_is_down() -> Cluster:
    """All others are well, and nothing else is to be said of them."""
    cluster = healthy(workers=40)
    told = "[container runtime is down, PLEG is not healthy: pleg was last seen active 14m3.1s ago; threshold is 3m0s]"
    cluster.nodes["worker-17"].not_ready(told, since=ago(minutes=11))
    return cluster


@scenario(None, undecided=True, never=("apiserver-down", "service-vip-unreachable"))
def a_kubelet_refuses() -> Cluster:
    """The node is ready a moment ago and its kubelet refuses every connection: no log of calico-node can be had there."""
    cluster = healthy()
    cluster.nodes["worker-2"].kubelet.reach = "refused"
    return cluster


@scenario(
    "pod-security-forbidden", also=("daemonset-not-scheduled",), never=("apiserver-down", "service-vip-unreachable")
)
def a_guard_is_not_there() -> Cluster:
    """calico-node of worker-3 was evicted, and the webhook that must admit its successor does not answer."""
    cluster = healthy()
    cluster.pods.remove(cluster.agent("worker-3"))
    daemonset = cluster.workloads["calico-node"]
    daemonset["status"] = {"desiredNumberScheduled": len(cluster.nodes)}
    cluster.happened(daemonset, "FailedCreate", NOT_ASKED, times=31)
    return cluster
