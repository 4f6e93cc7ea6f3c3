"""Signs in kernel settings: forwarding, connection tracking, IPv6, the reverse path filter."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import CniConfig, OldLogForm, Pool
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Variable
from calivet.facts.host import ConntrackMetric, Sysctl
from calivet.facts.platform import find_last_version, parse_minor_version
from calivet.facts.vocabulary.commands import runs_inside, sets_rp_filter
from calivet.signs.sighting import Sighting

_FORWARDING = tuple(f"net.ipv4.{key}" for key in ("ip_forward", "conf.all.forwarding", "conf.default.forwarding"))
_IPV6_OFF = ("net.ipv6.conf.all.disable_ipv6", "net.ipv6.conf.default.disable_ipv6")
_COUNT, _LIMIT = "nf_conntrack_count", "nf_conntrack_max"
NEARLY = 0.95
FAR = 0.6


def find_forwarding_off_now(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Forwarding is off in the running kernel of a host."""
    yield from (sighting for sighting, file in _find_forwarding_off(cluster) if file is None)


def find_forwarding_off_at_boot(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A file switches forwarding off, and nothing shows it on."""
    yield from (sighting for sighting, file in _find_forwarding_off(cluster) if file)


def find_conntrack_near_limit(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The connection table is as good as full."""
    yield from (sighting for sighting, share in _measure_conntrack(cluster) if share >= NEARLY)


def find_conntrack_far_from_limit(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The connection table has ample room, wherever it was looked at."""
    tables = list(_measure_conntrack(cluster))
    if all(share <= FAR for _, share in tables):
        yield from (sighting for sighting, _ in tables)


def find_ipv6_asked_but_disabled(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico is to use IPv6 on a host that has it switched off."""
    asked = _find_ipv6_request(cluster)
    for fact in cluster.all(Sysctl):
        if asked and fact.key in _IPV6_OFF and fact.value == "1":
            values = {"asked": asked, "key": fact.key}
            yield Sighting(line=fact.at, node=_find_node(fact, cluster), values=values)


def _find_forwarding_off(cluster: ClusterFacts) -> Iterator[tuple[Sighting, str | None]]:
    """Inside a pod forwarding is off by design, so what was asked there does not count."""
    on = {fact.host for fact in cluster.all(Sysctl) if fact.key == "net.ipv4.ip_forward" and fact.value == "1"}
    for fact in cluster.all(Sysctl):
        off = _is_forwarding(fact.key) and fact.value == "0" and fact.host not in on
        if off and not runs_inside(cluster.find_command_of(fact.at)):
            yield Sighting(line=fact.at, node=_find_node(fact, cluster), values={"key": fact.key}), fact.file


def _is_forwarding(key: str) -> bool:
    """Of all cards, or of a pod's."""
    of_pod = key.startswith("net.ipv4.conf.cali") and key.endswith(".forwarding")
    return of_pod or key in _FORWARDING


def _find_ipv6_request(cluster: ClusterFacts) -> str | None:
    for variable in cluster.all(Variable):
        if (variable.name, variable.value.lower()) in (("FELIX_IPV6SUPPORT", "true"), ("IP6", "autodetect")):
            return f"{variable.name}={variable.value}"
    return next((pool.cidr for pool in cluster.all(Pool) if ":" in pool.cidr and not pool.disabled), None)


def _measure_conntrack(cluster: ClusterFacts) -> Iterator[tuple[Sighting, float]]:
    """The last count of each host with its share of the limit."""
    values = {(fact.host, fact.key.rsplit(".", 1)[-1]): (fact.value, fact.at) for fact in cluster.all(Sysctl)}
    for metric in cluster.all(ConntrackMetric):
        values[metric.host, _LIMIT if metric.limit else _COUNT] = metric.value, metric.at
    for (host, key), (count, line) in values.items():
        limit, _ = values.get((host, _LIMIT), ("", line))
        if key == _COUNT and count.isdigit() and limit.isdigit() and int(limit):
            node = cluster.names.find_node_or_host(host)
            yield Sighting(line=line, node=node, values={"count": count, "limit": limit}), int(count) / int(limit)


def _find_node(fact: Sysctl, cluster: ClusterFacts) -> str | None:
    return cluster.names.find_node_or_host(fact.host)


_KEY = "net.ipv4.conf.all.rp_filter"
LOOSE = "2"
# The first Calico that does not look at rp_filter.
_FREE_SINCE = (3, 12)
_OLD = "≤3.13"


def find_loose_rp_filter_on_old_calico(cluster: ClusterFacts) -> Iterator[Sighting]:
    """rp_filter is loose and Calico is of a version that refuses it."""
    version = _find_refusing_version(cluster)
    for fact in _list_running_settings(cluster) if version else []:
        if fact.value == LOOSE:
            yield Sighting(line=fact.at, node=_find_node(fact, cluster), values={"key": fact.key, "version": version})


def find_loose_rp_filter_where_sick_only(cluster: ClusterFacts) -> Iterator[Sighting]:
    """rp_filter is loose on machines where calico-node is sick, and on none where it is well."""
    loose = {_find_node(fact, cluster): fact for fact in _list_running_settings(cluster) if fact.value == LOOSE}
    strict = {_find_node(fact, cluster): fact for fact in _list_running_settings(cluster) if fact.value != LOOSE}
    healthy = cluster.healthy_nodes & strict.keys()
    if not _find_refusing_version(cluster) or not healthy or loose.keys() & cluster.healthy_nodes:
        return
    for node in sorted(cluster.sick_nodes & loose.keys()):
        fact = strict[min(healthy)]
        yield Sighting(line=fact.at, node=node, values={"sick": node, "well": min(healthy), "value": fact.value})


def find_rp_filter_not_loose(cluster: ClusterFacts) -> Iterator[Sighting]:
    """rp_filter is strict or off in the running kernel."""
    for fact in _list_running_settings(cluster):
        if fact.value in ("0", "1"):
            yield Sighting(line=fact.at, node=_find_node(fact, cluster))


@once
def _list_running_settings(cluster: ClusterFacts) -> list[Sysctl]:
    facts = (fact for fact in cluster.all(Sysctl) if fact.key == _KEY and fact.file is None)
    return [fact for fact in facts if not sets_rp_filter(cluster.find_command_of(fact.at))]


@once
def _find_refusing_version(cluster: ClusterFacts) -> str:
    """The version of a Calico that looks at rp_filter, told by an image or by the form of its log; else empty."""
    told = find_last_version(cluster)
    minor = parse_minor_version(told.version) if told else None
    if told and minor:
        return told.version if minor < _FREE_SINCE else ""
    return _OLD if cluster.all(OldLogForm) else ""


def find_ipv6_given_without_felix(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The plugin gives pods IPv6 addresses, and Felix is told to leave IPv6 alone: nobody makes their routes."""
    off = [one for one in cluster.all(Variable) if one.name == "FELIX_IPV6SUPPORT" and one.value.lower() == "false"]
    if off and any(config.gives_ipv6 for config in cluster.all(CniConfig)):
        yield Sighting(line=off[-1].at)


SIGNS = {
    "forwarding-off-now": find_forwarding_off_now,
    "forwarding-off-at-boot": find_forwarding_off_at_boot,
    "conntrack-near-limit": find_conntrack_near_limit,
    "conntrack-far-from-limit": find_conntrack_far_from_limit,
    "ipv6-given-without-felix": find_ipv6_given_without_felix,
    "ipv6-asked-but-disabled": find_ipv6_asked_but_disabled,
    "loose-rp-filter-on-old-calico": find_loose_rp_filter_on_old_calico,
    "loose-rp-filter-where-sick-only": find_loose_rp_filter_where_sick_only,
    "rp-filter-not-loose": find_rp_filter_not_loose,
}
