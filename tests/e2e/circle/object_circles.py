"""Circles in which the API server and its controllers themselves refuse, hold back or let through."""

from __future__ import annotations

from typing import Any

from tests.e2e.circle.circle import Circle
from tests.e2e.circle.live_cluster import LiveCluster
from tests.e2e.circle.settings_circles import CALICO, small
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import NO_NETWORK, UNREADY, agent_crashes, agent_is_not_ready, sessions_down
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.operator import operator_install
from tests.e2e.scenarios.reaching import NO_TYPHA
from tests.e2e.scenarios.routing import ADDRESS_TAKEN
from tests.e2e.scenarios.starting import a_taint_is_not_tolerated

SYSTEM = "/api/v1/namespaces/calico-system"
ENFORCED = "pod-security.kubernetes.io/enforce"
RECORD = "projectcalico.org/IPv4Address"
SERVED = "/apis/apiregistration.k8s.io/v1/apiservices"
ACCOUNTS = "/api/v1/namespaces/kube-system/serviceaccounts"
MERGE = "application/merge-patch+json"
UNAUTHORIZED = """
[INFO][1] cni-installer/install.go 122: Running as a Kubernetes pod
[ERROR][1] cni-installer/token_watch.go 108: Unable to create token for CNI kubeconfig error=Unauthorized
[FATAL][1] cni-installer/install.go 502: Unable to create token for CNI kubeconfig error=Unauthorized
"""


def tolerates_little(cluster: LiveCluster) -> bool:
    """As the controller reads the DaemonSet."""
    spec = cluster.get("/apis/apps/v1/namespaces/kube-system/daemonsets/calico-node")["spec"]["template"]["spec"]
    return all("key" in one for one in spec["tolerations"])


def nothing_is_admitted() -> Cluster:
    """There is no pod of calico-node at all; who refuses them is the API server."""
    cluster = operator_install(workers=2)
    cluster.remove("calico-node")
    for node in cluster.nodes.values():
        node.not_ready(NO_NETWORK, since=ago(minutes=22))
    return cluster


def enforce(level: str | None) -> Any:
    """What the namespace of Calico demands of pods."""
    patch = {"metadata": {"labels": {ENFORCED: level}}}
    return lambda cluster: cluster.bed.client.send("PATCH", SYSTEM, patch, MERGE)


def is_enforced(cluster: LiveCluster) -> bool:
    """As the admission reads it."""
    return bool(cluster.get(SYSTEM)["metadata"]["labels"].get(ENFORCED) == "restricted")


def remove_agents(cluster: LiveCluster) -> None:
    """Pods that were admitted stay; only new ones are refused."""
    for pod in cluster.get(f"{SYSTEM}/pods")["items"]:
        name = pod["metadata"]["name"]
        if name.startswith("calico-node"):
            cluster.bed.client.request("DELETE", f"{SYSTEM}/pods/{name}", {"gracePeriodSeconds": 0})


def typha_is_gone() -> Cluster:
    """Typha was removed, and the variable that names it was left."""
    cluster = small()
    cluster.environment(FELIX_TYPHAK8SSERVICENAME="calico-typha")
    log = words.STARTUP + words.CONNECTED + words.ADDRESS + 10 * NO_TYPHA
    for node in cluster.nodes:
        agent_is_not_ready(cluster, node, log, UNREADY)
    return cluster


def a_record_is_stale() -> Cluster:
    """worker-2 was given another address, and its record still has the old one, which worker-3 got."""
    cluster = healthy()
    cluster.nodes["worker-2"].annotations[RECORD] = "10.20.0.23/24"
    taken = ADDRESS_TAKEN.replace("10.20.0.22", "10.20.0.23")
    agent_crashes(cluster, "worker-3", words.STARTUP + words.CONNECTED + taken + words.END)
    return cluster


def is_stale(cluster: LiveCluster) -> bool:
    """As calico-node of worker-3 looks for conflicts."""
    return bool(cluster.get("/api/v1/nodes/worker-2")["metadata"]["annotations"].get(RECORD) == "10.20.0.23/24")


def a_node_is_closed() -> Cluster:
    """A host endpoint for one node, and no policy that lets the kubelet through."""
    cluster = small()
    cluster.others.append(resource("HostEndpoint", "worker-1-all", node="worker-1", interfaceName="*"))
    cluster.nodes["worker-1"].stop_posting(since=ago(minutes=9))
    agent_is_not_ready(cluster, "worker-1", words.AGENT, UNREADY)
    return cluster


def holds(path: str) -> Any:
    """Whether the API server has this object."""

    def ask(cluster: LiveCluster) -> bool:
        status, _ = cluster.bed.client.request("GET", path)
        return status == 200

    return ask


