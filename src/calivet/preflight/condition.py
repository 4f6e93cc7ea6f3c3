"""How the machine is: its clock, its load, its loopback, its certificates, its proxies."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.facts.fact import Setting, Variable
from calivet.facts.host import Cpu, HostsEntry, Interface, Load, NodeProbe, Unit
from calivet.preflight.by_signs import by_signs, fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.unread import answered, not_read
from calivet.signs.computed.clocks import APART

_TIME_SERVICES = r"^(?:timedatectl|chronyc|ntpq|ntpstat)"
_CERTIFICATES = r"^openssl x509"

_ENVIRONMENT = r"^systemctl show \S+ -p Environment"
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")

PROXY_SET = Words(
    "a proxy is set, and which addresses are the cluster's is not known", "设置了代理，而集群的地址尚不清楚"
)
OFF = Words("the node's clock is {seconds} s away from the one here", "节点时钟与本机相差 {seconds} 秒")
ADRIFT = Words("no time service keeps the clock in step", "没有时间服务使时钟保持同步")


def _clock(host: Host) -> Result:
    begin = next(iter(host.all(NodeProbe)), None)
    if begin and host.began and host.now:
        apart = abs((host.now - host.began).total_seconds())
        if apart >= APART:
            return fails(OFF, begin.at, seconds=f"{apart:.0f}")
    for sighting in seen("clock-offset-large", host.picture, host):
        return fails_by("clock-offset-large", sighting)
    told = [one for one in host.all(Setting) if (one.program, one.key) == ("clock", "synchronized")]
    if not told:
        return not_read(host, _TIME_SERVICES)
    kept = next((one for one in told if one.value), None)
    return passes(kept.at) if kept else fails(ADRIFT, told[0].at)


def _proxy(host: Host) -> Result:
    proxies = [one for one in host.all(Variable) if one.name.lower() in _PROXIES and one.value]
    if not proxies:
        # Where no unit is shown there is no systemd to ask, and grep finds nothing in its complaint.
        run = answered(host, _ENVIRONMENT, 1) if any(unit.active for unit in host.all(Unit)) else None
        return passes(run.at) if run else not_read(host, _ENVIRONMENT)
    if host.cluster is None:
        return unchecked(PROXY_SET, proxies[0].at)
    for sighting in seen("proxy-catches-cluster", host.together, host):
        return fails_by("proxy-catches-cluster", sighting)
    return passes(proxies[0].at)


def _load_seen(host: Host) -> Line | None:
    load = next(iter(host.all(Load)), None)
    counted = load and (load.cpus or any(cpu.count for cpu in host.all(Cpu)))
    return load.at if load and counted else None


def _localhost_named(host: Host) -> Line | None:
    """The hosts file names it; or, where that is not there, the name is known all the same."""
    entries = (one for one in host.all(HostsEntry) if one.address == "127.0.0.1" and "localhost" in one.names)
    found = next((one.at for one in entries), None)
    known = answered(host, r"^getent hosts localhost")
    return found or (known.at if known else None)


def _loopback_up(host: Host) -> Line | None:
    return next((one.at for one in host.all(Interface) if one.name == "lo" and "127.0.0.1/8" in one.addresses), None)


def _certificates_read(host: Host) -> Line | None:
    return next((one.at for one in host.all(Setting) if one.program == "certificate"), None)


REQUIREMENTS = (
    Requirement("clock", Words("Clock", "时钟"), "clock-skew", _clock),
    Requirement(
        "proxy", Words("Proxies of kubelet and runtime", "kubelet 与运行时的代理设置"), "http-proxy-env", _proxy
    ),
    Requirement(
        "load",
        Words("Load", "负载"),
        "node-overload",
        by_signs("load-over-cpus", shown=_load_seen, asked=r"^uptime|loadavg|^nproc"),
    ),
    Requirement(
        "loopback",
        Words("Loopback interface", "回环接口"),
        "loopback-down",
        by_signs("loopback-without-address", shown=_loopback_up, asked=r"^ip addr|^ifconfig"),
    ),
    Requirement(
        "localhost",
        Words("The name localhost", "localhost 名称"),
        "localhost-unresolvable",
        by_signs("hosts-file-without-localhost", shown=_localhost_named, asked=r"/etc/hosts|^getent"),
    ),
    Requirement(
        "certificates",
        Words("Certificates of the node", "节点证书"),
        "kubelet-cert-expired",
        by_signs("cluster-certificate-past-end", shown=_certificates_read, asked=_CERTIFICATES),
    ),
)
