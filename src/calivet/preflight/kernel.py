"""The kernel with its modules and settings, and the CPU below it."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.fact import Version
from calivet.facts.host import KernelModule, Sysctl
from calivet.forecast.releases import find_running_release as release
from calivet.forecast.settings import list_pool_modes
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

_ARCHITECTURE = expression(r"\b(?P<name>x86_64|aarch64|ppc64le|s390x)\b")
_SECOND_LEVEL_SINCE = (3, 31, 0)
_MODPROBE = r"^modprobe -n"
_MODULE_LISTS = r"^modprobe|/proc/modules|^lsmod"
# Which of the two is needed is for the pools to say.
_TUNNELS = {"ipip": "IPIP", "vxlan": "VXLAN"}
_NEEDED = (
    "ip_set", "ip_set_hash_ip", "ip_set_hash_net", "xt_set", "xt_mark", "xt_multiport", "xt_addrtype", "xt_conntrack",
    "xt_comment", "ipt_rpfilter", "nf_conntrack", "veth", "overlay",
)  # fmt: skip
# Rules are kept in ip_tables or in these; the probe asks for them only where the kernel has no ip_tables.
_INSTEAD_OF_IP_TABLES = ("nf_tables", "nft_compat")


def _check_version(host: Host) -> Result:
    kernel = next((one for one in host.all(Version) if one.program == "kernel"), None)
    if kernel is None:
        return explain_unread(host, r"^uname")
    for sighting in find_sightings("kernel-below-need", host.together, host):
        return fail_by_sign("kernel-below-need", sighting)
    if host.cluster is None and not any(find_sightings("kernel-new-enough", host.picture, host)):
        return mark_unchecked("kernel_old_for_some", kernel.at, kernel=kernel.version)
    return pass_by(kernel.at)


def _check_modules(host: Host) -> Result:
    absent = {fact.name: fact for fact in host.all(KernelModule) if not fact.loaded}
    loaded = {fact.name: fact for fact in host.all(KernelModule) if fact.loaded}
    needed = (*_NEEDED, *_INSTEAD_OF_IP_TABLES)
    missing = [fact for name, fact in absent.items() if name in needed and name not in loaded]
    tunnels = _list_tunnel_modules(host)
    missing += [fact for name, fact in absent.items() if tunnels and name in tunnels and name not in loaded]
    if missing:
        return fail_by("module_missing", missing[0].at, module=", ".join(fact.name for fact in missing))
    lacking = [fact for name, fact in absent.items() if name in _TUNNELS and name not in loaded]
    if tunnels is None and lacking:
        names = ", ".join(fact.name for fact in lacking)
        if len(lacking) == len(_TUNNELS):
            return fail_by("module_missing", lacking[0].at, module=names)
        return mark_unchecked("tunnel_module_missing", lacking[0].at, module=names)
    # It also fails for a module that is not needed here; one that fails without a word has told nothing.
    if tried := find_answer(host, _MODPROBE) or (find_answer(host, _MODPROBE, 1) if absent else None):
        return pass_by(tried.at)
    if not loaded:
        return explain_unread(host, _MODULE_LISTS)
    unloaded = [name for name in (*_NEEDED, *(tunnels or ())) if name not in loaded]
    first = next(iter(loaded.values())).at
    return mark_unchecked("modules_not_loaded", first, modules=", ".join(unloaded)) if unloaded else pass_by(first)


def _list_tunnel_modules(host: Host) -> list[str] | None:
    """The modules for the pools' encapsulation; None where no pool was seen."""
    pools = list_pool_modes(host.together)
    wrappings = {pool.wrapping for pool in pools}
    return [module for module, wrapping in _TUNNELS.items() if wrapping in wrappings] if pools else None


def _check_cpu(host: Host) -> Result:
    found = next((line for line in host.lines(r"^uname") if _ARCHITECTURE.search(line.text)), None)
    if found is None:
        told = next(host.lines(r"^uname"), None)
        return mark_unchecked("cpu_unknown", told) if told else explain_unread(host, r"^uname")
    if "x86_64" not in found.text:
        return pass_by(found)
    flags = next((line for line in host.lines(r"/proc/cpuinfo|^lscpu") if line.text.lower().startswith("flags")), None)
    if flags is None:
        return explain_unread(host, r"/proc/cpuinfo|^lscpu")
    # Older images do without.
    needed = release(host.together).since(_SECOND_LEVEL_SINCE) is not False
    for sighting in find_sightings("cpu-below-second-level", host.picture, host) if needed else ():
        return fail_by_sign("cpu-below-second-level", sighting)
    return pass_by(flags)


_FREE_SINCE = (3, 12, 0)


def _check_rp_filter(host: Host) -> Result:
    for sighting in find_sightings("loose-rp-filter-on-old-calico", host.together, host):
        return fail_by_sign("loose-rp-filter-on-old-calico", sighting)
    set_to = next((one for one in host.all(Sysctl) if one.key == "net.ipv4.conf.all.rp_filter"), None)
    if set_to is None:
        return explain_unread(host, r"sysctl|rp_filter")
    if set_to.value == "2" and release(host.together).since(_FREE_SINCE) is None:
        return mark_unchecked("rp_filter_loose", set_to.at)
    return pass_by(set_to.at)


def _find_forwarding(host: Host) -> Line | None:
    return next((one.at for one in host.all(Sysctl) if (one.key, one.value) == ("net.ipv4.ip_forward", "1")), None)


def _find_connection_count(host: Host) -> Line | None:
    """Before the first connection is tracked there is no table, and nothing to count."""
    found = {one.key.rsplit(".", 1)[-1]: one.at for one in host.all(Sysctl)}
    return found.get("nf_conntrack_count") if "nf_conntrack_max" in found else None


REQUIREMENTS = (
    Requirement(
        "kernel-version",
        "kernel-too-old",
        _check_version,
    ),
    Requirement(
        "kernel-modules",
        "kernel-module-missing",
        _check_modules,
    ),
    Requirement("cpu-level", "cpu-unsupported", _check_cpu),
    Requirement(
        "rp-filter",
        "sysctl-rp-filter",
        _check_rp_filter,
    ),
    Requirement(
        "forwarding",
        "sysctl-ip-forward-off",
        check_by_signs(
            "forwarding-off-now", "forwarding-off-at-boot", shown=_find_forwarding, asked=r"sysctl|ip_forward"
        ),
    ),
    Requirement(
        "conntrack",
        "conntrack-full",
        check_by_signs("conntrack-near-limit", shown=_find_connection_count, asked=r"sysctl|nf_conntrack"),
    ),
)
