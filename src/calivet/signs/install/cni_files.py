"""Signs of what the installation puts on a node: init containers, CNI files, programs, the node's name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import CniConfig, ListedConfig, NodenameFile, NodenameMissed
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, once
from calivet.facts.fact import EmptySearch
from calivet.facts.host import File
from calivet.facts.kubernetes import Condition, Container, Event, Pod
from calivet.facts.vocabulary.commands import narrows_listing
from calivet.facts.vocabulary.identifiers import find_cni_config_name, is_calico_cni_name, split_cni_program_path
from calivet.facts.vocabulary.messages import starts_upgrade_ipam
from calivet.facts.vocabulary.other_networks import find_owners_of_plugins
from calivet.signs.sighting import Sighting

_CONFIGURATIONS = "/etc/cni/net.d"
_IN_BUNDLES = {"flannel"}
"""Networks whose plugin came with the standard ones, and so lies on nodes of others."""
_NEEDED = ("calico", "calico-ipam", "loopback", "portmap")


def find_other_cni_file_first(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A foreign configuration that sorts before Calico's own, or is the only one."""
    for files in _collect_configurations(cluster).values():
        first = min(files)
        if not is_calico_cni_name(first):
            yield _build_file_sighting(files, first, cluster)


def find_other_cni_file_present(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A foreign configuration beside Calico's."""
    for files in _collect_configurations(cluster).values():
        for name in sorted(files)[1:]:
            if not is_calico_cni_name(name):
                yield _build_file_sighting(files, name, cluster)


def find_cni_programs_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A complete listing of the program directory that lacks what Calico's configuration calls."""
    for (host, folder), names in _collect_programs(cluster).items():
        missing = [needed for needed in _NEEDED if needed not in names]
        if _NEEDED[0] not in names and set(find_owners_of_plugins(names)) - _IN_BUNDLES:
            continue  # the network of this node is another one
        at = next(iter(names.values())).at
        if missing and (len(names) > 1 or "*" in names) and _is_listed_whole(at, cluster):
            values = {"folder": folder, "missing": ", ".join(missing)}
            yield Sighting(line=at, node=cluster.names.find_node_or_host(host), values=values)


def find_no_network_though_calico_ready(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A node that says it has no network plugin while its calico-node is ready."""
    ready = {pod.node for pod in cluster.list_latest_pods("calico-node") if pod.node and is_healthy(pod)}
    for condition in cluster.all(Condition):
        of_node = condition.kind == "node" and condition.type == "Ready" and condition.object in ready
        if of_node and "NetworkPluginNotReady" in (condition.message or ""):
            yield Sighting(line=condition.at, node=condition.object, values={"node": condition.object})


def find_cni_config_of_other_plugin(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The content of a configuration that does not call Calico."""
    for config in cluster.all(CniConfig):
        if config.plugins and not any(is_calico_cni_name(plugin) for plugin in config.plugins):
            values = {"name": config.file or config.name or "", "plugins": ", ".join(config.plugins)}
            yield Sighting(line=config.at, node=cluster.names.find_node_or_host(config.host), values=values)


def find_no_cali_interfaces(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator looked for Calico's interfaces on a node and found none."""
    for search in cluster.all(EmptySearch):
        if search.what == "cali-interfaces":
            yield Sighting(line=search.at, node=cluster.names.find_node_or_host(search.host))


def _collect_configurations(cluster: ClusterFacts) -> dict[str | None, dict[str, File | ListedConfig]]:
    found: dict[str | None, dict[str, File | ListedConfig]] = defaultdict(dict)
    for file in cluster.all(File):
        name = find_cni_config_name(file.path)
        if name and file.exists:
            found[file.host][name] = file
    for config in cluster.all(ListedConfig):
        around = cluster.artifact(config.at)
        if around and "file-listing" not in around.kinds:
            found[config.host][config.name] = config
    return found


def _collect_programs(cluster: ClusterFacts) -> dict[tuple[str | None, str], dict[str, File]]:
    found: dict[tuple[str | None, str], dict[str, File]] = defaultdict(dict)
    for file in cluster.all(File):
        place = split_cni_program_path(file.path)
        if place and (file.exists or place[1] == "*"):
            found[file.host, place[0]][place[1]] = file
    return found


def _is_listed_whole(line: Line, cluster: ClusterFacts) -> bool:
    """Whether the listing was not cut down; only then does absence say anything."""
    return cluster.artifact(line) is not None and not narrows_listing(cluster.find_command_of(line))


def _build_file_sighting(files: dict[str, File | ListedConfig], name: str, cluster: ClusterFacts) -> Sighting:
    """With Calico's own file beside it, where there is one: only then may the other be moved away."""
    file = files[name]
    folder = file.path.rpartition("/")[0] if isinstance(file, File) else ""
    own = next(filter(is_calico_cni_name, sorted(files)), "")
    values = {"file": name, "folder": folder or _CONFIGURATIONS, "own_file": own}
    return Sighting(line=file.at, node=cluster.names.find_node_or_host(file.host), values=values)


# upgrade-ipam needs seconds; this long it is stuck.
LONG = 120.0
_FAILED = ("CrashLoopBackOff", "Error", "CreateContainerError", "RunContainerError", "ContainerCannotRun")


def find_upgrade_ipam_still_running(cluster: ClusterFacts) -> Iterator[Sighting]:
    """upgrade-ipam has been running for minutes."""
    for container in cluster.all(Container):
        if (
            container.name == "upgrade-ipam"
            and container.state == "running"
            and _measure_age(container, cluster) >= LONG
        ):
            yield _build_container_sighting(container, cluster)


def find_flexvol_container_failing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """flexvol-driver ended with an error."""
    yield from find_failing_containers(cluster, ("flexvol-driver",))


def find_nodename_file_on_host(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The CNI plugin misses the nodename file although the operator found it on the host."""
    for file in cluster.all(NodenameFile):
        if file.alone and cluster.all(NodenameMissed):
            yield Sighting(line=file.at, node=cluster.names.find_node_or_host(file.host), values={"name": file.name})


def find_nodename_folder_empty(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A listing of /var/lib/calico without the nodename file."""
    listed: dict[str | None, list[File]] = defaultdict(list)
    for file in cluster.all(File):
        if file.path.startswith("/var/lib/calico"):
            listed[file.host].append(file)
    for host, files in listed.items():
        folder = [file for file in files if file.path in ("/var/lib/calico", "/var/lib/calico/", "/var/lib/calico/*")]
        if folder and not any(file.path.endswith("/nodename") and file.exists for file in files):
            yield Sighting(line=folder[0].at, node=cluster.names.find_node_or_host(host))


def find_calico_nodes_all_ready(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every calico-node that was seen is ready."""
    pods = cluster.list_latest_pods("calico-node")
    if pods and all(is_healthy(pod) for pod in pods):
        yield Sighting(line=pods[0].at)


def find_failing_containers(cluster: ClusterFacts, names: tuple[str, ...]) -> Iterator[Sighting]:
    """Containers of these names that ended with an error."""
    for container in cluster.all(Container):
        reason = container.reason or container.last_reason or ""
        ended = container.exit_code or container.last_exit_code
        if container.name in names and (reason in _FAILED or ended):
            yield _build_container_sighting(container, cluster, reason or f"exit code {ended}")


def _measure_age(container: Container, cluster: ClusterFacts) -> float:
    """How long it has run, as far as the evidence tells."""
    started, pods = _collect_ages(cluster)
    return max(started, pods.get(container.pod, 0.0))


@once
def _collect_ages(cluster: ClusterFacts) -> tuple[float, dict[str | None, float]]:
    """How long ago some upgrade-ipam was started, and how old each pod is."""
    events = (event for event in cluster.all(Event) if event.age and starts_upgrade_ipam(event.message))
    pods: dict[str | None, float] = {}
    for pod in cluster.all(Pod):
        pods[pod.name] = max(pod.age or 0.0, pods.get(pod.name, 0.0))
    return max((event.age or 0.0 for event in events), default=0.0), pods


def _build_container_sighting(container: Container, cluster: ClusterFacts, reason: str = "") -> Sighting:
    values = {"pod": container.pod or "", "container": container.name, "reason": reason}
    return Sighting(line=container.at, node=cluster.find_node_of_pod(container.pod), values=values)


SIGNS = {
    "other-cni-file-first": find_other_cni_file_first,
    "other-cni-file-present": find_other_cni_file_present,
    "no-cali-interfaces": find_no_cali_interfaces,
    "cni-programs-absent": find_cni_programs_absent,
    "cni-config-of-other-plugin": find_cni_config_of_other_plugin,
    "no-network-though-calico-ready": find_no_network_though_calico_ready,
    "upgrade-ipam-still-running": find_upgrade_ipam_still_running,
    "flexvol-container-failing": find_flexvol_container_failing,
    "nodename-file-on-host": find_nodename_file_on_host,
    "nodename-folder-empty": find_nodename_folder_empty,
    "calico-nodes-all-ready": find_calico_nodes_all_ready,
}
