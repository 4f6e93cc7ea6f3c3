"""Circles that `calivet fix` alone walks on machines whose services real systemd runs, and the founding incidents among them."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.circle.circle import Circle
from tests.e2e.circle.live_cluster import LiveCluster
from tests.e2e.circle.machine_circles import PROBED, holds_on_first, on_first, on_machines
from tests.e2e.circle.machines import FIRST, NETWORK, SECOND, SECOND_CARD
from tests.e2e.circle.object_circles import RECORD, takes_the_first
from tests.e2e.circle.settings_circles import takes_any_card
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import NOT_LIVE, agent_crashes, agent_is_not_ready, probe_fails, sessions_down
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import saying
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.operator import operator_install
from tests.e2e.scenarios.seeds import MIGRATION, MIGRATION_FAILS, PLEG, TERMINATED, UNKNOWN_PEER
from tests.lab import containerd, services

NODE = FIRST.name
SWAPS = "[ $(wc -l </proc/swaps) -gt 1 ]"
LEFTOVER = "/var/lib/cni/networks/k8s-pod-network"
PROXY = "http://proxy.example:3128"
NM = "/etc/NetworkManager/conf.d/90-calivet.conf"
NMCLI = f"""\
#!/bin/sh
state='connecting (getting IP configuration)  Wired connection 2'
! grep -qs 'interface-name:cali\\*' {NM} || state='unmanaged                             --'
echo 'DEVICE           TYPE      STATE                                  CONNECTION'
echo 'eth0             ethernet  connected                              eth0'
echo "cali0a1b2c3d4e5  ethernet  $state"
"""


def has_swap() -> Cluster:
    """The kubelet of the first worker is not heard of any more."""
    cluster = on_machines()
    cluster.nodes[NODE].stop_posting(since=ago(minutes=9))
    return cluster


def switch_swap_on(cluster: LiveCluster) -> None:
    """After an upgrade that brought the line in fstab back; this kubelet refuses to start so."""
    machine = cluster.machines.serve(NODE)
    machine.write("/etc/fstab", "/dev/sda1 / ext4 defaults 0 1\n/swap.img none swap sw 0 0\n")
    machine.run("/opt/bin/swapon", "-a")
    services.add_kubelet(machine)


def remove(*names: str) -> Callable[[LiveCluster], None]:
    """The units, and what of swap is left."""

    def clean(cluster: LiveCluster) -> None:
        machine = cluster.machines.serve(NODE)
        for name in names:
            services.remove(machine, name)
        machine.run("sh", "-c", f"rm -rf /etc/fstab {containerd.FILE} {LEFTOVER} {NM}; swapoff -a 2>/dev/null; true")

    return clean


def the_runtime_hangs() -> Cluster:
    """upgrade-ipam is said to run since an hour, and was started minutes after it was made; the runtime is docker."""
    cluster = on_machines()
    cluster.nodes[NODE].runtime = "docker://20.10.24"
    cluster.nodes[NODE].kubelet.journal = PLEG.replace("worker-2", NODE)
    pod = cluster.agent(NODE)
    pod.created = ago(minutes=58)
    pod.hold("upgrade-ipam").run("", since=ago(minutes=54), ready=False)
    cluster.happened(pod, "Created", "Created container: upgrade-ipam", last=ago(minutes=58))
    cluster.happened(pod, "Started", "Started container upgrade-ipam", last=ago(minutes=54))
    return cluster


def docker_runs() -> Cluster:
    """The same cluster, well."""
    cluster = on_machines()
    cluster.nodes[NODE].runtime = "docker://20.10.24"
    return cluster


def run_containerd(cluster: LiveCluster, *, driver: str = "true", more: str = "") -> None:
    """The real one, under systemd."""
    machine = cluster.machines.serve(NODE)
    machine.write(containerd.FILE, containerd.CONFIGURATION.format(systemd=driver))
    services.add(machine, "containerd", "/usr/bin/containerd", more)
    services.until_answers(machine)


def freeze_containerd(cluster: LiveCluster) -> None:
    """It keeps its socket and takes connections, and never answers; docker's daemon stands above it."""
    run_containerd(cluster)
    machine = cluster.machines[NODE]
    services.add(machine, "docker", "/bin/sleep infinity")
    services.ask(machine, "kill", "-s", "STOP", "containerd")


def is_frozen(cluster: LiveCluster) -> bool:
    """Whether no client gets through to it."""
    return not cluster.machines.holds(NODE, "timeout 3 ctr version")


