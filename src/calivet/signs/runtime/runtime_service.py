"""Signs of a container runtime that is down, restarts, or no longer answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import HealthReport
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Command, Note, Setting
from calivet.facts.host import CommandRun, NodeProbe, Unit
from calivet.facts.kubernetes import Container, Event, Node, Pod
from calivet.facts.roles import find_role_of_name
from calivet.facts.runtime import list_interrupted_commands
from calivet.facts.vocabulary.commands import (
    asks_runtime,
    find_drained_words,
    find_exec_words,
    find_restarted_runtime_unit,
    find_runtime_client,
    picks_placement_events,
    reboots,
)
from calivet.facts.vocabulary.messages import abbreviate, tells_of_restarts
from calivet.signs.sighting import Sighting

_RUNTIMES = ("containerd", "docker", "crio", "cri-docker", "cri-dockerd", "k3s", "rke2-agent")
_FAILED = ("failed", "activating")
# Where Calico's manifests install, and the distributions that are told to install elsewhere.
_CNI_DIRECTORIES = (
    "/opt/cni/bin",
    "/etc/cni/net.d",
    "/var/snap/",
    "/var/lib/rancher",
    "/var/lib/cni",
    "/home/kubernetes",
)
_HOST_NETWORK = ("calico-node", "kube-proxy", "etcd", "apiserver", "controller-manager", "scheduler")
OFTEN = 5
MANY_RESTARTS = 8


def find_runtime_unit_down(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The service of the runtime failed, or the runtime that the node reports is stopped."""
    in_use = {node.name: (node.runtime or "").split("://")[0] for node in cluster.all(Node) if node.runtime}
    for unit in cluster.all(Unit):
        node = cluster.names.find_node_or_host(unit.host)
        needed = in_use.get(str(node), "").replace("cri-o", "crio")
        stopped = unit.active == "inactive" and needed.startswith(unit.name)
        if unit.name in _RUNTIMES and (unit.active in _FAILED or stopped):
            values = {"unit": unit.name, "state": f"{unit.active} ({unit.sub})" if unit.sub else str(unit.active)}
            yield Sighting(line=unit.at, node=node, values=values)


