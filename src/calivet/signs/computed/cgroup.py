"""Signs of cgroup drivers that do not fit together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from calivet.facts.calico import HealthReport
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture, is_sick, once
from calivet.facts.roles import role_of_name
from calivet.facts.spans import log_spans
from calivet.signs.sighting import Sighting

_RUNTIMES = ("containerd", "docker", "crio")
# Kubelets of any place, and those of which nothing tells the place; no machine is called so.
_ANYWHERE, _SOMEWHERE = "*", "?"


def _driver(setting: Setting) -> str | None:
    """The cgroup driver that a setting stands for, or None for other settings."""
    value = str(setting.value)
    match setting.program, setting.key:
        case "containerd", ("SystemdCgroup" | "systemd_cgroup"):
            return "systemd" if value in ("True", "true") else "cgroupfs"
        case ("docker", "cgroup-driver") | ("crio", "cgroup_manager") | ("kubelet", "cgroupDriver"):
            return value
        case _:
            return None


def cgroup_drivers_differ(picture: Picture) -> Iterator[Sighting]:
    """kubelet and the runtime of one host use different cgroup drivers."""
    settings = [(setting, driver) for setting in picture.all(Setting) if (driver := _driver(setting))]
    kubelets = _of_kubelets(settings, picture)
    # containerd's older key counts only where the newer one is not there.
    modern = any(setting.key == "SystemdCgroup" for setting, _ in settings)
    for setting, driver in settings:
        if (
            setting.program == "kubelet"
            or (setting.key == "systemd_cgroup" and modern)
            or not _is_used(setting, picture)
        ):
            continue
        places = (*_called(setting.host, picture), _SOMEWHERE) if setting.host else (_ANYWHERE,)
        for other in sorted({other for place in places for other in kubelets[place]} - {driver}):
            values = {"kubelet": other, "runtime": driver, "program": setting.program}
            node = picture.names.node(setting.host) or setting.host
            yield Sighting(line=setting.at, node=node, values=values)


def _is_used(setting: Setting, picture: Picture) -> bool:
    """Whether kubelet there uses this runtime; so, as long as its socket does not name another one."""
    named = [runtime for runtime in _RUNTIMES if runtime in _sockets(picture).get(setting.host, "")]
    return not named or setting.program in named


@once
def _sockets(picture: Picture) -> dict[str | None, str]:
    """The socket of the runtime that each kubelet is told to use."""
    settings = (
        one for one in picture.all(Setting) if one.program == "kubelet" and one.key == "containerRuntimeEndpoint"
    )
    return {one.host: str(one.value) for one in settings}


def killed_while_healthy(picture: Picture) -> Iterator[Sighting]:
    """Felix reports live and ready, and yet the pod keeps being restarted."""
    restarting = [pod for pod in picture.pods("calico-node") if is_sick(pod)]
    if not restarting and not any(_ends_calico_node(event) for event in picture.all(Event)):
        return
    ailing = {pod.node for pod in restarting if pod.node}
    for report in picture.all(HealthReport):
        if report.component is None and report.live and report.ready:
            node = _node_of(report, picture)
            if node is None or not ailing or node in ailing:
                yield Sighting(line=report.at, node=node or (restarting[0].node if restarting else None))


def _node_of(report: HealthReport, picture: Picture) -> str | None:
    """The node that reports: a healthy pod beside a sick one is no wonder."""
    if report.host:
        return picture.names.node(report.host) or report.host
    around = next(log_spans(picture).around(report.at), None)
    return picture.node_of_pod(around.pod) if around else None


def _ends_calico_node(event: Event) -> bool:
    """Ended again and again, not once after a reboot."""
    own = event.object is None or role_of_name(event.object) == "calico-node"
    return own and event.count > 1 and event.reason in ("Killing", "SandboxChanged", "BackOff")


def _of_kubelets(settings: list[tuple[Setting, str]], picture: Picture) -> Mapping[str, set[str]]:
    """The drivers of the kubelets by what their machines are called; one of unknown place may be anybody's."""
    drivers: dict[str, set[str]] = defaultdict(set)
    for setting, driver in settings:
        if setting.program == "kubelet":
            for called in (_ANYWHERE, *(_called(setting.host, picture) or (_SOMEWHERE,))):
                drivers[called].add(driver)
    return drivers


def _called(host: str | None, picture: Picture) -> list[str]:
    """The machine's first name, and its node where it is known: two settings of one machine share either."""
    known = picture.names.node(host)
    return [host.lower().split(".")[0], *([f"node {known}"] if known else [])] if host else []


SIGNS = {"cgroup-drivers-differ": cgroup_drivers_differ, "killed-while-healthy": killed_while_healthy}
