"""Signs in paths of a host that calico-node needs, and in mounts that do not pass on what is mounted below them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import EmptySearch, Setting, Version
from calivet.facts.kubernetes import Event
from calivet.facts.platform import parse_minor_version
from calivet.facts.roles import find_role_of_name
from calivet.facts.vocabulary.messages import lacks_bpf_directory, refuses_container
from calivet.signs.sighting import Sighting

# What calico-node asks to be shared with the host. /var/run is a link to /run nearly everywhere.
_WANTED = ("/sys/fs/bpf", "/sys/fs", "/run/calico")
_SAME = {"/var/run": "/run", "/var/run/calico": "/run/calico"}
_NOT_STARTED = ("RunContainerError", "CreateContainerError")


def find_mount_not_shared(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A mount under which calico-node needs a shared one is private."""
    for node, mounts in _collect_mounts(cluster).items():
        for setting in _list_private_mounts(mounts):
            values = {"mount": setting.key, "kind": str(setting.value)}
            yield Sighting(line=setting.at, node=node, values=values)


def find_no_shared_mount(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator looked for shared mounts and found none."""
    for search in cluster.all(EmptySearch):
        if search.what == "shared-mounts":
            yield Sighting(line=search.at, node=cluster.names.find_node_or_host(search.host))


def find_refused_beside_private_mount(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The runtime does not start a container of calico-node on a host with such a mount."""
    sick = {node for node, mounts in _collect_mounts(cluster).items() if any(_list_private_mounts(mounts))}
    for pod in cluster.list_latest_pods("calico-node"):
        if any(word in (pod.status or "") for word in _NOT_STARTED) and _is_on(pod.node, sick):
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "status": pod.status or ""})
    for event in cluster.all(Event):
        node = event.node or cluster.find_node_of_pod(event.object)
        of_agent = find_role_of_name(event.object or "") == "calico-node"
        if of_agent and event.reason == "Failed" and refuses_container(event.message) and _is_on(node, sick):
            yield Sighting(line=event.at, node=node, values={"pod": event.object or "", "status": event.reason})


def _is_on(node: str | None, sick: set[str | None]) -> bool:
    """Where either is not known, one sick host is enough to think of."""
    return bool(sick) and (node is None or node in sick or None in sick)


def _list_private_mounts(mounts: dict[str, Setting]) -> list[Setting]:
    """The mounts on which the wanted paths lie, where these are not shared; the deepest that is shown counts."""
    holders = {holder for path in _WANTED if (holder := _find_holder(path, mounts))}
    found = [mounts[holder] for holder in sorted(holders)]
    return [setting for setting in found if "shared" not in str(setting.value)]


def _find_holder(path: str, mounts: dict[str, Setting]) -> str | None:
    above = [mount for mount in mounts if path == mount or path.startswith(mount.rstrip("/") + "/")]
    return max(above, key=len, default=None)


def _collect_mounts(cluster: ClusterFacts) -> dict[str | None, dict[str, Setting]]:
    """By node, as they were found: what is made shared by hand later was not so when calico-node failed."""
    found: dict[str | None, dict[str, Setting]] = defaultdict(dict)
    for setting in cluster.all(Setting):
        if setting.program == "mount":
            node = cluster.names.find_node_or_host(setting.host)
            found[node].setdefault(_SAME.get(setting.key, setting.key), setting)
    return found


# Kernels from here on offer /sys/fs/bpf themselves.
WITH_BPF = (4, 4)


def find_bpf_path_hidden(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel has the BPF file system, yet its directory is missing: the host is a container without that mount."""
    events = (event for event in cluster.all(Event) if lacks_bpf_directory(event.message))
    lacking = {event.node or cluster.find_node_of_pod(event.object) for event in events}
    for version in cluster.all(Version):
        node = cluster.names.find_node_or_host(version.host)
        kernel = parse_minor_version(version.version) if version.program == "kernel" else None
        if node and node in lacking and kernel and kernel >= WITH_BPF:
            yield Sighting(line=version.at, node=node, values={"kernel": version.version})


SIGNS = {
    "mount-not-shared": find_mount_not_shared,
    "no-shared-mount": find_no_shared_mount,
    "refused-beside-private-mount": find_refused_beside_private_mount,
    "bpf-path-hidden": find_bpf_path_hidden,
}
