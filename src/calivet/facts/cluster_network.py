"""The cluster's network as the evidence declares it: address ranges of pods and services, and BGP sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from calivet.evidence.artifact import Line
from calivet.facts.calico import BgpPeer, BirdAnswer, CniConfig, NodeAddress, Pool
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Variable
from calivet.facts.host import CommandRun, KernelCounter
from calivet.facts.kubernetes import Node, Object, RangeSetting, Row
from calivet.facts.networks import Network, parse_network
from calivet.facts.vocabulary.commands import asks_bird
from calivet.search.expressions import expression

# The address ranges that the evidence declares: Calico's pools, and what Kubernetes was told.
_POOL_VARIABLE = expression(r"CALICO_IPV[46]POOL_CIDR")
_POOL_PATH = expression(r"ipPools\[\d+\]\.cidr$")
_MTU_PATH = expression(r"(?:^|\.)veth_mtu$|calicoNetwork\.mtu$")
_SIZE = expression(r"[1-9]\d{2,4}")
_ANY_CIDR = expression(r"(?:^|\.)cidr$")


class Range(Struct, frozen=True):
    """A range and the line that declares it."""

    network: Network
    line: Line
    who: str
    """Calico, kubeadm, kube-proxy, Kubernetes."""


@once
def list_pools(cluster: ClusterFacts) -> list[Range]:
    """Calico's pools that are not disabled, each once."""
    found: dict[Network, Range] = {}
    for one in (*_read_listed_pools(cluster), *_read_written_pools(cluster)):
        found.setdefault(one.network, one)
    # The environment makes the first pool, once: where pools are listed, what it says is history.
    return list((found or {one.network: one for one in _read_pool_variables(cluster)}).values())


def find_disabled_pools(cluster: ClusterFacts) -> set[Network]:
    """Ranges of which no new address is taken; pods from before keep theirs."""
    return {network for pool in cluster.all(Pool) if pool.disabled and (network := parse_network(pool.cidr))}


def _read_listed_pools(cluster: ClusterFacts) -> Iterator[Range]:
    disabled = find_disabled_pools(cluster)
    for pool in cluster.all(Pool):
        if pool.disabled is not True and (parsed := parse_network(pool.cidr)):
            yield Range(parsed, pool.at, "Calico")
    for row in cluster.all(Row):
        parsed = parse_network(row.cells.get("CIDR"))
        listed = row.resource == "ippool" and row.cells.get("DISABLED") != "true"
        # What `calicoctl ipam show` counts has no word of which pools are disabled.
        counted = row.cells.get("GROUPING") == "IP Pool" and parsed not in disabled
        if parsed and (listed or counted):
            yield Range(parsed, row.at, "Calico")


def _read_written_pools(cluster: ClusterFacts) -> Iterator[Range]:
    """Pools of an Installation, and of YAML that was cut down to its CIDR."""
    for thing in cluster.all(Object):
        wanted = _ANY_CIDR if "ippool" in cluster.find_command_of(thing.at).lower() else _POOL_PATH
        for path, value in thing.values.items():
            off = thing.values.get(f"{path.removesuffix('cidr')}disabled")
            if wanted.search(path) and str(off).lower() != "true" and (parsed := parse_network(str(value))):
                yield Range(parsed, thing.find_line_of(path), "Calico")


def _read_pool_variables(cluster: ClusterFacts) -> Iterator[Range]:
    for variable in cluster.all(Variable):
        if _POOL_VARIABLE.fullmatch(variable.name) and (parsed := parse_network(variable.value)):
            yield Range(parsed, variable.at, "Calico")


@once
def list_pod_ranges(cluster: ClusterFacts) -> list[Range]:
    """The pod ranges that Kubernetes' own parts were given."""
    return [one for services, one in _read_range_settings(cluster) if not services]


@once
def list_service_ranges(cluster: ClusterFacts) -> list[Range]:
    """The service range, and the addresses of services that were seen."""
    found = [one for services, one in _read_range_settings(cluster) if services]
    seen = ((parse_network(row.cells.get("CLUSTER-IP")), row.at) for row in cluster.all(Row))
    return found + [Range(parsed, line, "Kubernetes") for parsed, line in seen if parsed]


class ConfiguredMtu(Struct, frozen=True):
    """An MTU that somebody has set for pods; 0 leaves it to Felix and is none."""

    mtu: int
    line: Line
    host: str | None = None


@once
def list_configured_mtus(cluster: ClusterFacts) -> list[ConfiguredMtu]:
    """Those of the CNI plugin's file, of Calico's ConfigMap and of the operator."""
    written = [(config.mtu, config.at, config.host) for config in cluster.all(CniConfig)]
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            if _MTU_PATH.search(path):
                written.append((str(value), thing.find_line_of(path), None))
    return [ConfiguredMtu(int(text), line, host) for text, line, host in written if text and _SIZE.fullmatch(text)]


@once
def map_node_addresses(cluster: ClusterFacts) -> dict[str, str]:
    """Each node's own address."""
    found = {address.node: address.address.split("/")[0] for address in cluster.all(NodeAddress) if address.node}
    found |= {pod.node: pod.ip for pod in cluster.pods("calico-node") if pod.node and pod.ip}
    return found | {node.name: node.internal_ip for node in cluster.all(Node) if node.internal_ip}


def _read_range_settings(cluster: ClusterFacts) -> Iterator[tuple[bool, Range]]:
    for told in cluster.all(RangeSetting):
        if parsed := parse_network(told.cidr):
            yield told.services, Range(parsed, told.at, told.who)


# The BGP sessions of a picture: with everybody's neighbours in it they outnumber all other facts.
@once
def list_latest_sessions(cluster: ClusterFacts) -> list[BgpPeer]:
    """What each end said last of each of its sessions."""
    return list({(peer.host, peer.address): peer for peer in cluster.all(BgpPeer)}.values())


@once
def list_waiting_sessions(cluster: ClusterFacts) -> list[BgpPeer]:
    """Each time that an end was seen without the session up."""
    return [peer for peer in cluster.all(BgpPeer) if not peer.established]


@once
def list_silent_birds(cluster: ClusterFacts) -> list[CommandRun]:
    """Where a probe of a node asked BIRD through its socket, and it let the time pass."""
    silent = {(answer.host, answer.command) for answer in cluster.all(BirdAnswer) if not answer.answered}
    asked = (run for run in cluster.all(CommandRun) if asks_bird(run.command))
    return [run for run in asked if run.timed_out or (run.exit is not None and (run.host, run.command) in silent)]


# Counters of the kernel count since the machine started.
@once
def list_counted(cluster: ClusterFacts) -> list[KernelCounter]:
    """What the kernel counted of late: where it was asked twice, what was added between; else all since the start."""
    looks: dict[tuple[str | None, str, str], list[KernelCounter]] = {}
    for counter in cluster.all(KernelCounter):
        looks.setdefault((counter.host, counter.name, counter.at.artifact), []).append(counter)
    return [replace(found[-1], value=found[-1].value - _find_start(found)) for found in looks.values()]


def _find_start(looks: Sequence[KernelCounter]) -> int:
    """The figure to count from; a machine that began anew in between begins at none."""
    return looks[0].value if len(looks) > 1 and looks[0].value <= looks[-1].value else 0
