"""How the machine is: its disks, its clock, its load, its loopback, its certificates, its proxies."""

from __future__ import annotations

from collections.abc import Iterable

from calivet.evidence.artifact import Line
from calivet.facts.fact import Setting, Variable
from calivet.facts.host import Cpu, Disk, File, HostsEntry, Interface, Load, NodeProbe, Unit
from calivet.preflight.requirement import (
    Host,
    Requirement,
    Result,
    check_by_signs,
    explain_unread,
    fail_by,
    fail_by_sign,
    find_answer,
    find_sightings,
    mark_unchecked,
    pass_by,
)
from calivet.search.expressions import expression
from calivet.signs.host.clocks import APART

_KUBELETS = "/var/lib/kubelet"
_EVICTS_AT = {"space": 90.0, "inodes": 95.0}
"""Percent in use at which kubelet, unless told otherwise, begins to evict pods."""
_MOUNTS = r"/proc/mounts|^mount$"
_MOUNT = expression(r"^\S+ (?P<place>/\S*) \S+ (?P<options>\S+) \d \d$")
_PROGRAMS = "/opt/cni/bin"
_WRITTEN = ("/etc/cni/net.d", _PROGRAMS, "/var/lib/calico")


def _check_room(host: Host) -> Result:
    for sighting in find_sightings("disk-at-limit", host.picture, host):
        return fail_by_sign("disk-at-limit", sighting)
    for what, limit in _EVICTS_AT.items():
        disks = {disk.mount: disk for disk in host.all(Disk) if disk.inodes is (what == "inodes")}
        disk = disks.get(_find_mount_of(_KUBELETS, disks))
        if disk and disk.used >= limit:
            return fail_by("disk_evicts", disk.at, mount=disk.mount, used=f"{disk.used:.0f}%", what=what)
    space = next((disk for disk in host.all(Disk) if not disk.inodes), None)
    if not space:
        return explain_unread(host, r"^df -h")
    # Some file systems have no fixed number of inodes, and df has no figure for them.
    return pass_by(space.at) if find_answer(host, r"^df -i") else explain_unread(host, r"^df -i")


def _check_writable(host: Host) -> Result:
    mounts = {place: (options, line) for place, options, line in _list_mounts(host)}
    root = mounts.get("/")
    if root is None:
        return explain_unread(host, _MOUNTS)
    # Where the plugin is in place it could be written, by whatever way; and some systems have another folder for it.
    installed = any(file.path == f"{_PROGRAMS}/calico" and file.exists for file in host.all(File))
    elsewhere = any(one.key == "bin_dir" and one.value != _PROGRAMS for one in host.all(Setting))
    for folder in () if installed else _WRITTEN:
        if folder == _PROGRAMS and elsewhere:
            continue
        place = _find_mount_of(folder, mounts)
        options, line = mounts[place]
        if "ro" in options:
            return fail_by("folder_read_only", line, folder=folder, mount=place)
    return pass_by(root[1])


def _list_mounts(host: Host) -> Iterable[tuple[str, list[str], Line]]:
    for line in host.lines(_MOUNTS):
        if found := _MOUNT.match(line.text):
            yield found["place"], found["options"].split(","), line


def _find_mount_of(folder: str, mounts: Iterable[str]) -> str:
    """The mount that a folder lies on."""
    above = [place for place in mounts if f"{folder}/".startswith(place.rstrip("/") + "/")]
    return max(above, key=len, default="")


_TIME_SERVICES = r"^(?:timedatectl|chronyc|ntpq|ntpstat)"
_CERTIFICATES = r"^openssl x509"

_ENVIRONMENT = r"^systemctl show \S+ -p Environment"
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def _check_clock(host: Host) -> Result:
    begin = next(iter(host.all(NodeProbe)), None)
    if begin and host.began and host.now:
        apart = abs((host.now - host.began).total_seconds())
        if apart >= APART:
            return fail_by("clock_off", begin.at, seconds=f"{apart:.0f}")
    for sighting in find_sightings("clock-offset-large", host.picture, host):
        return fail_by_sign("clock-offset-large", sighting)
    told = [one for one in host.all(Setting) if (one.program, one.key) == ("clock", "synchronized")]
    if not told:
        return explain_unread(host, _TIME_SERVICES)
    kept = next((one for one in told if one.value), None)
    return pass_by(kept.at) if kept else fail_by("clock_unkept", told[0].at)


def _check_proxy(host: Host) -> Result:
    proxies = [one for one in host.all(Variable) if one.name.lower() in _PROXIES and one.value]
    if not proxies:
        # Where no unit is shown there is no systemd to ask, and grep finds nothing in its complaint.
        run = find_answer(host, _ENVIRONMENT, 1) if any(unit.active for unit in host.all(Unit)) else None
        return pass_by(run.at) if run else explain_unread(host, _ENVIRONMENT)
    if host.cluster is None:
        return mark_unchecked("proxy_set", proxies[0].at)
    for sighting in find_sightings("proxy-catches-cluster", host.together, host):
        return fail_by_sign("proxy-catches-cluster", sighting)
    return pass_by(proxies[0].at)


def _find_load(host: Host) -> Line | None:
    load = next(iter(host.all(Load)), None)
    counted = load and (load.cpus or any(cpu.count for cpu in host.all(Cpu)))
    return load.at if load and counted else None


def _find_localhost_name(host: Host) -> Line | None:
    """The hosts file names it; or, where that is not there, the name is known all the same."""
    entries = (one for one in host.all(HostsEntry) if one.address == "127.0.0.1" and "localhost" in one.names)
    found = next((one.at for one in entries), None)
    known = find_answer(host, r"^getent hosts localhost")
    return found or (known.at if known else None)


def _find_loopback(host: Host) -> Line | None:
    return next((one.at for one in host.all(Interface) if one.name == "lo" and "127.0.0.1/8" in one.addresses), None)


def _find_certificates(host: Host) -> Line | None:
    return next((one.at for one in host.all(Setting) if one.program == "certificate"), None)


REQUIREMENTS = (
    Requirement("disk", "disk-full", _check_room),
    Requirement(
        "writable",
        "readonly-filesystem",
        _check_writable,
    ),
    Requirement("clock", "clock-skew", _check_clock),
    Requirement("proxy", "http-proxy-env", _check_proxy),
    Requirement(
        "load",
        "node-overload",
        check_by_signs("load-over-cpus", shown=_find_load, asked=r"^uptime|loadavg|^nproc"),
    ),
    Requirement(
        "loopback",
        "loopback-down",
        check_by_signs("loopback-without-address", shown=_find_loopback, asked=r"^ip addr|^ifconfig"),
    ),
    Requirement(
        "localhost",
        "localhost-unresolvable",
        check_by_signs("hosts-file-without-localhost", shown=_find_localhost_name, asked=r"/etc/hosts|^getent"),
    ),
    Requirement(
        "certificates",
        "kubelet-cert-expired",
        check_by_signs("cluster-certificate-past-end", shown=_find_certificates, asked=_CERTIFICATES),
    ),
)
