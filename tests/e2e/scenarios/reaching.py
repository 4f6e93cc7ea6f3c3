"""calico-node cannot reach, or may not use, what it needs: the API server's service address, Typha, the datastore."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import UNREADY, agent_crashes, agent_is_not_ready, pod_without_network
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago, written
from tests.e2e.scenarios.operator import operator_install
from tests.e2e.scenarios.scenario import scenario

TOKEN = "https://10.96.0.1:443/api/v1/namespaces/kube-system/serviceaccounts/calico-cni-plugin/token"
NO_TOKEN = f"""
[INFO][1] cni-installer/install.go 122: Running as a Kubernetes pod
[INFO][1] cni-installer/install.go 188: Installed /host/opt/cni/bin/calico
... 30s
[ERROR][1] cni-installer/token_watch.go 108: Unable to create token for CNI kubeconfig error=Post "{TOKEN}": dial tcp 10.96.0.1:443: i/o timeout
[FATAL][1] cni-installer/install.go 502: Unable to create token for CNI kubeconfig error=Post "{TOKEN}": dial tcp 10.96.0.1:443: i/o timeout
"""
OLD_SERVER = """
I@ server_linux.go:63] "Using iptables proxy"
... 30s
E@ server.go:687] "Failed to retrieve node info" err="Get \\"https://10.20.0.9:6443/api/v1/nodes/worker-3\\": dial tcp 10.20.0.9:6443: i/o timeout"
E@ reflector.go:200] "Failed to watch" err="failed to list *v1.EndpointSlice: Get \\"https://10.20.0.9:6443/apis/discovery.k8s.io/v1/endpointslices?labelSelector=%21service.kubernetes.io%2Fheadless%2C%21service.kubernetes.io%2Fservice-proxy-name&limit=500&resourceVersion=0\\": dial tcp 10.20.0.9:6443: i/o timeout" logger="UnhandledError" reflector="k8s.io/client-go/informers/factory.go:160" type="*v1.EndpointSlice"
E@ run.go:72] "command failed" err="unable to retrieve node info: timed out"
"""
NO_PORTS = "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. preemption: 0/3 nodes are available."
NO_TYPHA = """
[ERROR][48] felix/discovery.go 182: Didn't find any ready Typha instances.
[ERROR][48] felix/daemon.go 353: Typha discovery enabled but discovery failed. error=Kubernetes service missing IP or port
... 1s
"""
LOCKED = """
[WARNING][48] felix/daemon.go 263: Waiting for datastore to be initialized (or migrated)
... 1s
"""
TOO_EARLY = """
[INFO][9] startup/startup.go 454: Hit error connecting to datastore - retry error=Get "https://10.96.0.1:443/api/v1/nodes/foo": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time {here} is before {valid}
... 1s
"""


@scenario("service-vip-unreachable", "worker-3")
def kube_proxy_is_down() -> Cluster:
    """kube-proxy of one node asks a server that is gone, so the API server's service address leads nowhere from there."""
    cluster = healthy()
    proxy = cluster.pod("kube-proxy", "worker-3")
    proxy["kube-proxy"].crash(OLD_SERVER, times=29)
    again = f"Back-off restarting failed container kube-proxy in pod {proxy.name}_kube-system"
    cluster.happened(proxy, "BackOff", again, times=200)
    agent_crashes(cluster, "worker-3", NO_TOKEN, container="install-cni")
    return cluster


@scenario("typha-unreachable")
def nobody_serves_typha() -> Cluster:
    """Both Typhas wait for a port that other pods hold, so every Felix waits for them."""
    cluster = operator_install(workers=2)
    for pod in cluster.pods_of("calico-typha"):
        pod.created = ago(minutes=50)
        pod.unplace()
        cluster.happened(pod, "FailedScheduling", NO_PORTS, times=10)
    cluster.custom("calico-typha", "Endpoints")["subsets"] = []
    log = words.STARTUP + words.CONNECTED + words.ADDRESS + 10 * NO_TYPHA
    for node in cluster.nodes:
        agent_is_not_ready(cluster, node, log, UNREADY)
    return cluster


@scenario("datastore-not-ready-flag")
def the_datastore_is_locked() -> Cluster:
    """A migration was begun and never finished, so the flag still says that nobody may touch the datastore."""
    cluster = healthy(workers=2)
    cluster.custom("default", "ClusterInformation")["spec"]["datastoreReady"] = False
    log = words.STARTUP + words.CONNECTED + words.ADDRESS + 20 * LOCKED
    for node in cluster.nodes:
        agent_is_not_ready(cluster, node, log, UNREADY)
    pod_without_network(cluster, "cart", "worker-1", "Calico is currently not ready to process requests")
    return cluster


@scenario("clock-skew", "worker-2")
def the_clock_is_behind() -> Cluster:
    """The machine woke up with the time of its manufacture, when no certificate was valid yet."""
    cluster = healthy()
    refused = TOO_EARLY.format(here=written(ago(days=4000)), valid=written(ago(days=48)))
    agent_crashes(cluster, "worker-2", words.STARTUP + 8 * refused, code=137)
    return cluster


@scenario("token-invalid", "worker-1", also=("tls-ca-mismatch",))
def the_plugin_has_an_old_token() -> Cluster:
    """The token in the plugin's kubeconfig is of a cluster that was here before."""
    cluster = healthy()
    error = "error getting ClusterInformation: connection is unauthorized: Unauthorized"
    for name in ("cart", "search"):
        pod_without_network(cluster, name, "worker-1", error)
    return cluster
