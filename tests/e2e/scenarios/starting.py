"""calico-node cannot start: its image, its settings, its permissions, or no place to run at all."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import NO_NETWORK, NOT_READY_YET, UNREADY, agent_crashes, agent_is_not_ready
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.scenario import scenario

IMAGE = "docker.io/calico/cni:v3.30.4"
NO_PULL = (
    f'Failed to pull image "{IMAGE}": failed to pull and unpack image "{IMAGE}": failed to resolve reference "{IMAGE}": '
    'failed to do request: Head "https://registry-1.docker.io/v2/calico/cni/manifests/v3.30.4": dial tcp: lookup '
    "registry-1.docker.io on 10.20.0.2:53: read udp 10.20.0.22:48112->10.20.0.2:53: i/o timeout"
)
NO_POOLS = """
[ERROR][9] startup/startup.go 741: Unable to fetch IP pool list error=resource does not exist: IPPool with error: the server could not find the requested resource (get IPPools.crd.projectcalico.org)
"""
UNREADY_GRAPH = """
[INFO][48] felix/health.go 336: Overall health status changed: live=true ready=false
+---------------------------+---------+----------------+---------------------+--------+
|         COMPONENT         | TIMEOUT |    LIVENESS    |      READINESS      | DETAIL |
+---------------------------+---------+----------------+---------------------+--------+
| CalculationGraph          | 30s     | reporting live | reporting non-ready |        |
| FelixStartup              | -       | reporting live | reporting ready     |        |
| InternalDataplaneMainLoop | 1m30s   | reporting live | reporting non-ready |        |
+---------------------------+---------+----------------+---------------------+--------+
"""
NO_TIERS = """
[WARNING][48] felix/watchercache.go 205: Failed to perform list of current data during resync ListRoot="/calico/resources/v3/projectcalico.org/tiers" error=connection is unauthorized: tiers.crd.projectcalico.org is forbidden: User "system:serviceaccount:kube-system:calico-node" cannot list resource "tiers" in API group "crd.projectcalico.org" at the cluster scope
... 1s
"""
NO_CARD = """
[WARNING][9] startup/autodetection_methods.go 120: Unable to auto-detect an IPv4 address using interface regexes [^ens3$]: no valid host interfaces found
[WARNING][9] startup/startup.go 513: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.
[INFO][9] startup/startup.go 397: Clearing out-of-date IPv4 address from this node IP=""
"""
BAD_PORTS = """
[ERROR][48] felix/config_params.go 712: Invalid (required) config value. error=failed to parse config parameter FailsafeInboundHostPorts; value "tcp:22,ssh": ports should be <protocol>:<number>
[ERROR][48] felix/daemon.go 201: Failed to parse configuration environment variable error=failed to parse config parameter FailsafeInboundHostPorts; value "tcp:22,ssh": ports should be <protocol>:<number>
... 1s
"""
NOT_ADMITTED = (
    'Error creating: pods "calico-node-" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostNetwork=true), '
    'hostPath volumes (volumes "lib-modules", "var-run-calico"), privileged (containers "upgrade-ipam", "install-cni", "calico-node" '
    "must not set securityContext.privileged=true)"
)
NO_SPACE = """
[INFO][1] cni-installer/install.go 122: Running as a Kubernetes pod
[FATAL][1] cni-installer/install.go 190: Failed to install /host/opt/cni/bin/calico error=write /host/opt/cni/bin/calico.tmp: no space left on device
"""
NOTHING_TO_FREE = (
    "Failed to garbage collect required amount of images. "
    "Attempted to free 9182312448 bytes, but only found 0 bytes eligible to free."
)


@scenario("image-pull-failed", "worker-2")
def the_image_cannot_be_pulled() -> Cluster:
    """A new node that cannot reach the registry."""
    cluster = healthy()
    pod = cluster.agent("worker-2")
    pod.created = ago(minutes=40)
    pod.hold("upgrade-ipam").wait("ImagePullBackOff", f'Back-off pulling image "{IMAGE}"')
    cluster.happened(pod, "Failed", NO_PULL, times=8)
    cluster.happened(pod, "BackOff", f'Back-off pulling image "{IMAGE}"', times=160)
    cluster.nodes["worker-2"].not_ready(NO_NETWORK, since=ago(minutes=40))
    return cluster


@scenario("crd-missing")
def the_definitions_are_missing() -> Cluster:
    """The DaemonSet was applied, the CustomResourceDefinitions were not."""
    cluster = healthy(workers=2)
    cluster.definitions = ()
    cluster.others = [other for other in cluster.others if "projectcalico" not in other["apiVersion"]]
    for node in cluster.nodes:
        agent_crashes(cluster, node, words.STARTUP + words.CONNECTED + NO_POOLS + words.END, times=7)
    return cluster


@scenario("rbac-forbidden")
def the_role_lacks_a_resource() -> Cluster:
    """The images were upgraded, the ClusterRole was not: Felix may not list tiers."""
    cluster = healthy(workers=2)
    for rule in cluster.custom("calico-node", "ClusterRole")["rules"]:
        rule["resources"] = [one for one in rule["resources"] if one != "tiers"]
    log = words.STARTUP + words.CONNECTED + words.ADDRESS + UNREADY_GRAPH + 12 * NO_TIERS
    for node in cluster.nodes:
        agent_is_not_ready(cluster, node, log, UNREADY)
    return cluster


@scenario("no-ip-autodetected", "worker-3")
def the_card_was_renamed() -> Cluster:
    """The method names a card that this node does not have."""
    cluster = healthy()
    cluster.environment(IP_AUTODETECTION_METHOD="interface=^ens3$")
    agent_crashes(cluster, "worker-3", words.STARTUP + words.CONNECTED + NO_CARD + words.END)
    del cluster.nodes["worker-3"].annotations["projectcalico.org/IPv4Address"]
    return cluster


@scenario("felix-config-invalid")
def a_setting_cannot_be_read() -> Cluster:
    """A failsafe port was written in a form that Felix does not take, and without it Felix will not run."""
    cluster = healthy(workers=2)
    cluster.environment(FELIX_FAILSAFEINBOUNDHOSTPORTS="tcp:22,ssh")
    for node in cluster.nodes:
        log = words.STARTUP + words.CONNECTED + words.ADDRESS + 9 * BAD_PORTS
        agent_is_not_ready(cluster, node, log, NOT_READY_YET)
    return cluster


@scenario("pod-security-forbidden")
def the_pods_are_not_admitted() -> Cluster:
    """The namespace enforces a standard that no privileged pod meets."""
    cluster = healthy(workers=2)
    cluster.remove("calico-node")
    daemonset = cluster.workloads["calico-node"]
    daemonset["status"] = {"desiredNumberScheduled": len(cluster.nodes)}
    cluster.happened(daemonset, "FailedCreate", NOT_ADMITTED, times=18)
    for node in cluster.nodes.values():
        node.not_ready(NO_NETWORK, since=ago(minutes=22))
    return cluster


@scenario("daemonset-not-scheduled", "worker-3")
def a_taint_is_not_tolerated() -> Cluster:
    """The tolerations were narrowed, and the GPU node's taint is none of them."""
    cluster = healthy()
    spec = cluster.workloads["calico-node"]["spec"]["template"]["spec"]
    spec["tolerations"] = [
        {"key": "node-role.kubernetes.io/control-plane", "operator": "Exists", "effect": "NoSchedule"}
    ]
    cluster.pods.remove(cluster.agent("worker-3"))
    cluster.nodes["worker-3"].taints.append({"key": "dedicated", "value": "gpu", "effect": "NoSchedule"})
    cluster.nodes["worker-3"].not_ready(NO_NETWORK, since=ago(hours=2))
    return cluster


@scenario("disk-full", "worker-1")
def the_disk_is_full() -> Cluster:
    """The node is under disk pressure, and the plugin's files cannot be written."""
    cluster = healthy()
    node = cluster.nodes["worker-1"]
    node.conditions["DiskPressure"] = ("True", "KubeletHasDiskPressure", "kubelet has disk pressure")
    node.taints.append({"key": "node.kubernetes.io/disk-pressure", "effect": "NoSchedule"})
    node.kubelet.statistics["node"]["fs"] |= {"availableBytes": 0, "usedBytes": 98 << 30}
    agent_crashes(cluster, "worker-1", NO_SPACE, container="install-cni")
    cluster.happened(node, "EvictionThresholdMet", "Attempting to reclaim ephemeral-storage", times=90)
    cluster.happened(node, "FreeDiskSpaceFailed", NOTHING_TO_FREE, times=12)
    return cluster
