"""Contrast: the facts that separate the sick nodes from the healthy ones, whether or not any cause knows them."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import NodeAddress
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Setting, Version
from calivet.facts.host import Interface, Load, Memory, Sysctl
from calivet.facts.kubernetes import Node, PodCount
from calivet.reasoning.diagnosis import Contrast

# A figure separates the groups when the sick ones are this many times above, or below, the healthy ones.
FACTOR = 3.0

_MOMENT = ("clock", "time")
"""When a clock was looked at: no two nodes were asked in the same second."""
_VIRTUAL = ("lo", "cali", "tunl", "vxlan", "docker", "veth", "kube-ipvs", "nodelocaldns", "cni", "flannel", "br-")


def find_contrast(picture: ClusterFacts) -> list[Contrast]:
    """Every fact known of both groups whose values do not overlap."""
    if not picture.sick_nodes or not picture.healthy_nodes:
        return []
    table: dict[str, dict[str, str]] = {}
    for node, fact, value in _list_facts(picture):
        table.setdefault(fact, {})[node] = value
    found = []
    for fact, values in table.items():
        sick = {node: value for node, value in values.items() if node in picture.sick_nodes}
        healthy = {node: value for node, value in values.items() if node in picture.healthy_nodes}
        if sick and healthy and _separate(fact, list(sick.values()), list(healthy.values())):
            found.append(Contrast(fact, sick, healthy))
    return found


def _separate(fact: str, sick: list[str], healthy: list[str]) -> bool:
    """Settings differ where they share no value; measurements only where they lie far apart."""
    if set(sick) & set(healthy):
        return False
    try:
        ill, well = [float(value) for value in sick], [float(value) for value in healthy]
    except ValueError:
        return True
    if not fact.startswith("host."):
        return True
    return min(ill) >= FACTOR * max(well) or max(ill) * FACTOR <= min(well)


def _list_facts(picture: ClusterFacts) -> Iterator[tuple[str, str, str]]:
    """(node, fact, value) for everything that is known per node."""
    for node in picture.all(Node):
        for fact, value in (
            ("node.kernel", node.kernel),
            ("node.os", node.os),
            ("node.runtime", node.runtime),
            ("node.kubelet", node.version),
        ):
            if value:
                yield node.name, fact, value
    for count in picture.all(PodCount):
        yield count.node, "host.pods-waiting-for-address", str(count.waiting)
    for host, fact, value in _list_host_facts(picture):
        if known := picture.names.node(host):
            yield known, fact, value


def _list_host_facts(picture: ClusterFacts) -> Iterator[tuple[str | None, str, str]]:
    for load in picture.all(Load):
        yield load.host, "host.load1", f"{load.one:g}"
    for memory in picture.all(Memory):
        if memory.available is not None:
            yield memory.host, "host.memory-available-mib", f"{memory.available:g}"
    for sysctl in picture.all(Sysctl):
        yield sysctl.host, f"sysctl.{sysctl.key}", sysctl.value
    for setting in picture.all(Setting):
        if (setting.program, setting.key) != _MOMENT:
            yield setting.host, f"{setting.program}.{setting.key}", str(setting.value)
    for version in picture.all(Version):
        yield version.host, f"version.{version.program}", version.version
    yield from _list_cards(picture)


def _list_cards(picture: ClusterFacts) -> Iterator[tuple[str | None, str, str]]:
    """The network cards of each host, and the one Calico took."""
    for address in picture.all(NodeAddress):
        if address.interface:
            yield address.node, "calico.interface", address.interface
    cards: dict[str, set[str]] = {}
    for interface in picture.all(Interface):
        if interface.host and not interface.name.startswith(_VIRTUAL):
            cards.setdefault(interface.host, set()).add(interface.name)
    for host, names in cards.items():
        yield host, "host.cards", ", ".join(sorted(names))
