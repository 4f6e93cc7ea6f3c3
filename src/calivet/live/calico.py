"""Calico's own resources, from whichever API group the cluster serves them."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from msgspec import Raw, Struct

from calivet.live import needs, objects
from calivet.live.connection import Connection
from calivet.live.fetch_tasks import FetchTask
from calivet.live.objects import FROM_MEMORY, ListMeta, choose_telling, fetch_pages, print_rows
from calivet.live.trouble import Trouble
from calivet.messages.command_line import build_command

_HEADER = ("GROUPING", "CIDR", "IPS TOTAL", "IPS IN USE", "IPS FREE")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Affinity(Struct, frozen=True):
    """A node's claim on a block."""

    cidr: str = ""
    node: str = ""
    state: str = ""
    deleted: str | bool = "false"


class Block(Struct, frozen=True):
    """A block; its allocations are numbers for addresses in use and null for free ones, and are only counted."""

    cidr: str = ""
    allocations: Raw = Raw(b"[]")

    @property
    def used(self) -> int:
        """How many of its addresses are in use."""
        written = bytes(self.allocations).strip(b"[] \n")
        return written.count(b",") + 1 - written.count(b"null") if written else 0


class Pool(Struct, frozen=True):
    """A pool, as far as counting needs it."""

    cidr: str = ""


Spec = TypeVar("Spec", Affinity, Block, Pool)


class _Name(Struct, frozen=True):
    name: str = ""


class Item(Struct, Generic[Spec], frozen=True):
    """One object: its name and the part that counts."""

    metadata: _Name
    spec: Spec


class Items(Struct, Generic[Spec], frozen=True):
    """One page."""

    metadata: ListMeta
    items: list[Item[Spec]]


def list_affinities(connection: Connection, api: str) -> list[str]:
    """Which node claims which block."""
    rows = [
        [item.metadata.name, item.spec.node, item.spec.state, item.spec.cidr, str(item.spec.deleted).lower()]
        for page in fetch_pages(connection, f"{api}/blockaffinities", Items[Affinity], query=FROM_MEMORY)
        for item in page.items
    ]
    shown = choose_telling(rows, lambda row: row[2] != "confirmed" or row[4] != "false")
    return print_rows(("NAME", "NODE", "STATE", "CIDR", "DELETED"), shown) if shown else []


def use(connection: Connection, api: str) -> list[str]:
    """How full each pool and each of its blocks is, as calicoctl draws it."""
    used = {
        item.spec.cidr: item.spec.used
        for page in fetch_pages(connection, f"{api}/ipamblocks", Items[Block], query=FROM_MEMORY)
        for item in page.items
    }
    held = fetch_pages(connection, f"{api}/ippools", Items[Pool], query=FROM_MEMORY)
    pools = [item.spec.cidr for page in held for item in page.items]
    rows = list(_build_rows(pools, used))
    return _draw_box(rows) if rows else []


def count(connection: Connection, path: str) -> list[str]:
    """How many there are: the server counts what lies behind the first."""
    page = next(fetch_pages(connection, path, Items[Pool], size=1))
    return [str(len(page.items) + page.metadata.remaining)]


