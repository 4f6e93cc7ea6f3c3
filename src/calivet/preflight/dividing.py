"""Which part of the evidence is the probe of which node; what is left is about the cluster."""

from __future__ import annotations

from calivet.evidence.artifact import Haul
from calivet.facts.calico import Pool
from calivet.facts.host import Interface, NodeProbe, NodeProbeEnd
from calivet.facts.kubernetes import Node
from calivet.preflight.host import Host, Share
from calivet.readers.read import read

_TELLS_OF_A_CLUSTER = (Node, Pool)


def hosts_in(haul: Haul) -> list[Host]:
    """Every node with a probe, each knowing the others and the cluster; of two probes of one machine the later."""
    found: list[Host] = []
    rest = Share()
    document, host = "", None
    for artifact in haul.artifacts:
        facts, _ = read(artifact)
        begin = next((fact for fact in facts if isinstance(fact, NodeProbe)), None)
        if begin:
            found.append(host := Host(begin))
        elif artifact.name != document:
            host = None
        document = artifact.name
        share = host.share if host else rest
        share.artifacts.append(artifact)
        share.facts += facts
        if any(isinstance(fact, NodeProbeEnd) for fact in facts):
            host = None
    latest = [one for place, one in enumerate(found) if not any(_is_same(one, later) for later in found[place + 1 :])]
    _introduce(latest, rest)
    return latest


def _is_same(one: Host, other: Host) -> bool:
    """Machines that were cloned may share a name, but hardly all their addresses."""
    return one.name == other.name and _addresses(one) == _addresses(other)


def _addresses(host: Host) -> set[str]:
    return {address for card in host.all(Interface) for address in card.addresses}


def _introduce(everyone: list[Host], rest: Share) -> None:
    around = rest if any(isinstance(fact, _TELLS_OF_A_CLUSTER) for fact in rest.facts) else None
    for host in everyone:
        host.around = around
        host.beside = [other for other in everyone if other is not host]
