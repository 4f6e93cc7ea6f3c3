"""The kernel with its modules, and the CPU below it."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.facts.host import KernelModule
from calivet.forecast.pools import pool_modes
from calivet.forecast.releases import running as release
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import answered, not_read

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

TOO_OLD_FOR_SOME = Words(
    "kernel {kernel} does for the iptables mode; eBPF, WireGuard and nftables need a newer one, and no cluster says "
    "which mode is meant",
    "内核 {kernel} 可用于 iptables 模式；eBPF、WireGuard、nftables 需要更新的内核，而没有集群说明将使用哪种模式",
)
MODULE_MISSING = Words("the kernel has no module {module}", "内核没有模块 {module}")
TUNNEL_MISSING = Words(
    "the kernel has no module {module}, and whether the pools use it is not known",
    "内核没有模块 {module}，而地址池是否使用它尚不清楚",
)
NOT_LOADED = Words(
    "{modules} are not loaded, and whether the kernel can load them was not seen",
    "{modules} 未加载，未见内核能否加载",
)
OTHER_CPU = Words("nothing is known of CPUs of this kind", "不了解这种架构的 CPU")


def _version(host: Host) -> Result:
    kernel = next((one for one in host.all(Version) if one.program == "kernel"), None)
    if kernel is None:
        return not_read(host, r"^uname")
    for sighting in seen("kernel-below-need", host.together, host):
        return fails_by("kernel-below-need", sighting)
    if host.cluster is None and not any(seen("kernel-new-enough", host.picture, host)):
        return unchecked(TOO_OLD_FOR_SOME, kernel.at, kernel=kernel.version)
    return passes(kernel.at)


def _modules(host: Host) -> Result:
    absent = {fact.name: fact for fact in host.all(KernelModule) if not fact.loaded}
    loaded = {fact.name: fact for fact in host.all(KernelModule) if fact.loaded}
    needed = (*_NEEDED, *_INSTEAD_OF_IP_TABLES)
    missing = [fact for name, fact in absent.items() if name in needed and name not in loaded]
    tunnels = _tunnels(host)
    missing += [fact for name, fact in absent.items() if tunnels and name in tunnels and name not in loaded]
    if missing:
        return fails(MODULE_MISSING, missing[0].at, module=", ".join(fact.name for fact in missing))
    lacking = [fact for name, fact in absent.items() if name in _TUNNELS and name not in loaded]
    if tunnels is None and lacking:
        names = ", ".join(fact.name for fact in lacking)
        if len(lacking) == len(_TUNNELS):
            return fails(MODULE_MISSING, lacking[0].at, module=names)
        return unchecked(TUNNEL_MISSING, lacking[0].at, module=names)
    # It also fails for a module that is not needed here; one that fails without a word has told nothing.
    if tried := answered(host, _MODPROBE) or (answered(host, _MODPROBE, 1) if absent else None):
        return passes(tried.at)
    if not loaded:
        return not_read(host, _MODULE_LISTS)
    unloaded = [name for name in (*_NEEDED, *(tunnels or ())) if name not in loaded]
    first = next(iter(loaded.values())).at
    return unchecked(NOT_LOADED, first, modules=", ".join(unloaded)) if unloaded else passes(first)


def _tunnels(host: Host) -> list[str] | None:
    """The modules for the pools' encapsulation; None where no pool was seen."""
    pools = pool_modes(host.together)
    wrappings = {pool.wrapping for pool in pools}
    return [module for module, wrapping in _TUNNELS.items() if wrapping in wrappings] if pools else None


def _cpu(host: Host) -> Result:
    found = next((line for line in host.lines(r"^uname") if _ARCHITECTURE.search(line.text)), None)
    if found is None:
        told = next(host.lines(r"^uname"), None)
        return unchecked(OTHER_CPU, told) if told else not_read(host, r"^uname")
    if "x86_64" not in found.text:
        return passes(found)
    flags = next((line for line in host.lines(r"/proc/cpuinfo|^lscpu") if line.text.lower().startswith("flags")), None)
    if flags is None:
        return not_read(host, r"/proc/cpuinfo|^lscpu")
    # Older images do without.
    needed = release(host.together).since(_SECOND_LEVEL_SINCE) is not False
    for sighting in seen("cpu-below-second-level", host.picture, host) if needed else ():
        return fails_by("cpu-below-second-level", sighting)
    return passes(flags)


REQUIREMENTS = (
    Requirement(
        "kernel-version",
        Words("Kernel version", "内核版本"),
        "kernel-too-old",
        _version,
    ),
    Requirement(
        "kernel-modules",
        Words("Kernel modules", "内核模块"),
        "kernel-module-missing",
        _modules,
    ),
    Requirement("cpu-level", Words("CPU level", "CPU 级别"), "cpu-unsupported", _cpu),
)
