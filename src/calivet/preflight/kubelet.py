"""What kubelet insists on, and what it must have in common with the runtime."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.facts.host import Swap
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.services import listed, running
from calivet.preflight.unread import not_read, run_at

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

SWAP_ON = Words("swap is on: {device}", "swap 已打开：{device}")
SWAP_UNDECIDED = Words(
    "swap is on ({device}), and whether kubelet allows it could not be read",
    "swap 已打开（{device}），但未能读到 kubelet 是否允许",
)
WHICH_RUNTIME = Words("which runtime kubelet uses was not seen", "未见 kubelet 使用哪个运行时")
KUBELET_SILENT = Words(
    "kubelet's driver was not seen: it is not set up yet", "未见 kubelet 的驱动设置：kubelet 尚未配置"
)


def _swap(host: Host) -> Result:
    # A journal also tells of swap that has been switched off since; and a list that was cut short does not tell of all.
    told = [swap for swap in host.all(Swap) if (run := run_at(host, swap.at)) and _SWAP_LISTS.search(run.command)]
    areas = [swap for swap in told if swap.device]
    if not areas:
        none = next((swap for swap in told if (run := run_at(host, swap.at)) and run.exit == 0), None)
        return passes(none.at) if none else not_read(host, _SWAP_LISTS.pattern)
    for allowed in seen("swap-allowed", host.picture, host):
        return passes(allowed.line)
    if kubelet := running(host, *_KUBELETS):
        return passes(kubelet)
    named = next((swap for swap in areas if str(swap.device).startswith("/")), areas[0])
    if not host.is_root and not _setting(host, "kubelet", "cgroupDriver", "failSwapOn"):
        return unchecked(SWAP_UNDECIDED, named.at, device=str(named.device))
    return fails(SWAP_ON, named.at, device=str(named.device))


def _cgroup_drivers(host: Host) -> Result:
    told = {program: found for program, keys in _DRIVER_KEYS.items() if (found := _setting(host, program, *keys))}
    kubelet = _setting(host, "kubelet", "cgroupDriver")
    if not told:
        return not_read(host, _RUNTIME_FILES)
    if not kubelet:
        missed = not_read(host, _KUBELET_FILES)
        return missed if missed.line else unchecked(KUBELET_SILENT)
    used = runtime(host)
    # What a journal says of an hour ago may have been mended since.
    differing = {
        one.values["program"]: one
        for one in seen("cgroup-drivers-differ", host.picture, host)
        if one.values["kubelet"] == str(kubelet.value) and one.line in [setting.at for setting in told.values()]
    }
    if used in differing:
        return fails_by("cgroup-drivers-differ", differing[used])
    if used is None and differing:
        return unchecked(WHICH_RUNTIME)
    return passes(told[used].at if used in told else kubelet.at)


def runtime(host: Host) -> str | None:
    """The runtime that kubelet uses: by its own settings, else the only one that runs, or that there is."""
    endpoint = _setting(host, "kubelet", "containerRuntimeEndpoint")
    for part, program in _SOCKETS.items() if endpoint else ():
        if part in str(endpoint and endpoint.value):
            return program
    if running(host, "crio"):
        return "crio"
    if running(host, "cri-docker", "cri-dockerd"):
        return "docker"
    # docker brings a containerd of its own, so that either may be meant.
    if running(host, "docker", "dockerd") or not listed(host):
        return None
    told = [program for program, keys in _DRIVER_KEYS.items() if _setting(host, program, *keys)]
    return "containerd" if running(host, "containerd") else told[0] if len(told) == 1 else None


def _setting(host: Host, program: str, *keys: str) -> Setting | None:
    """As last told: what runs is printed after what is written."""
    found = [one for one in host.all(Setting) if one.program == program and one.key in keys]
    return found[-1] if found else None


REQUIREMENTS = (
    Requirement("swap", Words("Swap", "swap"), "kubelet-swap-on", _swap),
    Requirement(
        "cgroup-drivers",
        Words("cgroup drivers of kubelet and runtime", "kubelet 与运行时的 cgroup 驱动"),
        "cgroup-driver-mismatch",
        _cgroup_drivers,
    ),
)
