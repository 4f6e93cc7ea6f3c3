"""Signs in the states of nodes and pods, and of the kubelet that reports them."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts, is_sick
from calivet.facts.fact import Setting
from calivet.facts.host import Swap, Unit
from calivet.facts.kubernetes import Condition, Node, Pod
from calivet.signs.sighting import Sighting


def find_node_not_ready(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node that is NotReady, in a list or in its conditions."""
    for node in cluster.all(Node):
        if node.ready is False:
            yield Sighting(line=node.at, node=node.name, values={"status": node.status or "NotReady"})
    for condition in cluster.all(Condition):
        if condition.kind == "node" and condition.type == "Ready" and condition.status != "True":
            yield Sighting(
                line=condition.at, node=condition.object or None, values={"status": condition.reason or "NotReady"}
            )


def find_kubelet_stopped_posting(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The control plane has not heard from the node's kubelet."""
    for condition in cluster.all(Condition):
        if condition.kind == "node" and condition.reason == "NodeStatusUnknown":
            yield Sighting(line=condition.at, node=condition.object or None)


def find_running_pods_on_silent_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods shown Running on a node whose kubelet no longer reports: the state is stale."""
    speaking = {
        condition.object
        for condition in cluster.all(Condition)
        if condition.kind == "node" and condition.type == "Ready" and condition.status == "False"
    }
    silent = {node.name for node in cluster.all(Node) if node.ready is False} - speaking
    for pod in cluster.all(Pod):
        if pod.node in silent and pod.status == "Running":
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name})


def find_kubelet_failing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kubelet's unit is down or restarting."""
    for unit in cluster.all(Unit):
        if unit.name == "kubelet" and (unit.active in ("failed", "inactive") or unit.sub == "auto-restart"):
            values = {"state": f"{unit.active} ({unit.sub})" if unit.sub else str(unit.active)}
            yield Sighting(line=unit.at, node=cluster.names.find_node_or_host(unit.host), values=values)


def find_swap_on_and_kubelet_failing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Swap is on where kubelet keeps failing."""
    failing = {sighting.node for sighting in find_kubelet_failing(cluster)}
    areas = [swap for swap in cluster.all(Swap) if swap.device]
    named = [swap for swap in areas if str(swap.device).startswith("/")]
    for swap in named or areas:
        node = cluster.names.find_node_or_host(swap.host)
        if node and node in failing:
            device = str(swap.device) if named else "space"
            yield Sighting(line=swap.at, node=node, values={"device": device, "node": node})


def find_swap_allowed(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kubelet is told to run with swap."""
    for setting in cluster.all(Setting):
        if setting.program == "kubelet" and setting.key == "failSwapOn" and str(setting.value).lower() == "false":
            yield Sighting(line=setting.at, node=cluster.names.node(setting.host))


_NOT_CREATED = (
    "Pending",
    "ContainerCreating",
    "CreateContainerError",
    "CreateContainerConfigError",
    "ErrImagePull",
    "ImagePullBackOff",
    "InvalidImageName",
    "Init:ErrImagePull",
    "Init:ImagePullBackOff",
    "Init:CreateContainerError",
    "Evicted",
)


def _build_pod_sighting(pod: Pod) -> Sighting:
    return Sighting(
        line=pod.at, node=pod.node, values={"pod": pod.name, "status": pod.status or "", "node": pod.node or ""}
    )


def find_calico_node_in_init(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A calico-node pod that has not got past its init containers."""
    for pod in cluster.pods("calico-node"):
        if (pod.status or "").startswith(("Init:", "PodInitializing")):
            yield _build_pod_sighting(pod)


def find_calico_node_crash_loop(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A calico-node pod that starts and ends again and again."""
    for pod in cluster.pods("calico-node"):
        if pod.status in ("CrashLoopBackOff", "Error", "Init:CrashLoopBackOff", "Init:Error", "RunContainerError"):
            yield _build_pod_sighting(pod)


def find_calico_node_not_ready(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A calico-node pod that runs but is not ready."""
    for pod in cluster.pods("calico-node"):
        if pod.status == "Running" and is_sick(pod):
            yield _build_pod_sighting(pod)


def find_pods_without_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods of others that wait for their network."""
    for pod in cluster.all(Pod):
        if pod.status in ("ContainerCreating", "Pending") and pod.node and cluster.role(pod) != "calico-node":
            yield _build_pod_sighting(pod)


def find_calico_node_not_created(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A calico-node pod none of whose containers has run."""
    for pod in cluster.pods("calico-node"):
        if pod.status in _NOT_CREATED:
            yield _build_pod_sighting(pod)


def find_kube_controllers_sick(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-kube-controllers in a bad state."""
    for pod in cluster.pods("kube-controllers"):
        if is_sick(pod):
            yield _build_pod_sighting(pod)


def find_dns_not_ready(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Cluster DNS pods in a bad state."""
    for pod in cluster.pods("dns"):
        if is_sick(pod):
            yield _build_pod_sighting(pod)


SIGNS = {
    "node-not-ready": find_node_not_ready,
    "kubelet-stopped-posting": find_kubelet_stopped_posting,
    "running-pods-on-silent-node": find_running_pods_on_silent_node,
    "kubelet-failing": find_kubelet_failing,
    "swap-on-and-kubelet-failing": find_swap_on_and_kubelet_failing,
    "swap-allowed": find_swap_allowed,
    "calico-node-not-created": find_calico_node_not_created,
    "kube-controllers-sick": find_kube_controllers_sick,
    "dns-not-ready": find_dns_not_ready,
    "calico-node-in-init": find_calico_node_in_init,
    "calico-node-crash-loop": find_calico_node_crash_loop,
    "calico-node-not-ready": find_calico_node_not_ready,
    "pods-without-address": find_pods_without_address,
}
