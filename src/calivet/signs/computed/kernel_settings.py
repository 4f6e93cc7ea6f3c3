"""Signs in kernel settings: forwarding, connection tracking, IPv6."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import Pool
from calivet.facts.fact import Variable
from calivet.facts.host import Sysctl
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

_FORWARDING = expression(r"net\.ipv4\.(?:ip_forward|conf\.(?:all|default|cali\w+)\.forwarding)")
_INSIDE = expression(r"\b(?:kubectl|oc|docker|crictl|nerdctl)\b.*\bexec\b|\bnsenter\b|\bip netns exec\b")
_IPV6_OFF = expression(r"net\.ipv6\.conf\.(?:all|default)\.disable_ipv6")
_COUNT, _LIMIT = "nf_conntrack_count", "nf_conntrack_max"
_METRIC = expression(
    r"node_nf_conntrack_entries(?P<limit>_limit)?\{[^}]*?(?:node|instance|host)=\"(?P<host>[^\":]+)[^}]*\}\s+(?P<value>\d+)"
)
# Metrics are pasted a few at a time; a longer text is something else.
_SHORT = 400
NEARLY = 0.95
FAR = 0.6


def forwarding_off_now(picture: Picture) -> Iterator[Sighting]:
    """Forwarding is off in the running kernel of a host."""
    yield from (sighting for sighting, file in _forwarding_off(picture) if file is None)


def forwarding_off_at_boot(picture: Picture) -> Iterator[Sighting]:
    """A file switches forwarding off, and nothing shows it on."""
    yield from (sighting for sighting, file in _forwarding_off(picture) if file)


def conntrack_near_limit(picture: Picture) -> Iterator[Sighting]:
    """The connection table is as good as full."""
    yield from (sighting for sighting, share in _conntrack(picture) if share >= NEARLY)


def conntrack_far_from_limit(picture: Picture) -> Iterator[Sighting]:
    """The connection table has ample room, wherever it was looked at."""
    tables = list(_conntrack(picture))
    if all(share <= FAR for _, share in tables):
        yield from (sighting for sighting, _ in tables)


def ipv6_asked_but_disabled(picture: Picture) -> Iterator[Sighting]:
    """Calico is to use IPv6 on a host that has it switched off."""
    asked = _asks_for_ipv6(picture)
    for fact in picture.all(Sysctl):
        if asked and _IPV6_OFF.fullmatch(fact.key) and fact.value == "1":
            values = {"asked": asked, "key": fact.key}
            yield Sighting(line=fact.at, node=_node(fact, picture), values=values)


def _forwarding_off(picture: Picture) -> Iterator[tuple[Sighting, str | None]]:
    """Inside a pod forwarding is off by design, so what was asked there does not count."""
    on = {fact.host for fact in picture.all(Sysctl) if fact.key == "net.ipv4.ip_forward" and fact.value == "1"}
    for fact in picture.all(Sysctl):
        off = _FORWARDING.fullmatch(fact.key) and fact.value == "0" and fact.host not in on
        around = picture.artifact(fact.at) if off else None
        if off and not (around and _INSIDE.search(around.command or "")):
            yield Sighting(line=fact.at, node=_node(fact, picture), values={"key": fact.key}), fact.file


def _asks_for_ipv6(picture: Picture) -> str | None:
    for variable in picture.all(Variable):
        if (variable.name, variable.value.lower()) in (("FELIX_IPV6SUPPORT", "true"), ("IP6", "autodetect")):
            return f"{variable.name}={variable.value}"
    return next((pool.cidr for pool in picture.all(Pool) if ":" in pool.cidr and not pool.disabled), None)


def _conntrack(picture: Picture) -> Iterator[tuple[Sighting, float]]:
    """The last count of each host with its share of the limit."""
    values = {(fact.host, fact.key.rsplit(".", 1)[-1]): (fact.value, fact.at) for fact in picture.all(Sysctl)}
    values |= _metrics(picture)
    for (host, key), (count, line) in values.items():
        limit, _ = values.get((host, _LIMIT), ("", line))
        if key == _COUNT and count.isdigit() and limit.isdigit() and int(limit):
            node = picture.names.node(host) or host
            yield Sighting(line=line, node=node, values={"count": count, "limit": limit}), int(count) / int(limit)


@once
def _metrics(picture: Picture) -> dict[tuple[str | None, str], tuple[str, Line]]:
    """The same two numbers as the node exporter names them."""
    found: dict[tuple[str | None, str], tuple[str, Line]] = {}
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines[:_SHORT]):
            if "nf_conntrack_entries" in text and (metric := _METRIC.search(text)):
                found[metric["host"], _LIMIT if metric["limit"] else _COUNT] = metric["value"], artifact.at(index)
    return found


def _node(fact: Sysctl, picture: Picture) -> str | None:
    return picture.names.node(fact.host) or fact.host


SIGNS = {
    "forwarding-off-now": forwarding_off_now,
    "forwarding-off-at-boot": forwarding_off_at_boot,
    "conntrack-near-limit": conntrack_near_limit,
    "conntrack-far-from-limit": conntrack_far_from_limit,
    "ipv6-asked-but-disabled": ipv6_asked_but_disabled,
}
