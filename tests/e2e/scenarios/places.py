"""Where Calico lives differs by installer: the same health, or the same fault, in other places and under other names."""

from __future__ import annotations

from tests.e2e.kinds import CALICO as STORED
from tests.e2e.kinds import CALICO_API
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import (
    NOT_READY,
    agent_crashes,
    agent_is_not_ready,
    application,
    probe_fails,
    sessions_down,
)
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import CALICO, healthy
from tests.e2e.scenarios.manifest import manifest
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.scenario import scenario

SNAP = "/var/snap/microk8s/current"
PANIC = """
panic: runtime error: invalid memory address or nil pointer dereference
goroutine 1 [running]:
main.main()
"""
NO_ANSWER = 'Get "http://{address}:8080/ready": dial tcp {address}:8080: connect: connection refused'
RATE_LIMIT = (
    'Failed to pull image "{image}": failed to pull and unpack image "{image}": failed to copy: httpReadSeeker: failed open: unexpected '
    "status code 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit."
)
NO_REACH = """
[WARNING][9] startup/autodetection_methods.go 188: Unable to auto-detect IPv4 address by connecting to 10.20.0.21: dial udp4 10.20.0.21:80: connect: network is unreachable
[WARNING][9] startup/startup.go 513: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.
"""


@scenario(None)
def all_is_well() -> Cluster:
    """Nothing is wrong."""
    return healthy()


@scenario(None)
def an_application_crashes() -> Cluster:
    """Calico is well; somebody's application is not, and says so loudly."""
    cluster = healthy()
    pod = application(cluster, "orders", "worker-2")
    pod["app"].crash(PANIC, times=57, code=2)
    cluster.happened(pod, "BackOff", f"Back-off restarting failed container app in pod {pod.name}_shop", times=900)
    probe_fails(cluster, pod, NOT_READY + NO_ANSWER.format(address=pod.address))
    return cluster


@scenario("wrong-ip-autodetected", "worker-2")
def the_newest_calico_stores_elsewhere() -> Cluster:
    """Calico's resources are served as projectcalico.org/v3; a tunnel's address was taken for the node's."""
    cluster = healthy()
    cluster.definitions = (CALICO_API,)
    for other in cluster.others:
        if other["apiVersion"] == f"{STORED}/v1":
            other["apiVersion"] = f"{CALICO_API}/v3"
    cluster.nodes["worker-2"].annotations["projectcalico.org/IPv4Address"] = "100.88.12.4/32"
    taken = words.AGENT.replace("{address}/24", "100.88.12.4/32")
    down = sessions_down("10.20.0.11", "10.20.0.21", "10.20.0.23")
    agent_is_not_ready(cluster, "worker-2", taken, down, interface="tailscale0")
    return cluster


@scenario(None)
def as_rke2_installs_it() -> Cluster:
    """Rancher's images, the DaemonSet in calico-system, and a version with Rancher's ending."""
    agent = manifest("calico-node-operator", calico=CALICO)
    spec = agent["spec"]["template"]["spec"]
    for container in [*spec["initContainers"], *spec["containers"]]:
        container["image"] = container["image"].replace("docker.io/calico/", "rancher/mirrored-calico-")
    cluster = healthy(workers=2, agent=agent)
    for node in cluster.nodes.values():
        node.version, node.runtime = "v1.33.5+rke2r1", "containerd://2.1.4-k3s2"
    return cluster


@scenario("image-pull-failed", "worker-2")
def as_microk8s_installs_it() -> Cluster:
    """VXLAN without BGP, in snap's folders; one node cannot pull the image."""
    agent = manifest("calico-node", calico=CALICO)
    spec = agent["spec"]["template"]["spec"]
    for volume in spec["volumes"]:
        if volume["name"] in {"cni-bin-dir", "var-run-calico", "var-lib-calico"}:
            volume["hostPath"]["path"] = SNAP + volume["hostPath"]["path"]
    container = spec["containers"][0]
    for probe, asks in (("livenessProbe", "-felix-live"), ("readinessProbe", "-felix-ready")):
        container[probe]["exec"]["command"] = ["/bin/calico-node", asks]
    cluster = healthy(workers=2, agent=agent)
    cluster.custom("calico-config")["data"]["calico_backend"] = "vxlan"
    cluster.custom("default-ipv4-ippool")["spec"] |= {"ipipMode": "Never", "vxlanMode": "Always"}
    pod = cluster.agent("worker-2")
    pod.created = ago(hours=1)
    pod.hold("calico-node").wait("ErrImagePull", "toomanyrequests: You have reached your pull rate limit.")
    cluster.happened(pod, "Failed", RATE_LIMIT.format(image=container["image"]), times=14)
    return cluster


@scenario("no-ip-autodetected", "worker-1", also=("default-route-missing",))
def as_kubespray_installs_it() -> Cluster:
    """Kubespray's way of finding the address, can-reach, and a node from which nothing can be reached."""
    cluster = healthy(workers=2)
    cluster.environment(IP_AUTODETECTION_METHOD="can-reach=$(NODEIP)", CLUSTER_TYPE="kubespray,bgp")
    agent_crashes(cluster, "worker-1", words.STARTUP + words.CONNECTED + NO_REACH + words.END)
    return cluster
