"""The address ranges that the evidence declares: Calico's pools, and what Kubernetes was told. Helpers, no signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Node, Object, Row
from calivet.facts.picture import Picture, once

Network = IPv4Network | IPv6Network

_POOL_VARIABLE = expression(r"CALICO_IPV[46]POOL_CIDR")
_POOL_PATH = expression(r"ipPools\[\d+\]\.cidr$")
_ANY_CIDR = expression(r"(?:^|\.)cidr$")
# In a file, on a command line or in a note: cluster-cidr: X, --pod-network-cidr=X, "podSubnet": "X,Y".
_TOLD = expression(
    r"(?P<key>(?:pod-network|cluster|service)-cidr|(?:pod|service)Subnet|clusterCIDR|service-cluster-ip-range"
    r"|cidrBlocks|kube_pods_subnet|kube_service_addresses)[\"']?\s{0,4}[:=]\s{0,4}[\[\"']{0,3}"
    r"(?P<ranges>[0-9a-f.:]+/\d{1,3}(?:\s?,\s?[0-9a-f.:]+/\d{1,3})*)",
    re.IGNORECASE,
)
# One of these is in all of its keys; to look for them first is many times faster.
_TELLING = ("cidr", "subnet", "service-cluster-ip-range", "kube_service_addresses")
_SERVICE_KEYS = ("service",)
_WHO = {
    "clustercidr": "kube-proxy",
    "podsubnet": "kubeadm",
    "pod-network-cidr": "kubeadm",
    "cluster-cidr": "Kubernetes",
}
# Configuration is short; a long artifact is a log.
_SHORT = 400


class Range(Struct, frozen=True):
    """A range and the line that declares it."""

    network: Network
    line: Line
    who: str
    """Calico, kubeadm, kube-proxy, Kubernetes."""


@lru_cache(1 << 16)
def network(text: str | None) -> Network | None:
    """The network that the text writes, None where it writes none; all nodes have routes to the same ones."""
    try:
        return ip_network(text.strip(), strict=False) if text else None
    except ValueError:
        return None


def inside(address: str | None, where: Network) -> bool:
    """Whether the address lies in the network."""
    own = parsed_address(address)
    return own is not None and own in where


@lru_cache(1 << 16)
def parsed_address(address: str | None) -> IPv4Address | IPv6Address | None:
    """The address, with or without a prefix length; a node shares its own with pods, and each is looked at."""
    try:
        return ip_address(address.split("/")[0]) if address else None
    except ValueError:
        return None


def overlap(one: Network, other: Network) -> bool:
    """Whether two networks of one family share addresses."""
    return one.version == other.version and one.overlaps(other)


@once
def pools(picture: Picture) -> list[Range]:
    """Calico's pools that are not disabled, each once."""
    found: dict[Network, Range] = {}
    for one in (*_listed_pools(picture), *_written_pools(picture)):
        found.setdefault(one.network, one)
    return list(found.values())


def _listed_pools(picture: Picture) -> Iterator[Range]:
    for pool in picture.all(Pool):
        if pool.disabled is not True and (parsed := network(pool.cidr)):
            yield Range(parsed, pool.at, "Calico")
    for row in picture.all(Row):
        of_pool = row.resource == "ippool" and row.cells.get("DISABLED") != "true"
        if (of_pool or row.cells.get("GROUPING") == "IP Pool") and (parsed := network(row.cells.get("CIDR"))):
            yield Range(parsed, row.at, "Calico")


def _written_pools(picture: Picture) -> Iterator[Range]:
    """Pools of an Installation, of YAML that was cut down to its CIDR, and of the environment."""
    for thing in picture.all(Object):
        around = picture.artifact(thing.at)
        wanted = _ANY_CIDR if around and "ippool" in (around.command or "").lower() else _POOL_PATH
        for path, value in thing.values.items():
            if wanted.search(path) and (parsed := network(str(value))):
                yield Range(parsed, _line(thing, path), "Calico")
    for variable in picture.all(Variable):
        if _POOL_VARIABLE.fullmatch(variable.name) and (parsed := network(variable.value)):
            yield Range(parsed, variable.at, "Calico")


@once
def pod_ranges_told(picture: Picture) -> list[Range]:
    """The pod ranges that Kubernetes' own parts were given."""
    return [told for key, told in _told(picture) if not key.startswith(_SERVICE_KEYS)]


@once
def service_ranges(picture: Picture) -> list[Range]:
    """The service range, and the addresses of services that were seen."""
    found = [told for key, told in _told(picture) if key.startswith(_SERVICE_KEYS)]
    seen = ((network(row.cells.get("CLUSTER-IP")), row.at) for row in picture.all(Row))
    return found + [Range(parsed, line, "Kubernetes") for parsed, line in seen if parsed]


@once
def node_addresses(picture: Picture) -> dict[str, str]:
    """Each node's own address."""
    found = {address.node: address.address.split("/")[0] for address in picture.all(NodeAddress) if address.node}
    found |= {pod.node: pod.ip for pod in picture.pods("calico-node") if pod.node and pod.ip}
    return found | {node.name: node.internal_ip for node in picture.all(Node) if node.internal_ip}


def _told(picture: Picture) -> Iterator[tuple[str, Range]]:
    for artifact in picture.artifacts:
        if len(artifact.lines) > _SHORT:
            continue
        for index, text in enumerate(artifact.lines):
            for found in _TOLD.finditer(text) if "/" in text and _may_tell(text.lower()) else ():
                key = found["key"].lower()
                if key == "cidrblocks":
                    key = "service" if "service" in artifact.lines[max(index - 1, 0)].lower() else "pods"
                for written in found["ranges"].split(","):
                    if parsed := network(written):
                        yield key, Range(parsed, artifact.at(index), _WHO.get(key, "Kubernetes"))


def _may_tell(text: str) -> bool:
    return any(word in text for word in _TELLING)


def _line(thing: Object, path: str) -> Line:
    return Line(thing.at.artifact, thing.lines.get(path, thing.at.number), f"{path}: {thing.values[path]}")
