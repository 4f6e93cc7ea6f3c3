"""Signs of a machine that is short of something: CPU, memory, disk, inotify instances."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.fact import Count, Reach
from calivet.facts.host import CommandRun, Cpu, Disk, Load, Pressure, Sysctl, convert_to_kibibytes
from calivet.facts.kubernetes import Condition, Container, Object, Row
from calivet.facts.roles import find_role_of_name
from calivet.facts.runtime import CgroupKills, CgroupMemory
from calivet.facts.times import count_seconds_between
from calivet.facts.vocabulary.commands import waits_for_others
from calivet.signs.sighting import Sighting

FULL_USAGE = 95
HIGH_LOAD = 20.0
TIMES_HEALTHY = 5.0
_USAGE = {"CPU%": "CPU", "MEMORY%": "memory"}


def find_node_usage_at_limit(cluster: ClusterFacts) -> Iterator[Sighting]:
    """`kubectl top` shows a node that has no CPU or memory left."""
    for row in cluster.all(Row):
        for header, resource in _USAGE.items():
            usage = row.cells.get(header, "")
            share = usage.removesuffix("%")
            if share != usage and share.isdigit() and int(share) >= FULL_USAGE and row.name:
                node = cluster.names.find_node_or_host(row.name)
                values = {"node": node, "usage": usage, "resource": resource}
                yield Sighting(line=row.at, node=node, values=values)
    yield from _find_busy_nodes(cluster)


def _find_busy_nodes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kubelet's own measurement against the CPUs that the node has."""
    cores = {thing.name: str(thing.values.get("status.capacity.cpu", "")) for thing in cluster.all(Object)}
    for cpu in cluster.all(Cpu):
        node = cluster.names.find_node_or_host(cpu.host)
        count = cores.get(node, "")
        if cpu.used and count.isdigit() and 100 * cpu.used >= FULL_USAGE * int(count):
            values = {"node": str(node), "usage": f"{100 * cpu.used / int(count):.0f}%", "resource": _USAGE["CPU%"]}
            yield Sighting(line=cpu.at, node=node, values=values)


