"""What a sick cluster shows again and again: probes that fail, containers that crash, pods that get no address."""

from __future__ import annotations

from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import saying
from tests.e2e.scenarios.manifest import manifest
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.pod import Pod

NOT_READY = "Readiness probe failed: "
NOT_LIVE = "Liveness probe failed: "
PORT_REFUSES = "dial tcp 127.0.0.1:9099: connect: connection refused\n"
NOT_READY_YET = f'calico/node is not ready: felix is not ready: Get "http://localhost:9099/readiness": {PORT_REFUSES}'
NOT_LIVE_YET = f'calico/node is not ready: Felix is not live: Get "http://localhost:9099/liveness": {PORT_REFUSES}'
UNREADY = "calico/node is not ready: felix is not ready: readiness probe reporting 503\n"
NOT_STARTED = (
    "stat /var/lib/calico/nodename: no such file or directory: "
    "check that the calico/node container is running and has mounted /var/lib/calico/"
)
NO_NETWORK = (
    "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady "
    "message:Network plugin returns error: cni plugin not initialized"
)


def probe_fails(cluster: Cluster, pod: Pod, message: str, *, times: int = 40) -> None:
    """The kubelet's probe of calico-node fails with these words."""
    cluster.happened(pod, "Unhealthy", message, times=times)


def agent_crashes(
    cluster: Cluster, node: str, words: str, *, container: str = "calico-node", times: int = 11, code: int = 1
) -> Pod:
    """A container of calico-node ends with these words whenever it is started."""
    pod = cluster.agent(node)
    text = saying(words, cluster.nodes[node])
    if container != "calico-node":
        pod.hold(container)
    pod[container].crash(text, times=times, code=code)
    cluster.happened(
        pod,
        "BackOff",
        f"Back-off restarting failed container {container} in pod {pod.name}_{pod.namespace}",
        times=times * 8,
    )
    if container == "calico-node":
        probe_fails(cluster, pod, NOT_READY + NOT_READY_YET)
    return pod


def agent_is_not_ready(cluster: Cluster, node: str, words: str, why: str, *, interface: str = "ens3") -> Pod:
    """calico-node runs, says these words, and its readiness probe tells why it is not ready."""
    pod = cluster.agent(node)
    text = saying(words, cluster.nodes[node], interface)
    pod["calico-node"].run(text, since=ago(hours=3), ready=False)
    probe_fails(cluster, pod, NOT_READY + why, times=900)
    return pod


def sessions_down(*peers: str) -> str:
    """What the probe says while no session is up."""
    return f"calico/node is not ready: BIRD is not ready: BGP not established with {','.join(peers)}\n"


def application(cluster: Cluster, name: str, node: str, namespace: str = "shop", *, networked: bool = True) -> Pod:
    """A pod of someone's application; it has yet to start."""
    workload = manifest(
        "application", name=name, namespace=namespace, image=f"registry.example/{namespace}/{name}:2.14"
    )
    return cluster.launch(workload, cluster.nodes[node], cluster.lease(node) if networked else None)


def pod_without_network(cluster: Cluster, name: str, node: str, error: str) -> Pod:
    """An application's pod for which the plugin fails with this error."""
    pod = application(cluster, name, node, networked=False)
    pod.created = ago(minutes=25)
    pod["app"].wait("ContainerCreating")
    sandbox = pod["app"].id().rpartition("/")[2]
    message = (
        f"Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "
        f'"{sandbox}": plugin type="calico" failed (add): {error}'
    )
    cluster.happened(pod, "FailedCreatePodSandBox", message, times=22)
    return pod