def _build_rows(pools: Sequence[str], used: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Every pool, and of its blocks those that tell something."""
    blocks = [(network, used[cidr]) for cidr in used if (network := _parse_network(cidr))]
    for cidr in pools:
        if pool := _parse_network(cidr):
            inside = [(block, count) for block, count in blocks if _is_within(block, pool)]
            yield _build_row("IP Pool", pool, sum(count for _, count in inside))
            full = choose_telling(inside, lambda held: held[1] >= held[0].num_addresses)
            yield from (_build_row("Block", block, count) for block, count in full)


def _build_row(grouping: str, network: Network, used: int) -> tuple[str, ...]:
    total = network.num_addresses
    share = round(100 * used / total)
    return grouping, str(network), str(total), f"{used} ({share}%)", f"{total - used} ({100 - share}%)"


def _draw_box(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(_HEADER, *rows, strict=True)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in (_HEADER, *rows)]
    return [rule, lines[0], rule, *lines[1:], rule]


def _parse_network(cidr: str) -> Network | None:
    try:
        return ipaddress.ip_network(cidr)
    except ValueError:
        return None


def _is_within(block: Network, pool: Network) -> bool:
    return block.version == pool.version and block.network_address in pool


_VERSIONS = {needs.CALICO: "v1", needs.CALICO_API: "v3"}
# Few objects each, and every field may matter.
_WHOLE = (*needs.POOLS, "ipamconfigs", "ipamconfigurations", *needs.ROUTING, *needs.SETTINGS, *needs.POLICIES)
_NAMESPACED = ("networkpolicies",)
_TELLING_WHEN_EMPTY = ("bgppeers", "bgpconfigurations", "ippools", "globalnetworkpolicies")
_OPERATOR = ("installations", "tigerastatuses")

GROUPS = tuple({**_VERSIONS, needs.OPERATOR: "v1"}.items())
"""The groups to look for, with the version that is asked for."""


_FLAG = "clusterinformations"


class _Readiness(Struct, frozen=True, rename={"ready": "datastoreReady"}):
    ready: bool | None = None


class _Flag(Struct, frozen=True):
    spec: _Readiness


class _Flags(Struct, frozen=True):
    metadata: ListMeta
    items: list[_Flag]


def leave_old_store(connection: Connection, served: dict[str, Sequence[str]]) -> None:
    """After a finished migration the old group is still served, locked and out of date: only its flag is read then."""
    both = _FLAG in served.get(needs.CALICO, ()) and "ipamblocks" in served.get(needs.CALICO_API, ())
    if both and _is_ready(connection, needs.CALICO_API) and not _is_ready(connection, needs.CALICO):
        served[needs.CALICO] = (_FLAG,)


def _is_ready(connection: Connection, group: str) -> bool:
    """Whether the datastore of this group is unlocked; a server that does not tell leaves things as they are."""
    unsure = group == needs.CALICO
    try:
        pages = fetch_pages(connection, f"/apis/{group}/{_VERSIONS[group]}/{_FLAG}", _Flags)
        flags = [item.spec.ready for page in pages for item in page.items]
    except Trouble:
        return unsure
    return all(flags) if flags else unsure


def list_resources(connection: Connection, served: Mapping[str, Sequence[str]]) -> list[FetchTask]:
    """All of Calico's that the cluster serves but IPAM's books; the group in which Calico stores it comes first."""
    found: list[FetchTask] = []
    for resource in _WHOLE:
        for group in _list_groups(resource, served):
            path = f"/apis/{group}/{_VERSIONS[group]}/{resource}"
            name = f"{resource}.old" if found and found[-1].name == f"calico/{resource}.yaml" else resource
            found.append(_fetch_whole(connection, resource, group, path, needs.CALICO_RESOURCES, name))
    for resource in _OPERATOR:
        if resource in served.get(needs.OPERATOR, ()):
            path = f"/apis/{needs.OPERATOR}/v1/{resource}"
            found.append(_fetch_whole(connection, resource, needs.OPERATOR, path, needs.INSTALLATION))
    return found


def _group(resource: str, served: Mapping[str, Sequence[str]]) -> str | None:
    return next((group for group in _VERSIONS if resource in served.get(group, ())), None)


def _list_groups(resource: str, served: Mapping[str, Sequence[str]]) -> list[str]:
    """The group in use; the flag of an old store is read too, because only both together tell of a migration."""
    if resource == _FLAG and served.get(needs.CALICO) == (_FLAG,):
        return [needs.CALICO_API, needs.CALICO]
    group = _group(resource, served)
    return [group] if group else []


def _fetch_whole(
    connection: Connection, resource: str, group: str, path: str, need: needs.Need, name: str = ""
) -> FetchTask:
    how = "objects-everywhere" if resource in _NAMESPACED else "objects"
    command = build_command(how, resource=f"{resource}.{group}")

    def fetch() -> list[str]:
        lines = objects.fetch_several(connection, path)
        # As kubectl says it: that there is none is evidence too.
        return ["No resources found"] if not lines and resource in _TELLING_WHEN_EMPTY else lines

    return FetchTask(f"calico/{name or resource}.yaml", command, need, fetch, optional=True)


def list_addresses(connection: Connection, served: Mapping[str, Sequence[str]]) -> list[FetchTask]:
    """IPAM's books: as many objects as nodes, or as pods, so only figures are kept."""
    asked = (
        ("calico/blockaffinities.txt", "blockaffinities", "affinities", list_affinities),
        ("calico/ipam.txt", "ipamblocks", "address-use", use),
        ("calico/ipamblocks.txt", "ipamblocks", "count", partial(_count, "ipamblocks")),
        ("calico/ipamhandles.txt", "ipamhandles", "count", partial(_count, "ipamhandles")),
    )
    found = []
    for name, resource, command, fetch in asked:
        if group := _group(resource, served):
            run = partial(fetch, connection, f"/apis/{group}/{_VERSIONS[group]}")
            written = build_command(command, resource=f"{resource}.{group}")
            # A count asks for one object and for how many are behind it: only etcd tells that.
            task = FetchTask(name, written, needs.CALICO_RESOURCES, run, optional=True, from_etcd=command == "count")
            found.append(task)
    return found


def _count(resource: str, connection: Connection, api: str) -> list[str]:
    return count(connection, f"{api}/{resource}")