def find_loaded_node_is_sick(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The calico-node that fails is the one on a machine with many times the load of the healthy ones."""
    latest = {cluster.names.find_node_or_host(load.host): load for load in cluster.all(Load) if load.host}
    calm = [load.one for node, load in latest.items() if node in cluster.healthy_nodes]
    for pod in cluster.list_latest_pods("calico-node"):
        load = latest.get(pod.node or "")
        if load and is_sick(pod) and load.one >= HIGH_LOAD and (not calm or load.one >= TIMES_HEALTHY * max(calm)):
            yield Sighting(line=pod.at, node=pod.node, values={"node": str(pod.node), "load": f"{load.one:g}"})


TIMES_OTHERS = 5.0
TIMES_CPUS = 2.0
# Below this a high ratio only says that the others are idle.
WORTH_TALKING = 8.0


def find_load_many_times_others(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A host whose load is many times that of the others."""
    latest = {load.host: load for load in cluster.all(Load) if load.host}
    lowest = min((load.one for load in latest.values()), default=0.0)
    # Two sick nodes must not hide each other: only those that are not themselves loaded tell what is usual.
    calm = sorted(load.one for load in latest.values() if not _is_high(load, lowest))
    usual = calm[len(calm) // 2] if calm else 0.0
    for host, load in latest.items():
        if _is_high(load, usual):
            values = {"load": f"{load.one:g}", "others": f"{usual:g}", "host": str(host)}
            yield Sighting(line=load.at, node=cluster.names.find_node_or_host(host), values=values)


def find_load_over_cpus(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A host with far more work than CPUs."""
    counts = {cpu.host: cpu.count for cpu in cluster.all(Cpu) if cpu.count}
    for load in cluster.all(Load):
        cpus = load.cpus or counts.get(load.host)
        if cpus and load.one >= TIMES_CPUS * cpus and load.one >= WORTH_TALKING:
            values = {"load": f"{load.one:g}", "cpus": str(cpus)}
            yield Sighting(line=load.at, node=cluster.names.find_node_or_host(load.host), values=values)


def _is_high(load: Load, usual: float) -> bool:
    return load.one >= WORTH_TALKING and load.one >= TIMES_OTHERS * max(usual, 0.1)


# Percent of the last minute. A busy machine lets some work wait for CPU; hardly any lets all of it wait.
MOST_WAITING = {"cpu": 80.0, "memory": 20.0, "io": 60.0}
_HEALTH = (9098, 9099)


def find_pressure_high(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel counts that work stood still for want of a resource."""
    for pressure in cluster.all(Pressure):
        waiting = pressure.some if pressure.resource == "cpu" else pressure.full
        if waiting is not None and waiting >= MOST_WAITING.get(pressure.resource, 100.0):
            values = {"resource": pressure.resource, "share": f"{waiting:.0f}"}
            yield Sighting(line=pressure.at, node=cluster.names.find_node_or_host(pressure.host), values=values)


def find_host_command_silent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A plain command of the host itself, such as df or ps, did not come back."""
    for run in cluster.all(CommandRun):
        if run.timed_out and not waits_for_others(run.command):
            values = {"command": run.command, "seconds": f"{run.seconds or 0:.0f}"}
            yield Sighting(line=run.at, node=cluster.names.find_node_or_host(run.host), values=values)


def find_health_port_silent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix or Typha took the connection to its health port and did not answer."""
    for reach in cluster.all(Reach):
        waited = reach.protocol == "http" and reach.outcome == "timeout" and "bytes received" in (reach.detail or "")
        if waited and reach.port in _HEALTH and not reach.pod:
            yield Sighting(
                line=reach.at, node=cluster.names.find_node_or_host(reach.host), values={"port": str(reach.port)}
            )


_PARTS = ("calico-node", "typha", "kube-controllers")
_ALL_PARTS = (*_PARTS, "operator", "calico-apiserver")
_CALICO_CONTAINERS = (
    "calico-node",
    "install-cni",
    "upgrade-ipam",
    "calico-typha",
    "calico-kube-controllers",
    "mount-bpffs",
)
REACHED = 0.99
"""Of the limit: the kernel counts in pages, and in pages that it has not given back yet."""
_KIBI = 1024


def find_calico_cgroup_kills(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel killed processes in a cgroup that the command says is Calico's."""
    for seen in cluster.all(CgroupKills):
        node = cluster.find_node_of_pod(seen.pod) or cluster.names.find_node_or_host(seen.host)
        yield Sighting(line=seen.at, node=node, values={"kills": str(seen.kills)})


def find_calico_limit_reached(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Memory of Calico's container that went up to its limit."""
    limits = _collect_limits(cluster)
    for cgroup in cluster.all(CgroupMemory):
        if cgroup.peak >= REACHED * cgroup.limit and (cgroup.calico or cgroup.limit // _KIBI in limits):
            values = {"limit": f"{cgroup.limit / _KIBI**2:.0f}Mi"}
            yield Sighting(line=cgroup.at, node=cluster.names.find_node_or_host(cgroup.host), values=values)
    yield from _find_pods_at_limit(cluster)


def _find_pods_at_limit(cluster: ClusterFacts) -> Iterator[Sighting]:
    """`kubectl top` beside the limit of the same pod."""
    limits = {one.pod: one.memory_limit for one in cluster.all(Container) if one.pod and one.memory_limit}
    for row in cluster.all(Row):
        used = convert_to_kibibytes(row.cells.get("MEMORY(bytes)", ""))
        pod = row.cells.get("POD") or row.name or ""
        limit = convert_to_kibibytes(limits.get(pod) or "")
        if used and limit and find_role_of_name(pod) in _PARTS and used >= REACHED * limit:
            yield Sighting(line=row.at, node=cluster.find_node_of_pod(pod), values={"limit": str(limits[pod])})


@once
def _collect_limits(cluster: ClusterFacts) -> set[int]:
    """The limits of Calico's containers in KiB; of a container without its pod, the name tells."""
    own = (one for one in cluster.all(Container) if one.name in _PARTS or find_role_of_name(one.pod or "") in _PARTS)
    sizes = (convert_to_kibibytes(one.memory_limit) for one in own if one.memory_limit)
    return {int(size) for size in sizes if size}


def find_calico_container_oomkilled(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A container of Calico that ended as OOMKilled."""
    now = max((one.heard for one in cluster.all(Condition) if one.heard), default=None)
    for container in cluster.all(Container):
        ours = container.name in _CALICO_CONTAINERS or find_role_of_name(container.pod or "") in _ALL_PARTS
        if ours and "OOMKilled" in (container.reason, container.last_reason) and not _is_long_over(container, now):
            values = {"container": container.name, "pod": container.pod or "?"}
            yield Sighting(line=container.at, node=cluster.find_node_of_pod(container.pod), values=values)


LONG = 86_400
"""Seconds that a container ran before it was ended: what takes longer to come about is not what is wrong now."""


A_WEEK = 7 * 86_400


def _is_long_over(container: Container, now: datetime | None) -> bool:
    """Whether it has been ready since, for a week as the nodes tell the time, or was ended but once, after days."""
    if not container.ready or container.reason == "OOMKilled":
        return False
    if (count_seconds_between(container.last_finished, now) or 0) >= A_WEEK:
        return True
    if (container.restarts or 0) > 1:
        return False
    if not (container.last_started and container.last_finished):
        return False
    return (container.last_finished - container.last_started).total_seconds() > LONG


FULL_DISK = 97.0
ROOM = 80.0
_LIMIT = "fs.inotify.max_user_instances"
NEARLY = 0.9
SMALL = 1024
"""The count is of all users, the limit is for each: where it is large, the two have little to do with each other."""


def find_disk_at_limit(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A file system that the node lives on has no space or no inodes left."""
    for disk in cluster.all(Disk):
        if disk.used >= FULL_DISK and disk.of_node:
            node = cluster.names.find_node_or_host(disk.host)
            what = "inodes" if disk.inodes else "space"
            values = {"mount": disk.mount, "used": f"{disk.used:.0f}%", "what": what}
            yield Sighting(line=disk.at, node=node, values=values)


def find_disks_have_room(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every file system that was shown, space and inodes, is far from full."""
    shown = [disk for disk in cluster.all(Disk) if disk.of_node]
    fullest = max(shown, key=lambda disk: disk.used, default=None)
    if fullest and fullest.used <= ROOM:
        yield Sighting(line=fullest.at, values={"used": f"{fullest.used:.0f}%"})


def find_inotify_instances_near_limit(cluster: ClusterFacts) -> Iterator[Sighting]:
    """As many descriptors of inotify are open as one user may have."""
    limits = {fact.host: int(fact.value) for fact in cluster.all(Sysctl) if fact.key == _LIMIT and fact.value.isdigit()}
    for count in cluster.all(Count):
        limit = limits.get(count.host) if count.what == "inotify-instances" else None
        if limit and limit <= SMALL and count.number >= NEARLY * limit:
            values = {"count": str(count.number), "limit": str(limit)}
            yield Sighting(line=count.at, node=cluster.names.find_node_or_host(count.host), values=values)


SIGNS = {
    "node-usage-at-limit": find_node_usage_at_limit,
    "loaded-node-is-sick": find_loaded_node_is_sick,
    "load-many-times-others": find_load_many_times_others,
    "load-over-cpus": find_load_over_cpus,
    "pressure-high": find_pressure_high,
    "host-command-silent": find_host_command_silent,
    "health-port-silent": find_health_port_silent,
    "calico-container-oomkilled": find_calico_container_oomkilled,
    "calico-cgroup-kills": find_calico_cgroup_kills,
    "calico-limit-reached": find_calico_limit_reached,
    "disk-at-limit": find_disk_at_limit,
    "disks-have-room": find_disks_have_room,
    "inotify-instances-near-limit": find_inotify_instances_near_limit,
}