def all_is_killed() -> Cluster:
    """Everything on the node is killed again and again although it was healthy."""
    cluster = on_machines()
    node, pod = cluster.nodes[NODE], cluster.agent(NODE)
    pod["calico-node"].crash(saying(words.AGENT, node) + TERMINATED, times=44, code=137)
    cluster.happened(pod, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", times=43)
    return cluster


def set_cgroupfs(cluster: LiveCluster) -> None:
    """containerd uses cgroupfs, kubelet systemd."""
    run_containerd(cluster, driver="false")
    services.add_kubelet(cluster.machines[NODE])


def the_migration_never_ends() -> Cluster:
    """Addresses of an earlier network are to be moved, and the node has no range of its own to move them into."""
    cluster = on_machines()
    pod = cluster.agent(NODE)
    pod.created = ago(minutes=36)
    pod.hold("upgrade-ipam").run(MIGRATION + 30 * MIGRATION_FAILS, since=ago(minutes=35), ready=False)
    return cluster


def one_node_is_too_busy() -> Cluster:
    """calico-node has no CPU time of its own there, and the probe ends it while it starts."""
    cluster = on_machines()
    cluster.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]["resources"] = {}
    node, pod = cluster.nodes[NODE], cluster.agent(NODE)
    node.busy(cores=7.98, memory=30.6)
    pod["calico-node"].crash(saying(words.STARTUP + words.CONNECTED, node), times=31, code=137)
    probe_fails(cluster, pod, NOT_LIVE, times=186)
    cluster.happened(pod, "Killing", "Container calico-node failed liveness probe, will be restarted", times=31)
    return cluster


def has_no_cpu(cluster: LiveCluster) -> bool:
    """As the scheduler and the kubelet read it."""
    return "requests" not in cluster.agent()["resources"]


PROXY_REFUSES = f"""
[INFO][9] startup/startup.go 454: Hit error connecting to datastore - retry error=Get "https://10.96.0.1:443/api/v1/nodes/foo": proxyconnect tcp: dial tcp: lookup {PROXY[7:-5]} on 10.20.0.2:53: no such host
... 1s
"""


def a_proxy_catches_all() -> Cluster:
    """The service of the runtime hands its proxy on to calico-node."""
    cluster = on_machines()
    agent_crashes(cluster, NODE, words.STARTUP + 9 * PROXY_REFUSES + words.END)
    return cluster


def set_proxy(cluster: LiveCluster) -> None:
    """Without an exception for the cluster."""
    run_containerd(cluster, more=f"Environment=HTTPS_PROXY={PROXY} NO_PROXY=localhost")


def a_manager_takes_pods() -> Cluster:
    """calico-node of the first worker loses its routes again and again."""
    cluster = on_machines()
    agent_is_not_ready(cluster, NODE, words.AGENT, sessions_down(SECOND.address))
    return cluster


def manage_all(cluster: LiveCluster) -> None:
    """The manager has no list of interfaces to leave alone."""
    machine = cluster.machines.serve(NODE)
    machine.write("/opt/bin/nmcli", NMCLI)
    machine.file("/opt/bin/nmcli").chmod(0o755)
    machine.file("/etc/NetworkManager/conf.d").mkdir(parents=True, exist_ok=True)
    services.add(machine, "NetworkManager", "/bin/sleep infinity", "ExecReload=/bin/true")


def the_second_card_was_taken() -> Cluster:
    """On the second worker; nobody else is in the network of that card."""
    return take_second_card(on_machines())


def run_by_the_operator() -> Cluster:
    """Two workers on machines, whose settings are the operator's."""
    return operator_install(workers=2, network=NETWORK)


def take_second_card(cluster: Cluster) -> Cluster:
    """What was detected there, and what the other one says of it."""
    cluster.nodes[SECOND.name].annotations[RECORD] = f"{SECOND_CARD}/24"
    taken = words.AGENT.replace("{address}/24", f"{SECOND_CARD}/24")
    agent_is_not_ready(cluster, SECOND.name, taken, sessions_down(FIRST.address), interface="eth1")
    unknown = 3 * UNKNOWN_PEER.replace("10.20.0.12", SECOND.address)
    agent_is_not_ready(cluster, NODE, words.AGENT + unknown, sessions_down(SECOND_CARD))
    return cluster


def detect_address(is_broken: Callable[[LiveCluster], bool]) -> Callable[[LiveCluster], None]:
    """calico-node writes down what it found when it starts, and BIRD of both speaks from and to it."""

    def react(cluster: LiveCluster) -> None:
        address = SECOND_CARD if is_broken(cluster) else SECOND.address
        path = f"/api/v1/nodes/{SECOND.name}"
        if cluster.get(path)["metadata"]["annotations"].get(RECORD) != f"{address}/24":
            patch = {"metadata": {"annotations": {RECORD: f"{address}/24"}}}
            cluster.bed.client.send("PATCH", path, patch, "application/merge-patch+json")
        cluster.machines.speak_from(address)

    return react


