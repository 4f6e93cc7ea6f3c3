"""Room to write: space, inodes, and file systems that may be written at all."""

from __future__ import annotations

from collections.abc import Iterable

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.facts.host import Disk, File
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes
from calivet.preflight.unread import answered, not_read

_KUBELETS = "/var/lib/kubelet"
_EVICTS_AT = {"space": 90.0, "inodes": 95.0}
"""Percent in use at which kubelet, unless told otherwise, begins to evict pods."""
_MOUNTS = r"/proc/mounts|^mount$"
_MOUNT = expression(r"^\S+ (?P<place>/\S*) \S+ (?P<options>\S+) \d \d$")
_PROGRAMS = "/opt/cni/bin"
_WRITTEN = ("/etc/cni/net.d", _PROGRAMS, "/var/lib/calico")

EVICTING = Words(
    "{mount} is {used} full ({what}), which is where kubelet evicts pods",
    "{mount} 已使用 {used}（{what}），kubelet 会因此驱逐 Pod",
)
READ_ONLY = Words("{folder} lies on {mount}, which is read-only", "{folder} 所在的 {mount} 是只读的")


def _room(host: Host) -> Result:
    for sighting in seen("disk-at-limit", host.picture, host):
        return fails_by("disk-at-limit", sighting)
    for what, limit in _EVICTS_AT.items():
        disks = {disk.mount: disk for disk in host.all(Disk) if disk.inodes is (what == "inodes")}
        disk = disks.get(_holding(_KUBELETS, disks))
        if disk and disk.used >= limit:
            return fails(EVICTING, disk.at, mount=disk.mount, used=f"{disk.used:.0f}%", what=what)
    space = next((disk for disk in host.all(Disk) if not disk.inodes), None)
    if not space:
        return not_read(host, r"^df -h")
    # Some file systems have no fixed number of inodes, and df has no figure for them.
    return passes(space.at) if answered(host, r"^df -i") else not_read(host, r"^df -i")


def _writable(host: Host) -> Result:
    mounts = {place: (options, line) for place, options, line in _mounts(host)}
    root = mounts.get("/")
    if root is None:
        return not_read(host, _MOUNTS)
    # Where the plugin is in place it could be written, by whatever way; and some systems have another folder for it.
    installed = any(file.path == f"{_PROGRAMS}/calico" and file.exists for file in host.all(File))
    elsewhere = any(one.key == "bin_dir" and one.value != _PROGRAMS for one in host.all(Setting))
    for folder in () if installed else _WRITTEN:
        if folder == _PROGRAMS and elsewhere:
            continue
        place = _holding(folder, mounts)
        options, line = mounts[place]
        if "ro" in options:
            return fails(READ_ONLY, line, folder=folder, mount=place)
    return passes(root[1])


def _mounts(host: Host) -> Iterable[tuple[str, list[str], Line]]:
    for line in host.lines(_MOUNTS):
        if found := _MOUNT.match(line.text):
            yield found["place"], found["options"].split(","), line


def _holding(folder: str, mounts: Iterable[str]) -> str:
    """The mount that a folder lies on."""
    above = [place for place in mounts if f"{folder}/".startswith(place.rstrip("/") + "/")]
    return max(above, key=len, default="")


REQUIREMENTS = (
    Requirement("disk", Words("Disk space and inodes", "磁盘空间与 inode"), "disk-full", _room),
    Requirement(
        "writable",
        Words("Folders that Calico writes to", "Calico 要写入的目录"),
        "readonly-filesystem",
        _writable,
    ),
)
