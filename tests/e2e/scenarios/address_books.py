"""The books that Calico keeps of addresses: who holds which block, and whom each address was given to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network
from typing import Any

from msgspec import Struct

from tests.e2e.scenarios.calico_objects import resource

BLOCK = 26


class Lease(Struct, frozen=True):
    """One address that was given to a pod."""

    address: str
    node: str
    namespace: str
    pod: str

    def handle(self) -> str:
        """The name under which it was taken."""
        return f"k8s-pod-network.{hashlib.sha256(self.pod.encode()).hexdigest()}"


def blocks(pool: str, nodes: Iterable[str]) -> dict[str, IPv4Network]:
    """A block for each node, as long as the pool has one."""
    network = IPv4Network(pool)
    return dict(zip(nodes, network.subnets(new_prefix=max(BLOCK, network.prefixlen)), strict=False))


def books(held: dict[str, IPv4Network], leases: Iterable[Lease], group: str) -> Iterator[dict[str, Any]]:
    """Blocks, claims to them and handles, in agreement with each other."""
    given = {lease.address: lease for lease in leases}
    for node, network in held.items():
        inside = [given[str(address)] for address in network if str(address) in given]
        tunnel = f"ipip-tunnel-addr-{node}"
        yield from _block(node, network, tunnel, inside, group)
        for handle in (tunnel, *(lease.handle() for lease in inside)):
            yield resource("IPAMHandle", handle, group, block={str(network): 1}, deleted=False, handleID=handle)


def _block(node: str, network: IPv4Network, tunnel: str, inside: list[Lease], group: str) -> Iterator[dict[str, Any]]:
    name = str(network).replace(".", "-").replace("/", "-")
    claim = {"cidr": str(network), "deleted": "false", "node": node, "state": "confirmed", "type": "host"}
    yield resource("BlockAffinity", f"{node}-{name}", group, **claim)
    # The first address is the node's own, for its tunnel.
    places = {str(network[0]): 0} | {lease.address: number for number, lease in enumerate(inside, 1)}
    attributes = [{"handle_id": tunnel, "secondary": {"node": node, "type": "ipipTunnelAddress"}}]
    for lease in inside:
        owner = {"namespace": lease.namespace, "node": lease.node, "pod": lease.pod}
        attributes.append({"handle_id": lease.handle(), "secondary": owner})
    yield resource(
        "IPAMBlock",
        name,
        group,
        cidr=str(network),
        affinity=f"host:{node}",
        allocations=[places.get(str(address)) for address in network],
        unallocated=[number for number, address in enumerate(network) if str(address) not in places],
        attributes=attributes,
        deleted=False,
        strictAffinity=False,
    )
