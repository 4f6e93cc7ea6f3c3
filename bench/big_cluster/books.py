"""IPAM's books of so large a cluster: a block and its claim for each node, a handle for each address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.big_cluster.addresses import APPLICATIONS, BLOCK_SIZE, NODES, application, block_of, digest, node_name, uid
from bench.big_cluster.stencil import Stencil
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.moments import ago, written

WRITER = ("calico-ipam", "spec")


def affinities() -> Iterator[dict[str, Any]]:
    """Which node claims which block."""
    spec = {"cidr": "%cidr%", "deleted": "false", "node": "%node%", "state": "confirmed", "type": "host"}
    stencil = _stencil("BlockAffinity", spec)
    for number in range(NODES):
        node, cidr = node_name(number), block_of(number)
        yield stencil.cut(name=f"{node}-{_written(cidr)}", node=node, cidr=cidr, uid=uid("affinity", cidr))


def blocks() -> Iterator[dict[str, Any]]:
    """The blocks with what is given out of them."""
    for number in range(NODES):
        cidr, used = block_of(number), APPLICATIONS + 1
        spec = {
            "cidr": cidr,
            "affinity": f"host:{node_name(number)}",
            "allocations": [*range(used), *[None] * (BLOCK_SIZE - used)],
            "attributes": list(_attributes(number)),
            "unallocated": list(range(used, BLOCK_SIZE)),
            "sequenceNumber": 1_700_000_000_000 + number,
            "sequenceNumberForAllocation": {str(place): 1_700_000_000_000 + place for place in range(used)},
            "deleted": False,
            "strictAffinity": False,
        }
        yield _stencil("IPAMBlock", spec).cut(name=_written(cidr), uid=uid("block", cidr))


def _attributes(number: int) -> Iterator[dict[str, Any]]:
    node = node_name(number)
    yield {"handle_id": _handle(number, -1), "secondary": {"node": node, "type": "ipipTunnelAddress"}}
    for place in range(APPLICATIONS):
        namespace, workload = application(number, place)
        about = {"namespace": namespace, "node": node, "pod": workload, "timestamp": "2025-01-07 09:14:31 +0000 UTC"}
        yield {"handle_id": _handle(number, place), "secondary": about}


def handles() -> Iterator[dict[str, Any]]:
    """One for each address that is given out, and some that were forgotten."""
    stencil = _stencil("IPAMHandle", {"block": {"%cidr%": 1}, "deleted": False, "handleID": "%name%"})
    for number in range(NODES):
        for place in range(-1, APPLICATIONS + 1):
            handle = _handle(number, place)
            yield stencil.cut(name=handle, cidr=block_of(number), uid=uid(handle))


def _handle(number: int, place: int) -> str:
    if place < 0:
        return f"ipip-tunnel-addr-{node_name(number)}"
    return f"k8s-pod-network.{digest('handle', number, place)}"


def _stencil(kind: str, spec: dict[str, Any]) -> Stencil:
    thing = resource(kind, "%name%", **spec)
    thing["metadata"] |= {
        "annotations": {"projectcalico.org/metadata": '{"creationTimestamp":null}'},
        "creationTimestamp": written(ago(days=9)),
        "generation": 1,
    }
    return Stencil(thing, WRITER)


def _written(cidr: str) -> str:
    return cidr.replace(".", "-").replace("/", "-")
