"""Settings of the kernel: forwarding, the reverse path filter, the table of connections."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.facts.host import Sysctl
from calivet.forecast.releases import running as release
from calivet.preflight.by_signs import by_signs, fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, passes, unchecked
from calivet.preflight.unread import not_read

_FREE_SINCE = (3, 12, 0)

LOOSE = Words(
    "net.ipv4.conf.all.rp_filter is 2, which Calico up to 3.11 refuses; which version it will be is not known",
    "net.ipv4.conf.all.rp_filter 为 2，Calico 3.11 及之前的版本会拒绝；尚不知道将使用哪个版本",
)


def _rp_filter(host: Host) -> Result:
    for sighting in seen("loose-rp-filter-on-old-calico", host.together, host):
        return fails_by("loose-rp-filter-on-old-calico", sighting)
    set_to = next((one for one in host.all(Sysctl) if one.key == "net.ipv4.conf.all.rp_filter"), None)
    if set_to is None:
        return not_read(host, r"sysctl|rp_filter")
    if set_to.value == "2" and release(host.together).since(_FREE_SINCE) is None:
        return unchecked(LOOSE, set_to.at)
    return passes(set_to.at)


def _forwarding_on(host: Host) -> Line | None:
    return next((one.at for one in host.all(Sysctl) if (one.key, one.value) == ("net.ipv4.ip_forward", "1")), None)


def _connections_counted(host: Host) -> Line | None:
    """Before the first connection is tracked there is no table, and nothing to count."""
    found = {one.key.rsplit(".", 1)[-1]: one.at for one in host.all(Sysctl)}
    return found.get("nf_conntrack_count") if "nf_conntrack_max" in found else None


REQUIREMENTS = (
    Requirement(
        "rp-filter",
        Words("Reverse path filter (rp_filter)", "反向路径过滤（rp_filter）"),
        "sysctl-rp-filter",
        _rp_filter,
    ),
    Requirement(
        "forwarding",
        Words("Packet forwarding (ip_forward)", "报文转发（ip_forward）"),
        "sysctl-ip-forward-off",
        by_signs("forwarding-off-now", "forwarding-off-at-boot", shown=_forwarding_on, asked=r"sysctl|ip_forward"),
    ),
    Requirement(
        "conntrack",
        Words("Table of connections", "连接跟踪表"),
        "conntrack-full",
        by_signs("conntrack-near-limit", shown=_connections_counted, asked=r"sysctl|nf_conntrack"),
    ),
)
