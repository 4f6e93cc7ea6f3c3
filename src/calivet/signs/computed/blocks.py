"""Signs in IPAM's blocks and in addresses that are used twice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import Pool
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Object, Pod, Row
from calivet.facts.picture import Picture, once
from calivet.signs.computed.network_table import overlapping
from calivet.signs.computed.networks import Network, network, node_addresses
from calivet.signs.sighting import Sighting

_BLOCK_RESOURCES = ("blockaffinity", "ipamblock")
_CHECKED = expression(r"IPAM block (?P<cidr>[0-9a-f.:]+/\d+) affinity=")
_COUNTS_BLOCKS = expression(r"\b(?:ipamblocks?|blockaffinit(?:y|ies))\b.*\|\s*wc\s+-l")
_COUNTS_NODES = expression(r"\bget\s+nodes?\b.*\|\s*wc\s+-l")
_BLOCK_SIZE = expression(r"blockSize\S*[ :=]+\"?(?P<size>\d{2,3})")
_USUAL_BLOCK = {4: 26, 6: 122}
_TUNNELS = ("tunl0", "vxlan.calico", "wireguard.cali")
_ENDED = ("Completed", "Succeeded", "Failed", "Evicted", "Terminating", "Error")


def all_claimed(picture: Picture) -> Iterator[Sighting]:
    """As many blocks exist as the pool has room for."""
    claimed = max([len(_blocks(picture)), *(count for count, _ in _counted(picture, _COUNTS_BLOCKS))], default=0)
    for pool, room in _rooms(picture):
        if claimed >= room > 0:
            yield Sighting(line=pool.at, values={"cidr": pool.cidr, "blocks": str(room)})


def more_nodes_than_blocks(picture: Picture) -> Iterator[Sighting]:
    """A pool with fewer blocks than the cluster has nodes."""
    counted = [count - 1 for count, _ in _counted(picture, _COUNTS_NODES)]
    nodes = max([len(picture.names.nodes), *counted])
    rooms = _rooms(picture)
    for pool, room in rooms:
        if len(rooms) == 1 and 0 < room < nodes:
            values = {"cidr": pool.cidr, "blocks": str(room), "nodes": str(nodes)}
            yield Sighting(line=pool.at, values=values)


def blocks_overlap(picture: Picture) -> Iterator[Sighting]:
    """Two blocks of which one lies in the other."""
    lines = _blocks(picture)
    for one, other in overlapping(lines):
        yield Sighting(line=lines[other], values={"first": str(one), "second": str(other)})


def address_twice(picture: Picture) -> Iterator[Sighting]:
    """One address held by two pods that are both alive in the same listing."""
    hosts = set(node_addresses(picture).values())
    holders: dict[tuple[str, str], dict[str, Pod]] = defaultdict(dict)
    for pod in picture.all(Pod):
        if pod.ip and pod.ip not in hosts and pod.status == "Running" and picture.role(pod) in ("other", "dns"):
            holders[pod.at.artifact, pod.ip][f"{pod.namespace}/{pod.name}"] = pod
    for (_, address), pods in holders.items():
        nodes = {pod.node for pod in pods.values()}
        if len(pods) > 1 and address not in _of_machines(picture):
            values = {"address": address, "pods": ", ".join(sorted(pod.name for pod in pods.values()))}
            yield Sighting(line=next(iter(pods.values())).at, node=nodes.pop(), values=values)


def pod_has_tunnel_address(picture: Picture) -> Iterator[Sighting]:
    """A pod with the address that a node uses for its tunnel."""
    tunnels = {
        address.split("/")[0]
        for interface in picture.all(Interface)
        if interface.name in _TUNNELS
        for address in interface.addresses
    }
    for pod in picture.all(Pod):
        if pod.ip in tunnels and pod.status not in _ENDED:
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "address": str(pod.ip)})


@once
def all_blocks(picture: Picture) -> list[Network]:
    """Every block, where a complete check of IPAM listed them; nothing where only some were shown."""
    whole = any("ipam check" in (artifact.command or "") for artifact in picture.artifacts)
    return list(_blocks(picture)) if whole else []


@once
def _of_machines(picture: Picture) -> set[str]:
    """The machines' own addresses: many pods on the host network share one."""
    cards = (interface for interface in picture.all(Interface) if interface.name not in _TUNNELS)
    return {address.split("/")[0] for card in cards for address in card.addresses}


@once
def _blocks(picture: Picture) -> dict[Network, Line]:
    found: dict[Network, Line] = {}
    for row in picture.all(Row):
        of_block = row.resource in _BLOCK_RESOURCES or row.cells.get("GROUPING") == "Block"
        if of_block and (parsed := network(row.cells.get("CIDR"))):
            found[parsed] = row.at
    for thing in picture.all(Object):
        if thing.kind in ("BlockAffinity", "IPAMBlock") and (parsed := network(str(thing.values.get("spec.cidr", "")))):
            found[parsed] = thing.at
    for artifact in picture.artifacts:
        if "ipam check" in (artifact.command or ""):
            for index, text in enumerate(artifact.lines):
                if (checked := _CHECKED.search(text)) and (parsed := network(checked["cidr"])):
                    found[parsed] = artifact.at(index)
    return found


@once
def _rooms(picture: Picture) -> list[tuple[Pool, int]]:
    """Each pool with the number of blocks it can hold."""
    size = _block_size(picture)
    listed = [row for row in picture.all(Row) if row.cells.get("GROUPING") == "IP Pool"]
    rooms = {}
    for pool in (*(Pool(at=row.at, cidr=row.cells.get("CIDR", "")) for row in listed), *picture.all(Pool)):
        if (parsed := network(pool.cidr)) and pool.disabled is not True:
            block = pool.block_size or size or _USUAL_BLOCK[parsed.version]
            rooms[parsed] = (pool, 2 ** min(max(block - parsed.prefixlen, 0), 40))
    return list(rooms.values())


def _block_size(picture: Picture) -> int | None:
    """The size where only a query for this one field was shown."""
    for artifact in picture.artifacts:
        if "blockSize" in (artifact.command or "") and len(artifact.lines) > 1 and artifact.lines[1].strip().isdigit():
            return int(artifact.lines[1].strip())
        for text in artifact.lines if artifact.length < 80 and not artifact.prose else ():
            if found := _BLOCK_SIZE.search(text):
                return int(found["size"])
    return None


def _counted(picture: Picture, command: re.Pattern[str]) -> Iterator[tuple[int, Line]]:
    """Numbers that the operator had counted with wc -l."""
    for artifact in picture.artifacts:
        if command.search(artifact.command or "") and len(artifact.lines) > 1 and artifact.lines[1].strip().isdigit():
            yield int(artifact.lines[1].strip()), artifact.at(1)


SIGNS = {
    "pool-blocks-all-claimed": all_claimed,
    "more-nodes-than-blocks": more_nodes_than_blocks,
    "blocks-overlap": blocks_overlap,
    "one-address-two-pods": address_twice,
    "pod-has-tunnel-address": pod_has_tunnel_address,
}
