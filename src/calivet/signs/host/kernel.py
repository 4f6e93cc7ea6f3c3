"""Signs of what the kernel and the CPU below it do not offer or do not permit."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import DataplaneMode
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, once
from calivet.facts.fact import Variable, Version
from calivet.facts.host import CpuBelowLevel, KernelModule
from calivet.facts.kubernetes import Container, Node, Object, Pod, Row, has_crashed
from calivet.facts.platform import find_image_architecture, find_last_version, has_ported_bpf, parse_minor_version
from calivet.facts.roles import find_role_of_name
from calivet.facts.runtime import CalicoImage, FormatError
from calivet.facts.security import ContainerTrial, DeniedWrite, HostWrite, SelinuxMode
from calivet.signs.sighting import Sighting

_NEED = {"eBPF": (5, 3), "WireGuard": (5, 6), "nftables": (5, 13)}
_NEW = (5, 10)
_NEEDED = frozenset(
    "ip_tables ip6_tables xt_set ipt_set xt_addrtype xt_conntrack xt_mark xt_multiport xt_rpfilter xt_comment ipip"
    " vxlan".split()
)
_ARCHITECTURES = {
    "amd64": "amd64",
    "x86_64": "amd64",
    "arm64": "arm64",
    "aarch64": "arm64",
    "ppc64le": "ppc64le",
    "s390x": "s390x",
}
_ASKED = {
    "eBPF": (("bpfEnabled", "true"), ("FELIX_BPFENABLED", "true"), ("linuxDataplane", "bpf")),
    "WireGuard": (("wireguardEnabled", "true"), ("FELIX_WIREGUARDENABLED", "true")),
    "nftables": (("nftablesMode", "enabled"), ("FELIX_NFTABLESMODE", "enabled"), ("linuxDataplane", "nftables")),
}


def find_kernel_below_need(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A kernel that is older than the mode that was asked for needs."""
    for mode, need in _NEED.items():
        if not _is_mode_wanted(cluster, mode):
            continue
        for node, kernel, line in _list_kernels(cluster):
            version = parse_minor_version(kernel)
            if version and version < need and not (mode == "eBPF" and has_ported_bpf(kernel)):
                want = ".".join(map(str, need))
                values = {"have": kernel, "mode": mode, "want": want}
                yield Sighting(line=line, node=node, values=values)


