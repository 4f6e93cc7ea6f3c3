"""Whether the container runtime answers, and is set up to make pods."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.facts.host import CommandRun
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.kubelet import WHICH_RUNTIME, runtime
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import answered, not_read

_CRI = r"^crictl (?:version|info|ps|pods)"
_OTHERS = r"^(?:ctr version|docker (?:version|info|ps))"
_UNWELL = ("runtime-process-stopped", "runtime-unit-down", "runtime-refuses")
_FILES = r"^(?:cat \S*(?:containerd|crio|docker)|containerd config|crio config|crictl info|docker info)"

CRI_OFF = Words(
    "containerd's part for Kubernetes is switched off (disabled_plugins = cri)",
    "containerd 的 CRI 插件已被禁用（disabled_plugins = cri）",
)


def _answers(host: Host) -> Result:
    # crictl asks whom kubelet asks; beside it docker may be well, or idle, without meaning anything.
    asked = _CRI if any(_is_tried(run) for run in host.all(CommandRun)) else _OTHERS
    for sighting in seen("runtime-silent", host.picture, host):
        if expression(asked).search(sighting.values["command"]):
            return fails_by("runtime-silent", sighting)
    if heard := answered(host, asked):
        return passes(heard.at)
    for name in _UNWELL:
        for sighting in seen(name, host.picture, host):
            return fails_by(name, sighting)
    return not_read(host, asked)


def _is_tried(run: CommandRun) -> bool:
    return bool(expression(_CRI).search(run.command)) and not run.absent


def _settings(host: Host) -> Result:
    used = runtime(host)
    told = [one for one in host.all(Setting) if one.program in ("containerd", "crio", "docker")]
    own = next((one for one in told if one.program == used), None)
    if own is None:
        return unchecked(WHICH_RUNTIME) if told and used is None else not_read(host, _FILES)
    off = next((one for one in told if one.key == "disabled_plugins" and "cri" in str(one.value)), None)
    if off and used == "containerd":
        return fails(CRI_OFF, off.at)
    # Where docker is asked through its own part for Kubernetes, containerd's folders are nobody's.
    for sighting in seen("cni-directory-differs", host.picture, host) if used != "docker" else ():
        return fails_by("cni-directory-differs", sighting)
    return passes(own.at)


REQUIREMENTS = (
    Requirement(
        "runtime-answers",
        Words("Answer of the container runtime", "容器运行时的应答"),
        "runtime-unresponsive",
        _answers,
    ),
    Requirement(
        "runtime-settings",
        Words("Settings of the container runtime", "容器运行时的配置"),
        "runtime-config-invalid",
        _settings,
    ),
)