def await_second(is_broken: Callable[[LiveCluster], bool]) -> Callable[[LiveCluster], None]:
    """Real sessions, between the recorded addresses."""

    def follow(cluster: LiveCluster) -> None:
        detect_address(is_broken)(cluster)
        cluster.machines.await_session(up=not is_broken(cluster))

    return follow


NEEDS = ("systemctl",)
CIRCLES = (
    Circle(
        cause="kubelet-swap-on",
        sick=has_swap,
        well=on_machines,
        break_it=switch_swap_on,
        mend=remove("kubelet"),
        is_broken=holds_on_first(SWAPS),
        arguments=PROBED,
        needs=NEEDS,
        steps=("Switch swap off now", "Keep it off after the next reboot", "Restart kubelet"),
        good="active",
    ),
    Circle(
        cause="runtime-unresponsive",
        name="under-docker",
        sick=the_runtime_hangs,
        well=docker_runs,
        break_it=freeze_containerd,
        mend=remove("docker", "containerd"),
        is_broken=is_frozen,
        arguments=PROBED,
        needs=NEEDS,
        steps=("Restart containerd, on which docker depends",),
        good="",
        # A restart is not taken back.
        is_taken_back=lambda cluster: not is_frozen(cluster),
    ),
    Circle(
        cause="cgroup-driver-mismatch",
        sick=all_is_killed,
        well=on_machines,
        break_it=set_cgroupfs,
        mend=remove("kubelet", "containerd"),
        is_broken=holds_on_first("containerd config dump | grep -q 'SystemdCgroup = false'"),
        arguments=PROBED,
        needs=NEEDS,
        steps=("Let containerd use systemd like kubelet", "Drain the node, restart runtime and kubelet"),
        good="",
    ),
    Circle(
        cause="ipam-upgrade-stuck",
        sick=the_migration_never_ends,
        well=on_machines,
        break_it=on_first(f"mkdir -p {LEFTOVER} && echo worker-1 >{LEFTOVER}/10.244.1.7"),
        mend=remove(),
        is_broken=holds_on_first(f"test -e {LEFTOVER}/10.244.1.7"),
        arguments=PROBED,
        steps=("Move the leftover directory away",),
        good="",
    ),
    Circle(
        cause="node-overload",
        sick=one_node_is_too_busy,
        well=on_machines,
        is_broken=has_no_cpu,
        steps=("Drain the node", "Reserve CPU time for calico-node, as Calico's own manifest does"),
        good="",
    ),
    Circle(
        cause="http-proxy-env",
        name="of-the-runtime",
        sick=a_proxy_catches_all,
        well=on_machines,
        break_it=set_proxy,
        mend=remove("containerd"),
        is_broken=holds_on_first("! systemctl show containerd -p Environment | grep -q 10.96.0.0"),
        arguments=PROBED,
        needs=NEEDS,
        steps=("Add the service, pod and node ranges to NO_PROXY",),
        good="",
    ),
    Circle(
        cause="networkmanager-interferes",
        sick=a_manager_takes_pods,
        well=on_machines,
        break_it=manage_all,
        mend=remove("NetworkManager"),
        is_broken=holds_on_first(f"! test -e {NM}"),
        arguments=PROBED,
        needs=NEEDS,
        steps=("Tell NetworkManager to leave Calico's interfaces alone",),
        good="",
    ),
    Circle(
        cause="wrong-ip-autodetected",
        name="with-sessions",
        sick=the_second_card_was_taken,
        well=on_machines,
        mend=lambda cluster: cluster.machines.speak_from(SECOND.address),
        is_broken=takes_any_card,
        react=detect_address(takes_any_card),
        follows=await_second(takes_any_card),
        arguments=(*PROBED, SECOND.name),
        steps=("Set the method",),
        good="",
    ),
    Circle(
        cause="wrong-ip-autodetected",
        name="of-the-operator-with-sessions",
        sick=lambda: take_second_card(run_by_the_operator()),
        well=run_by_the_operator,
        mend=lambda cluster: cluster.machines.speak_from(SECOND.address),
        is_broken=takes_the_first,
        react=detect_address(takes_the_first),
        follows=await_second(takes_the_first),
        arguments=(*PROBED, SECOND.name),
        steps=("Set the method",),
        good="",
    ),
)