def serve_v3_from_nowhere(cluster: LiveCluster) -> None:
    """The aggregation is still announced, and nobody stands behind it."""
    spec = {
        "group": "projectcalico.org",
        "version": "v3",
        "groupPriorityMinimum": 1500,
        "versionPriority": 200,
        "insecureSkipTLSVerify": True,
        "service": {"name": "calico-api", "namespace": "calico-apiserver"},
    }
    about = {"name": "v3.projectcalico.org"}
    made = {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": about, "spec": spec}
    cluster.bed.client.send("POST", SERVED, made)


def stop_serving(cluster: LiveCluster) -> None:
    """Whatever is left of it."""
    cluster.bed.client.request("DELETE", f"{SERVED}/v3.projectcalico.org")


def terminate_account(cluster: LiveCluster) -> None:
    """It is deleted, and somebody must still remove its finalizer."""
    about = {"name": "calico-node", "finalizers": ["tigera.io/cni-protector"]}
    cluster.bed.client.send("POST", ACCOUNTS, {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": about})
    cluster.bed.client.send("DELETE", f"{ACCOUNTS}/calico-node", None)


def is_terminating(cluster: LiveCluster) -> bool:
    """Its tokens are not accepted any more; without it there are none."""
    status, body = cluster.bed.client.request("GET", f"{ACCOUNTS}/calico-node")
    return status != 200 or b"deletionTimestamp" in body


def has_finalizer(cluster: LiveCluster) -> bool:
    """There is an account, and it would be held back when it is deleted."""
    status, body = cluster.bed.client.request("GET", f"{ACCOUNTS}/calico-node")
    return status == 200 and b"tigera.io/cni-protector" in body and b"deletionTimestamp" not in body


def remove_account(cluster: LiveCluster) -> None:
    """Whatever is left of it."""
    path = f"{ACCOUNTS}/calico-node"
    cluster.bed.client.request("PATCH", path, {"metadata": {"finalizers": None}}, MERGE)
    cluster.bed.client.request("DELETE", path)


def nobody_may_log_in() -> Cluster:
    """The tokens of the account that is being deleted are refused."""
    cluster = small()
    for node in cluster.nodes:
        agent_crashes(cluster, node, UNAUTHORIZED, container="install-cni")
    return cluster


INSTALLATION = "/apis/operator.tigera.io/v1/installations/default"


def a_bridge_was_taken_by_the_operator() -> Cluster:
    """The same on a cluster that the operator keeps: its Installation says that the first address will do."""
    cluster = operator_install()
    taken = words.AGENT.replace("{address}/24", "172.18.0.1/16")
    cluster.nodes["worker-2"].annotations[RECORD] = "172.18.0.1/16"
    down = sessions_down("10.20.0.11", "10.20.0.21", "10.20.0.23")
    agent_is_not_ready(cluster, "worker-2", taken, down, interface="nerdctl0")
    return cluster


def takes_the_first(cluster: LiveCluster) -> bool:
    """As the operator reads the Installation; with two methods it would degrade."""
    methods = cluster.get(INSTALLATION)["spec"]["calicoNetwork"]["nodeAddressAutodetectionV4"]
    assert len(methods) == 1, methods
    return "firstFound" in methods


def record_address(cluster: LiveCluster) -> None:
    """calico-node writes down what it found when it starts."""
    address = "172.18.0.1/16" if takes_the_first(cluster) else "10.20.0.22/24"
    path = "/api/v1/nodes/worker-2"
    if cluster.get(path)["metadata"]["annotations"][RECORD] != address:
        cluster.bed.client.send("PATCH", path, {"metadata": {"annotations": {RECORD: address}}}, MERGE)


CIRCLES = (
    Circle(
        cause="wrong-ip-autodetected",
        name="operator",
        sick=a_bridge_was_taken_by_the_operator,
        well=operator_install,
        is_broken=takes_the_first,
        react=record_address,
        steps=("Set the method",),
        good="interface ens3",
        bad="nerdctl0",
    ),
    Circle(
        cause="daemonset-not-scheduled",
        sick=a_taint_is_not_tolerated.build,
        is_broken=tolerates_little,
        steps=("Give the DaemonSet the tolerations",),
        good="calico-node-.* Running",
    ),
    Circle(
        cause="pod-security-forbidden",
        sick=nothing_is_admitted,
        well=lambda: operator_install(workers=2),
        break_it=enforce("restricted"),
        is_broken=is_enforced,
        steps=("Label the namespaces in which Calico's pods were refused",),
        good=r"calico-node +3 +3 ",
        made_felt=remove_agents,
    ),
    Circle(
        cause="typha-unreachable",
        sick=typha_is_gone,
        well=small,
        is_broken=lambda cluster: cluster.variable("FELIX_TYPHAK8SSERVICENAME") is not None,
        steps=("Remove the variable that names Typha",),
        good="",
        bad="fail|find any",
    ),
    Circle(
        cause="duplicate-node-ip",
        sick=a_record_is_stale,
        is_broken=is_stale,
        steps=("Remove the stored address from the record of worker-2", "Restart calico-node on"),
        good="",
        bad="already using",
    ),
    Circle(
        cause="host-endpoint-policy",
        sick=a_node_is_closed,
        well=small,
        is_broken=holds(f"{CALICO}/hostendpoints/worker-1-all"),
        steps=("Delete the host endpoint",),
        good=r"worker-1 +Ready",
        bad="NotReady",
    ),
    Circle(
        cause="calico-apiserver-down",
        sick=small,
        well=small,
        break_it=serve_v3_from_nowhere,
        mend=stop_serving,
        is_broken=holds(f"{SERVED}/v3.projectcalico.org"),
        shown=("kubectl get pods -A -o wide", "kubectl get apiservices"),
        by_hand="the live diagnosis does not list aggregated APIs",
        steps=("Delete the APIService",),
        good="",
        bad="False|unable|error",
    ),
    Circle(
        cause="serviceaccount-terminating",
        sick=nobody_may_log_in,
        well=small,
        break_it=terminate_account,
        mend=remove_account,
        is_broken=is_terminating,
        steps=("Remove the finalizers of an account", "Recreate the account"),
        good=r"calico-node +<none>",
        # It comes back as it was saved; that it was being deleted does not.
        is_taken_back=has_finalizer,
    ),
)
