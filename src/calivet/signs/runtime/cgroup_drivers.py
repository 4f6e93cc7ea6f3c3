"""Signs of cgroup drivers that do not fit together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from calivet.facts.calico import HealthReport
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Event
from calivet.facts.node_of_line import build_log_span_table
from calivet.facts.roles import find_role_of_name
from calivet.signs.sighting import Sighting

_RUNTIMES = ("containerd", "docker", "crio")
# Kubelets of any place, and those of which nothing tells the place; no machine is called so.
_ANYWHERE, _SOMEWHERE = "*", "?"


def _read_driver(setting: Setting) -> str | None:
    """The cgroup driver that a setting stands for, or None for other settings."""
    value = str(setting.value)
    match setting.program, setting.key:
        case "containerd", ("SystemdCgroup" | "systemd_cgroup"):
            return "systemd" if value in ("True", "true") else "cgroupfs"
        case ("docker", "cgroup-driver") | ("crio", "cgroup_manager") | ("kubelet", "cgroupDriver"):
            return value
        case _:
            return None


def find_cgroup_drivers_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kubelet and the runtime of one host use different cgroup drivers."""
    settings = [(setting, driver) for setting in cluster.all(Setting) if (driver := _read_driver(setting))]
    kubelets = _collect_kubelet_drivers(settings, cluster)
    # containerd's older key counts only where the newer one is not there.
    modern = any(setting.key == "SystemdCgroup" for setting, _ in settings)
    for setting, driver in settings:
        if (
            setting.program == "kubelet"
            or (setting.key == "systemd_cgroup" and modern)
            or not _is_used(setting, cluster)
        ):
            continue
        places = (*_list_machine_names(setting.host, cluster), _SOMEWHERE) if setting.host else (_ANYWHERE,)
        for other in sorted({other for place in places for other in kubelets[place]} - {driver}):
            values = {"kubelet": other, "runtime": driver, "program": setting.program}
            node = cluster.names.find_node_or_host(setting.host)
            yield Sighting(line=setting.at, node=node, values=values)


def _is_used(setting: Setting, cluster: ClusterFacts) -> bool:
    """Whether kubelet there uses this runtime; so, as long as its socket does not name another one."""
    named = [runtime for runtime in _RUNTIMES if runtime in _collect_sockets(cluster).get(setting.host, "")]
    return not named or setting.program in named


@once
def _collect_sockets(cluster: ClusterFacts) -> dict[str | None, str]:
    """The socket of the runtime that each kubelet is told to use."""
    settings = (
        one for one in cluster.all(Setting) if one.program == "kubelet" and one.key == "containerRuntimeEndpoint"
    )
    return {one.host: str(one.value) for one in settings}


def find_killed_while_healthy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix reports live and ready, and yet the pod keeps being restarted, and kubelet names no reason of its own."""
    if any(map(_is_killed_by_probe, cluster.all(Event))):
        return
    # One that never ended has another reason not to be ready.
    restarting = [pod for pod in cluster.pods("calico-node") if is_sick(pod) and pod.restarts != 0]
    if not restarting and not any(_is_repeated_kill(event) for event in cluster.all(Event)):
        return
    ailing = {pod.node for pod in restarting if pod.node}
    for report in cluster.all(HealthReport):
        if report.component is None and report.live and report.ready:
            node = _find_node(report, cluster)
            if node is None or not ailing or node in ailing:
                yield Sighting(line=report.at, node=node or (restarting[0].node if restarting else None))


def _find_node(report: HealthReport, cluster: ClusterFacts) -> str | None:
    """The node that reports: a healthy pod beside a sick one is no wonder."""
    if report.host:
        return cluster.names.find_node_or_host(report.host)
    around = next(build_log_span_table(cluster).around(report.at), None)
    return cluster.find_node_of_pod(around.pod) if around else None


def _is_killed_by_probe(event: Event) -> bool:
    """kubelet says itself why it ends the container."""
    own = event.object is None or find_role_of_name(event.object) == "calico-node"
    return own and event.reason in ("Killing", "Unhealthy") and "iveness probe" in event.message


def _is_repeated_kill(event: Event) -> bool:
    """Ended again and again, not once after a reboot."""
    own = event.object is None or find_role_of_name(event.object) == "calico-node"
    return own and event.count > 1 and event.reason in ("Killing", "SandboxChanged", "BackOff")


def _collect_kubelet_drivers(settings: list[tuple[Setting, str]], cluster: ClusterFacts) -> Mapping[str, set[str]]:
    """The drivers of the kubelets by what their machines are called; one of unknown place may be anybody's."""
    drivers: dict[str, set[str]] = defaultdict(set)
    for setting, driver in settings:
        if setting.program == "kubelet":
            for called in (_ANYWHERE, *(_list_machine_names(setting.host, cluster) or (_SOMEWHERE,))):
                drivers[called].add(driver)
    return drivers


def _list_machine_names(host: str | None, cluster: ClusterFacts) -> list[str]:
    """The machine's first name, and its node where it is known: two settings of one machine share either."""
    known = cluster.names.node(host)
    return [host.lower().split(".")[0], *([f"node {known}"] if known else [])] if host else []


SIGNS = {
    "cgroup-drivers-differ": find_cgroup_drivers_differ,
    "killed-while-healthy": find_killed_while_healthy,
}