def find_runtime_process_stopped(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The process of the runtime was stopped by a signal: it holds its socket and does nothing."""
    for setting in cluster.all(Setting):
        if setting.program in _RUNTIMES and (setting.key, setting.value) == ("state", "T"):
            node = cluster.names.find_node_or_host(setting.host)
            yield Sighting(line=setting.at, node=node, values={"program": setting.program})


def find_host_pod_sandbox_changed_often(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The sandbox of a host-network pod is replaced again and again, and no network plugin can be blamed for it."""
    for event in cluster.all(Event):
        if event.reason == "SandboxChanged" and event.count >= OFTEN and _is_of_host_network(event):
            node = event.node or cluster.find_node_of_pod(event.object)
            values = {"pod": event.object or "calico-node", "count": str(event.count)}
            yield Sighting(line=event.at, node=node, values=values, count=event.count)


def find_node_pods_all_restart(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node and kube-proxy of one node restart alike: what ends them is not Calico's."""
    latest: dict[str, dict[str, Pod]] = defaultdict(dict)
    for pod in cluster.all(Pod):
        if pod.node and cluster.role(pod) in _HOST_NETWORK:
            latest[pod.node][cluster.role(pod)] = pod
    for node, pods in latest.items():
        restless = {kind: pod for kind, pod in pods.items() if (pod.restarts or 0) >= MANY_RESTARTS}
        if "calico-node" in restless and len(restless) > 1:
            others = [pod.name for kind, pod in restless.items() if kind != "calico-node"]
            values = {"node": node, "pods": ", ".join(others)}
            yield Sighting(line=restless["calico-node"].at, node=node, values=values)


def find_cni_directory_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The runtime looks for CNI files where Calico does not install."""
    for setting in cluster.all(Setting):
        directory = str(setting.value)
        wanted = setting.program in ("containerd", "crio") and setting.key in ("bin_dir", "conf_dir", "network_dir")
        if wanted and directory.startswith("/") and not directory.rstrip("/").startswith(_CNI_DIRECTORIES):
            node = cluster.names.find_node_or_host(setting.host)
            yield Sighting(line=setting.at, node=node, values={"directory": directory})


def find_healthy_though_restarts_told(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix reports live and ready where the author speaks of a pod that keeps restarting."""
    told = any(tells_of_restarts(note.text) for note in cluster.all(Note))
    for report in cluster.all(HealthReport):
        if told and report.component is None and report.live and report.ready:
            yield Sighting(line=report.at, node=cluster.names.find_node_or_host(report.host))


def _is_of_host_network(event: Event) -> bool:
    """Whether the event is of a host-network pod; one without an object stands under the pod that is described."""
    return event.object is None or find_role_of_name(event.object) in _HOST_NETWORK


# What each client asks; crictl asks whatever kubelet asks.
_RUNTIME_OF_CLIENT = {"ctr": "containerd", "docker": "docker"}
PROMPT = 1.0
"""Seconds that an ordinary command may take on a machine that is not itself the trouble."""
ENOUGH = 5
"""So many other commands must have ended before their times say something about the machine."""


def find_runtime_silent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The runtime did not answer within the probe's deadline, on a machine where other commands end at once."""
    for run in _list_client_runs(cluster):
        if run.timed_out and _is_prompt(cluster, run.host):
            values = {"command": run.command, "seconds": f"{run.seconds or 0:.0f}"}
            yield Sighting(line=run.at, node=cluster.names.find_node_or_host(run.host), values=values)


def find_runtime_refuses(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Its client failed at once, though it ran as root."""
    roots = {probe.host for probe in cluster.all(NodeProbe) if probe.user == "root"}
    for run in _list_client_runs(cluster):
        if run.exit and not run.timed_out and run.host in roots:
            values = {"command": run.command, "code": str(run.exit)}
            yield Sighting(line=run.at, node=cluster.names.find_node_or_host(run.host), values=values)


def _list_client_runs(cluster: ClusterFacts) -> Iterator[CommandRun]:
    """What was asked of the runtime that kubelet uses: an idle docker beside it is no fault."""
    in_use = {node.name: (node.runtime or "").split("://")[0] for node in cluster.all(Node)}
    for run in cluster.all(CommandRun):
        client = find_runtime_client(run.command)
        used = in_use.get(cluster.names.node(run.host) or "")
        if client and (not used or _RUNTIME_OF_CLIENT.get(client, used) == used):
            yield run


def _is_prompt(cluster: ClusterFacts, host: str | None) -> bool:
    others = [run.seconds for run in cluster.on(host, CommandRun) if run.seconds is not None]
    return len(others) > ENOUGH and sorted(others)[len(others) // 2] < PROMPT


def find_restarted_runtime(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator restarted the container runtime."""
    for command in cluster.all(Command):
        if unit := find_restarted_runtime_unit(command.line):
            node = cluster.names.find_node_or_host(command.host)
            yield Sighting(line=command.at, node=node, values={"unit": unit})


def find_drained_and_rebooted(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator drained a node and rebooted it."""
    if not any(reboots(command.line) for command in cluster.all(Command)):
        return
    for command in cluster.all(Command):
        words = find_drained_words(command.line)
        if words is not None:
            yield Sighting(line=command.at, node=_find_drained_node(words, cluster))


def _find_drained_node(words: list[str], cluster: ClusterFacts) -> str | None:
    """The node among the words of a drain: one that is known, else the first that is no option."""
    known = (cluster.names.node(word) for word in words)
    return next((node for node in known if node), None) or next(filter(_is_name, words), None)


def _is_name(word: str) -> bool:
    """Neither an option nor an option's figure."""
    return word[0].isalpha()


# kubelet speaks of a pod within seconds, and of a volume that does not come after two minutes.
LONG = 300.0
_BEFORE_KUBELET = ("Scheduled", "FailedScheduling")
NOT_BEGUN = ("Init:0/", "Pending", "ContainerCreating", "PodInitializing")


def find_pod_left_alone(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A calico-node pod was given to a node minutes ago, and its kubelet has not said a word about it since."""
    yield from _list_waiting_pods(cluster)


def find_node_stands_still(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Where such a pod waits, others can neither be begun nor be ended."""
    waiting = {sighting.node for sighting in _list_waiting_pods(cluster) if sighting.node}
    ending: dict[str, list[Pod]] = defaultdict(list)
    beginning: dict[str, list[Pod]] = defaultdict(list)
    for pod in {pod.name: pod for pod in cluster.all(Pod)}.values():
        if pod.node in waiting and pod.status == "Terminating":
            ending[pod.node].append(pod)
        elif pod.node in waiting and cluster.role(pod) != "calico-node" and _is_not_begun(pod):
            beginning[pod.node].append(pod)
    for node, pods in ending.items():
        if beginning[node]:
            values = {"ending": pods[0].name, "beginning": beginning[node][0].name}
            yield Sighting(line=pods[0].at, node=node, values=values)


def find_runtime_given_up(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Somebody asked the runtime for a list, waited in vain and interrupted it."""
    for command in list_interrupted_commands(cluster):
        if asks_runtime(command.line):
            node = cluster.names.find_node_or_host(command.host)
            yield Sighting(line=command.at, node=node, values=_shorten_command(command))


def find_exec_given_up(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The simplest of commands did not come back from inside a container."""
    for command in list_interrupted_commands(cluster):
        if words := find_exec_words(command.line):
            pods = (cluster.find_node_of_pod(word.split("/")[-1]) for word in words)
            node = next((node for node in pods if node), None) or cluster.names.node(command.host)
            yield Sighting(line=command.at, node=node, values=_shorten_command(command))


@once
def _list_waiting_pods(cluster: ClusterFacts) -> list[Sighting]:
    events: dict[str, list[Event]] = defaultdict(list)
    for event in cluster.all(Event):
        if event.object and find_role_of_name(event.object) == "calico-node":
            events[event.object].append(event)
    begun = {one.pod for one in cluster.all(Container) if one.state in ("running", "terminated") or one.restarts}
    silent = {node.name for node in cluster.all(Node) if node.ready is False}
    latest = {pod.name: pod for pod in cluster.all(Pod)}
    # Some versions show no age for what the scheduler says; then it is the pod's own.
    ages = {pod.name: pod.age for pod in cluster.all(Pod) if pod.age}
    found = []
    for name, seen in events.items():
        scheduled = next((event for event in seen if event.reason == "Scheduled"), None)
        node = cluster.find_node_of_pod(name) or (scheduled.host if scheduled else None)
        only = scheduled and all(event.reason in _BEFORE_KUBELET for event in seen)
        waited = (scheduled.age if scheduled else None) or ages.get(name, 0.0)
        if not scheduled or not only or waited < LONG or name in begun or node in silent:
            continue
        if (name not in latest or _is_not_begun(latest[name])) and not picks_placement_events(
            cluster.find_command_of(scheduled.at)
        ):
            values = {"pod": name, "minutes": f"{waited / 60:.0f}"}
            found.append(Sighting(line=scheduled.at, node=node, values=values))
    return found


def _is_not_begun(pod: Pod) -> bool:
    return pod.status is None or pod.status.startswith(NOT_BEGUN)


def _shorten_command(command: Command) -> dict[str, str]:
    return {"command": abbreviate(command.line)}


SIGNS = {
    "runtime-unit-down": find_runtime_unit_down,
    "runtime-process-stopped": find_runtime_process_stopped,
    "host-pod-sandbox-changed-often": find_host_pod_sandbox_changed_often,
    "healthy-though-restarts-told": find_healthy_though_restarts_told,
    "node-pods-all-restart": find_node_pods_all_restart,
    "cni-directory-differs": find_cni_directory_differs,
    "runtime-silent": find_runtime_silent,
    "runtime-refuses": find_runtime_refuses,
    "restarted-runtime": find_restarted_runtime,
    "drained-and-rebooted": find_drained_and_rebooted,
    "pod-left-alone": find_pod_left_alone,
    "node-stands-still": find_node_stands_still,
    "runtime-given-up": find_runtime_given_up,
    "exec-given-up": find_exec_given_up,
}