def find_kernel_new_enough(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Every kernel that was seen is new enough for any mode."""
    kernels = list(_list_kernels(cluster))
    if kernels and all((parse_minor_version(kernel) or (0, 0)) >= _NEW for _, kernel, _ in kernels):
        _, kernel, line = kernels[0]
        yield Sighting(line=line, values={"have": kernel})


def find_needed_module_absent(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A tool did not find a module that Calico's rules or tunnels are made of."""
    loaded = {(fact.host, fact.name) for fact in cluster.all(KernelModule) if fact.loaded}
    for fact in cluster.all(KernelModule):
        if not fact.loaded and _is_needed(fact.name) and (fact.host, fact.name) not in loaded:
            node = cluster.names.find_node_or_host(fact.host)
            yield Sighting(line=fact.at, node=node, values={"module": fact.name})


def find_image_architecture_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An image whose name says another architecture than its node's."""
    nodes = {node.name: _ARCHITECTURES.get(node.arch or "") for node in cluster.all(Node)}
    for container in cluster.all(Container):
        built = find_image_architecture(container.image or "")
        node = cluster.find_node_of_pod(container.pod)
        arch = nodes.get(node or "")
        if built and arch and built != arch:
            values = {"image": str(container.image), "built": built, "node": str(node), "arch": arch}
            yield Sighting(line=container.at, node=node, values=values)


def find_format_unknown_though_it_fits(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A program is called of a wrong format where the same DaemonSet runs on nodes of the same architecture."""
    kinds = {node.name: found for node in cluster.all(Node) if (found := _ARCHITECTURES.get(node.arch or ""))}
    works = {kinds.get(pod.node or "") for pod in cluster.list_latest_pods("calico-node") if is_healthy(pod)}
    for error in cluster.all(FormatError):
        node = cluster.find_node_of_pod(error.pod) or cluster.names.node(error.host)
        if (arch := kinds.get(node or "")) and arch in works:
            yield Sighting(line=error.at, node=node, values={"arch": arch})


def find_program_crashes_here_alone(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel ends a program of Calico's again and again where the same DaemonSet runs on another node."""
    works = any(is_healthy(pod) for pod in cluster.list_latest_pods("calico-node"))
    for container in cluster.all(Container) if works else ():
        if container.name in _CONTAINERS and (container.restarts or 0) > 1 and has_crashed(container):
            node = cluster.find_node_of_pod(container.pod)
            yield Sighting(line=container.at, node=node, values={"container": container.name})


def _list_kernels(cluster: ClusterFacts) -> Iterator[tuple[str | None, str, Line]]:
    """The kernel of each machine, once, wherever it was shown."""
    found: dict[tuple[str | None, str], Line] = {}
    for node in cluster.all(Node):
        if node.kernel:
            found.setdefault((node.name, node.kernel), node.at)
    for row in cluster.all(Row):
        kernel = row.cells.get("KERNEL") or row.cells.get("KERNEL-VERSION")
        if kernel and row.name:
            found.setdefault((cluster.names.find_node_or_host(row.name), kernel), row.at)
    for fact in cluster.all(Version):
        if fact.program == "kernel":
            found.setdefault((cluster.names.find_node_or_host(fact.host), fact.version), fact.at)
    yield from ((node, kernel, line) for (node, kernel), line in found.items())


def _is_needed(module: str) -> bool:
    """ipset's modules come under many names."""
    return module in _NEEDED or module.startswith("ip_set")


def _is_mode_wanted(cluster: ClusterFacts, mode: str) -> bool:
    """Whether an object or a variable asks for the mode, or a program says that it works in it."""
    wanted = dict.fromkeys(_ASKED[mode])
    if any((variable.name, variable.value.lower()) in wanted for variable in cluster.all(Variable)):
        return True
    if any(told.mode == mode and not told.mentioned for told in cluster.all(DataplaneMode)):
        return True
    return any(
        (path.rsplit(".", 1)[-1], str(value).lower()) in wanted
        for thing in cluster.all(Object)
        for path, value in thing.values.items()
    )


# The first Calico whose images are built for the second level.
_BUILT_SINCE = (3, 31)
_PARTS = ("calico-node", "calico-cni", "typha", "kube-controllers", "flexvol-driver", "calico-apiserver")
_CONTAINERS = ("calico-node", "install-cni", "upgrade-ipam", "flexvol-driver", "mount-bpffs", "ebpf-bootstrap")
# With this the loader ends a program that it may not run here, and the shell one that it does not find.
_NOT_LOADED = 127


def find_cpu_below_second_level(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A CPU of the x86-64 family without the instructions that newer images are built for."""
    yield from _find_by_flags(cluster)


def find_loader_below_second_level(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The dynamic loader does not mark the second level as one that this CPU supports."""
    yield from _find_by_loader(cluster)


def find_old_cpu_under_new_images(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Images that need the second level, and a machine below it on which containers of calico-node die."""
    version = _find_image_version(cluster)
    if (parse_minor_version(version) or (0, 0)) < _BUILT_SINCE:
        return
    old = {one.node: one for one in (*_find_by_loader(cluster), *_find_by_flags(cluster))}
    dying = {pod.node for pod in cluster.list_latest_pods("calico-node") if _is_dying(pod)}
    for node, one in old.items():
        if node in dying or (node is None and dying and not cluster.healthy_nodes):
            yield Sighting(line=one.line, node=node, values={"version": version})


def find_calico_not_loaded(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A container of Calico that the loader ended in the very second in which it was started."""
    for container in cluster.all(Container):
        ends = (
            (container.exit_code, container.started, container.finished),
            (container.last_exit_code, container.last_started, container.last_finished),
        )
        own = container.name in _CONTAINERS or find_role_of_name(container.pod or "") in _PARTS
        if own and any(code == _NOT_LOADED and began and began == ended for code, began, ended in ends):
            node = cluster.find_node_of_pod(container.pod)
            yield Sighting(line=container.at, node=node, values={"container": container.name})


@once
def _find_image_version(cluster: ClusterFacts) -> str:
    """The version of Calico's images that was seen last, in a list or wherever an image is named."""
    told = find_last_version(cluster, _PARTS)
    named = (image.version for image in cluster.all(CalicoImage))
    return told.version if told and told.version else next(named, "")


def _is_dying(pod: Pod) -> bool:
    """A program that runs, though it be not ready, is not one that cannot run here."""
    return any(word in (pod.status or "") for word in ("CrashLoopBackOff", "Error"))


@once
def _find_by_flags(cluster: ClusterFacts) -> list[Sighting]:
    found: dict[str | None, Sighting] = {}
    for cpu in cluster.all(CpuBelowLevel):
        node = cluster.names.find_node_or_host(cpu.host)
        # All cores of a machine are alike.
        if cpu.missing and node not in found:
            found[node] = Sighting(line=cpu.at, node=node, values={"missing": ", ".join(cpu.missing)})
    return list(found.values())


@once
def _find_by_loader(cluster: ClusterFacts) -> list[Sighting]:
    below = (cpu for cpu in cluster.all(CpuBelowLevel) if not cpu.missing)
    return [Sighting(line=cpu.at, node=cluster.names.find_node_or_host(cpu.host)) for cpu in below]


ENFORCING = "enforcing"


def find_enforcing_where_sick_only(cluster: ClusterFacts) -> Iterator[Sighting]:
    """SELinux enforces on nodes that are sick, and on none of those that are well."""
    told = ((cluster.names.find_node_or_host(one.host), one) for one in cluster.all(SelinuxMode))
    modes = {node: one for node, one in told if node}
    well = sorted(node for node in cluster.healthy_nodes if node in modes)
    if not well or any(modes[node].mode == ENFORCING for node in well):
        return
    for node in sorted(cluster.sick_nodes):
        mode = modes.get(node)
        if mode and mode.mode == ENFORCING:
            values = {"sick": node, "well": well[0], "mode": modes[well[0]].mode}
            yield Sighting(line=mode.at, node=node, values=values)


def find_denied_though_host_may_write(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico's container was refused where somebody on the host wrote without trouble."""
    denied = {write.place for write in cluster.all(DeniedWrite)}
    for write in cluster.all(HostWrite):
        if any(write.place.startswith(place) or place.startswith(write.place) for place in denied):
            yield _build_write_sighting(write, cluster)


def find_host_may_write(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Somebody wrote into one of Calico's directories on the host, so it is not read-only."""
    yield from (_build_write_sighting(write, cluster) for write in cluster.all(HostWrite))


def find_privileged_may_write(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An ordinary container is refused what a privileged or unconfined one may do on the same machine."""
    trials = cluster.all(ContainerTrial)
    free = {trial.host for trial in trials if trial.free and not trial.denied}
    for trial in trials:
        bound = not trial.free and not trial.mapped
        if bound and trial.denied and trial.host in free:
            yield Sighting(line=trial.at, node=cluster.names.find_node_or_host(trial.host))


def _build_write_sighting(write: HostWrite, cluster: ClusterFacts) -> Sighting:
    node = cluster.names.find_node_or_host(write.host)
    return Sighting(line=write.at, node=node, values={"place": write.place})


SIGNS = {
    "kernel-below-need": find_kernel_below_need,
    "kernel-new-enough": find_kernel_new_enough,
    "needed-module-absent": find_needed_module_absent,
    "image-architecture-differs": find_image_architecture_differs,
    "format-unknown-though-it-fits": find_format_unknown_though_it_fits,
    "program-crashes-here-alone": find_program_crashes_here_alone,
    "cpu-below-second-level": find_cpu_below_second_level,
    "loader-below-second-level": find_loader_below_second_level,
    "old-cpu-under-new-images": find_old_cpu_under_new_images,
    "calico-not-loaded": find_calico_not_loaded,
    "enforcing-where-sick-only": find_enforcing_where_sick_only,
    "denied-though-host-may-write": find_denied_though_host_may_write,
    "host-may-write": find_host_may_write,
    "privileged-may-write": find_privileged_may_write,
}
