"""The incidents that calivet began with, as far as an API server shows them."""

from __future__ import annotations

from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import (
    NOT_LIVE,
    NOT_LIVE_YET,
    NOT_STARTED,
    agent_is_not_ready,
    pod_without_network,
    probe_fails,
    sessions_down,
)
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy, saying
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.scenario import scenario

PLEG = """\
Nov 15 08:41:10 worker-2 kubelet[1204]: E1115 08:41:10.118234    1204 kubelet.go:2480] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m12.4s ago; threshold is 3m0s"
Nov 15 08:43:55 worker-2 kubelet[1204]: E1115 08:43:55.902113    1204 log.go:32] "ListPodSandbox with filter from runtime service failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded" filter="nil"
"""
MIGRATION = """
[INFO][1] ipam/ipam_plugin.go 68: migrating from host-local to calico-ipam...
[INFO][1] ipam/migrate.go 67: checking host-local IPAM data dir existence...
[INFO][1] ipam/migrate.go 79: retrieving node for IPIP tunnel address
[INFO][1] ipam/migrate.go 87: IPIP tunnel address not found, assigning...
"""
MIGRATION_FAILS = """
[ERROR][1] ipam/ipam_plugin.go 93: failed to migrate ipam, retrying... error=PodCIDR  did not parse successfully: invalid CIDR address:  node="worker-1"
... 1s
"""
SLOW_END = """
... 61s
[INFO][9] startup/startup.go 213: Using node name: {node}
"""
TERMINATED = "[INFO][48] felix/daemon.go 702: Received OS signal terminated\n"
UNKNOWN_PEER = "bird: BGP: Unexpected connect from unknown address 10.20.0.12 (port 41712)\n"
ETCD_IS_SLOW = r"""
{"level":"warn","ts":"@now@","caller":"etcdserver/util.go:170","msg":"apply request took too long","took":"2.481s","expected-duration":"100ms","prefix":"read-only range ","request":"key:\"/registry/leases/kube-system/kube-scheduler\" ","response":"","error":"etcdserver: request timed out"}
{"level":"warn","ts":"@now@","caller":"etcdserver/raft.go:415","msg":"leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk","to":"8211f1d0f64f3269","heartbeat-interval":"100ms","expected-duration":"200ms","exceeded-duration":"1.211s"}
"""
ETCD_IS_MISSED = r"""
E@ status.go:71] "Unhandled Error" err="apiserver received an error that is not an metav1.Status: rpctypes.EtcdError{code:0xe, desc:\"etcdserver: request timed out\"}: etcdserver: request timed out"
"""


@scenario("runtime-unresponsive", "worker-2", also=("ipam-upgrade-stuck",))
def the_first_container_says_nothing() -> Cluster:
    """upgrade-ipam is said to run since an hour, was started minutes after it was made, and has no log."""
    cluster = healthy()
    pod = cluster.agent("worker-2")
    pod.created = ago(minutes=58)
    pod.hold("upgrade-ipam").run("", since=ago(minutes=54), ready=False)
    present = 'Container image "docker.io/calico/cni:v3.30.4" already present on machine'
    cluster.happened(pod, "Pulled", present, last=ago(minutes=58))
    cluster.happened(pod, "Created", "Created container: upgrade-ipam", last=ago(minutes=58))
    cluster.happened(pod, "Started", "Started container upgrade-ipam", last=ago(minutes=54))
    cluster.nodes["worker-2"].kubelet.journal = PLEG
    return cluster


@scenario("ipam-upgrade-stuck", "worker-1")
def the_migration_never_ends() -> Cluster:
    """Addresses of an earlier network are to be moved, and the node has no range of its own to move them into."""
    cluster = healthy(workers=2)
    pod = cluster.agent("worker-1")
    pod.created = ago(minutes=36)
    pod.hold("upgrade-ipam").run(MIGRATION + 30 * MIGRATION_FAILS, since=ago(minutes=35), ready=False)
    controllers = cluster.pod("calico-kube-controllers")
    controllers.address = None
    controllers["calico-kube-controllers"].wait("ContainerCreating")
    pod_without_network(cluster, "cart", "worker-1", NOT_STARTED)
    return cluster


@scenario("node-overload", "worker-2", "worker-4", also=("probe-timeout-too-short",))
def two_nodes_are_too_busy() -> Cluster:
    """calico-node starts so slowly that the liveness probe ends it; two nodes have many times the others' load."""
    cluster = healthy(workers=4)
    for name in ("worker-2", "worker-4"):
        node, pod = cluster.nodes[name], cluster.agent(name)
        node.busy(cores=7.98, memory=30.6)
        pod["calico-node"].crash(saying(words.STARTUP + words.CONNECTED + SLOW_END, node), times=31, code=137)
        probe_fails(cluster, pod, NOT_LIVE + NOT_LIVE_YET, times=186)
        cluster.happened(pod, "Killing", "Container calico-node failed liveness probe, will be restarted", times=31)
    return cluster


@scenario("cgroup-driver-mismatch", "worker-3", also=("probe-timeout-too-short",), sufficient=False)
def killed_while_it_was_well() -> Cluster:
    """On the new node everything is killed again and again although it was healthy; its sandboxes change."""
    cluster = healthy()
    node = cluster.nodes["worker-3"]
    cluster.agent("worker-3")["calico-node"].crash(saying(words.AGENT, node) + TERMINATED, times=44, code=137)
    cluster.pod("kube-proxy", "worker-3")["kube-proxy"].crash(saying(words.KUBE_PROXY, node), times=44, code=2)
    for name in ("calico-node", "kube-proxy"):
        pod = cluster.pod(name, "worker-3")
        pod.created = ago(hours=5)
        cluster.happened(pod, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", times=43)
        cluster.happened(pod, "Killing", f"Stopping container {name}", times=44)
        again = f"Back-off restarting failed container {name} in pod {pod.name}_kube-system"
        cluster.happened(pod, "BackOff", again, times=310)
    return cluster


@scenario("wrong-ip-autodetected", "plane-1", together=("etcd-unhealthy", "kubelet-down"))
def three_faults_at_once() -> Cluster:
    """A second card was taken for BGP; apart from that a kubelet is gone, and etcd, of two members, keeps timing out."""
    cluster = healthy(workers=1, control_plane=2)
    cluster.nodes["plane-1"].annotations["projectcalico.org/IPv4Address"] = "192.168.77.11/24"
    taken = words.AGENT.replace("{address}/24", "192.168.77.11/24") + 3 * UNKNOWN_PEER
    agent_is_not_ready(cluster, "plane-1", taken, sessions_down("10.20.0.12", "10.20.0.21"), interface="ens7")
    agent_is_not_ready(cluster, "plane-2", words.AGENT, sessions_down("192.168.77.11", "10.20.0.21"))
    cluster.nodes["worker-1"].stop_posting(since=ago(days=6))
    for plane in ("plane-1", "plane-2"):
        for name, said, times in (("etcd", ETCD_IS_SLOW, 12), ("kube-apiserver", ETCD_IS_MISSED, 16)):
            container = cluster.pod(name, plane)[name]
            container.died(4 * said, at=ago(hours=7), times=times)
            container.run(20 * said, since=ago(hours=7))
    return cluster
