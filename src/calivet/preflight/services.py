"""The services on a node: which run, what kubelet insists on, and what it must have in common with the runtime."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.fact import Setting
from calivet.facts.host import CommandRun, Swap, Unit
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    explain_unread,
    fail_by,
    fail_by_sign,
    find_answer,
    find_run_at,
    find_sightings,
    mark_unchecked,
    pass_by,
)
from calivet.search.expressions import expression

UNITS = r"^systemctl (?:show|list-unit-files|status|is-active)"
PROCESSES = r"^ps axc"
LOOKED_FOR = rf"{UNITS}|{PROCESSES}"
_PROCESS = expression(r"^\d+\s+\S+\s+\S+\s+[\d:-]+\s+(?P<name>\S.*)$")
_ACTIVE = ("active", "activating", "reloading")


def find_running(host: Host, *names: str) -> Line | None:
    """The line that shows one of these at work, as a unit or as a process."""
    for unit in host.all(Unit):
        # One that is always about to start is not at work.
        if unit.name in names and unit.active in _ACTIVE and unit.sub != "auto-restart":
            return unit.at
    for line in host.lines(PROCESSES):
        if (found := _PROCESS.match(line.text)) and found["name"] in names:
            return line
    return None


def find_process_listing(host: Host) -> Line | None:
    """A complete list of what runs: only then is what is not in it not there."""
    processes = find_answer(host, PROCESSES)
    if processes:
        return processes.at
    units = [unit for unit in host.all(Unit) if unit.active]
    return units[0].at if units and find_answer(host, UNITS) else None


_KUBELET_FILES = r"^cat \S*(?:kubelet|kubeadm-flags)|^grep .*/etc/rancher/"
_SWAP_LISTS = expression(r"/proc/swaps|/proc/meminfo|^swapon|^free")
_KUBELETS = ("kubelet", "k3s", "k3s-agent", "rke2-server", "rke2-agent", "k0sworker", "snap.microk8s.daemon-kubelite")
_RUNTIME_FILES = r"containerd|docker info|daemon\.json|crio|crictl info"
# By which part of its socket's name a runtime is known to kubelet.
_SOCKETS = {"cri-dockerd": "docker", "dockershim": "docker", "containerd": "containerd", "crio": "crio"}
_DRIVER_KEYS = {
    "containerd": ("SystemdCgroup", "systemd_cgroup"),
    "docker": ("cgroup-driver",),
    "crio": ("cgroup_manager",),
}


def _check_swap(host: Host) -> Result:
    # A journal also tells of swap that has been switched off since; and a list that was cut short does not tell of all.
    told = [swap for swap in host.all(Swap) if (run := find_run_at(host, swap.at)) and _SWAP_LISTS.search(run.command)]
    areas = [swap for swap in told if swap.device]
    if not areas:
        none = next((swap for swap in told if (run := find_run_at(host, swap.at)) and run.exit == 0), None)
        return pass_by(none.at) if none else explain_unread(host, _SWAP_LISTS.pattern)
    for allowed in find_sightings("swap-allowed", host.picture, host):
        return pass_by(allowed.line)
    if kubelet := find_running(host, *_KUBELETS):
        return pass_by(kubelet)
    named = next((swap for swap in areas if str(swap.device).startswith("/")), areas[0])
    if not host.is_root and not _find_setting(host, "kubelet", "cgroupDriver", "failSwapOn"):
        return mark_unchecked("swap_undecided", named.at, device=str(named.device))
    return fail_by("swap_on", named.at, device=str(named.device))


def _check_cgroup_drivers(host: Host) -> Result:
    told = {program: found for program, keys in _DRIVER_KEYS.items() if (found := _find_setting(host, program, *keys))}
    kubelet = _find_setting(host, "kubelet", "cgroupDriver")
    if not told:
        return explain_unread(host, _RUNTIME_FILES)
    if not kubelet:
        missed = explain_unread(host, _KUBELET_FILES)
        return missed if missed.line else mark_unchecked("kubelet_silent")
    used = find_runtime(host)
    # What a journal says of an hour ago may have been mended since.
    differing = {
        one.values["program"]: one
        for one in find_sightings("cgroup-drivers-differ", host.picture, host)
        if one.values["kubelet"] == str(kubelet.value) and one.line in [setting.at for setting in told.values()]
    }
    if used in differing:
        return fail_by_sign("cgroup-drivers-differ", differing[used])
    if used is None and differing:
        return mark_unchecked("runtime_unknown")
    return pass_by(told[used].at if used in told else kubelet.at)


def find_runtime(host: Host) -> str | None:
    """The runtime that kubelet uses: by its own settings, else the only one that runs, or that there is."""
    endpoint = _find_setting(host, "kubelet", "containerRuntimeEndpoint")
    for part, program in _SOCKETS.items() if endpoint else ():
        if part in str(endpoint and endpoint.value):
            return program
    if find_running(host, "crio"):
        return "crio"
    if find_running(host, "cri-docker", "cri-dockerd"):
        return "docker"
    # docker brings a containerd of its own, so that either may be meant.
    if find_running(host, "docker", "dockerd") or not find_process_listing(host):
        return None
    told = [program for program, keys in _DRIVER_KEYS.items() if _find_setting(host, program, *keys)]
    return "containerd" if find_running(host, "containerd") else told[0] if len(told) == 1 else None


def _find_setting(host: Host, program: str, *keys: str) -> Setting | None:
    """As last told: what runs is printed after what is written."""
    found = [one for one in host.all(Setting) if one.program == program and one.key in keys]
    return found[-1] if found else None


_CRI = r"^crictl (?:version|info|ps|pods)"
_OTHERS = r"^(?:ctr version|docker (?:version|info|ps))"
_UNWELL = ("runtime-process-stopped", "runtime-unit-down", "runtime-refuses")
_FILES = r"^(?:cat \S*(?:containerd|crio|docker)|containerd config|crio config|crictl info|docker info)"


def _check_answers(host: Host) -> Result:
    # crictl asks whom kubelet asks; beside it docker may be well, or idle, without meaning anything.
    asked = _CRI if any(_is_tried(run) for run in host.all(CommandRun)) else _OTHERS
    for sighting in find_sightings("runtime-silent", host.picture, host):
        if expression(asked).search(sighting.values["command"]):
            return fail_by_sign("runtime-silent", sighting)
    if heard := find_answer(host, asked):
        return pass_by(heard.at)
    for name in _UNWELL:
        for sighting in find_sightings(name, host.picture, host):
            return fail_by_sign(name, sighting)
    return explain_unread(host, asked)


def _is_tried(run: CommandRun) -> bool:
    return bool(expression(_CRI).search(run.command)) and not run.absent


def _check_settings(host: Host) -> Result:
    used = find_runtime(host)
    told = [one for one in host.all(Setting) if one.program in ("containerd", "crio", "docker")]
    own = next((one for one in told if one.program == used), None)
    if own is None:
        return mark_unchecked("runtime_unknown") if told and used is None else explain_unread(host, _FILES)
    off = next((one for one in told if one.key == "disabled_plugins" and "cri" in str(one.value)), None)
    if off and used == "containerd":
        return fail_by("cri_off", off.at)
    # Where docker is asked through its own part for Kubernetes, containerd's folders are nobody's.
    for sighting in find_sightings("cni-directory-differs", host.picture, host) if used != "docker" else ():
        return fail_by_sign("cni-directory-differs", sighting)
    return pass_by(own.at)


REQUIREMENTS = (
    Requirement("swap", "kubelet-swap-on", _check_swap),
    Requirement(
        "cgroup-drivers",
        "cgroup-driver-mismatch",
        _check_cgroup_drivers,
    ),
    Requirement(
        "runtime-answers",
        "runtime-unresponsive",
        _check_answers,
    ),
    Requirement(
        "runtime-settings",
        "runtime-config-invalid",
        _check_settings,
    ),
)
