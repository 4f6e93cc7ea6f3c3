"""IPAM's books in figures: which node holds which block, and how full pools and blocks are."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Raw, Struct

from calivet.live.connection import Connection
from calivet.live.pages import FROM_MEMORY, pages
from calivet.live.tables import ListMeta, printed, telling

AFFINITIES_COMMAND = (
    "kubectl get blockaffinities.{group} -o custom-columns="
    "NAME:.metadata.name,NODE:.spec.node,STATE:.spec.state,CIDR:.spec.cidr,DELETED:.spec.deleted"
)
USE_COMMAND = "calicoctl ipam show --show-blocks"
COUNT_COMMAND = "kubectl get {resource}.{group} --no-headers | wc -l"

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


def affinities(connection: Connection, api: str) -> list[str]:
    """Which node claims which block."""
    rows = [
        [item.metadata.name, item.spec.node, item.spec.state, item.spec.cidr, str(item.spec.deleted).lower()]
        for page in pages(connection, f"{api}/blockaffinities", Items[Affinity], query=FROM_MEMORY)
        for item in page.items
    ]
    shown = telling(rows, lambda row: row[2] != "confirmed" or row[4] != "false")
    return printed(("NAME", "NODE", "STATE", "CIDR", "DELETED"), shown) if shown else []


def use(connection: Connection, api: str) -> list[str]:
    """How full each pool and each of its blocks is, as calicoctl draws it."""
    used = {
        item.spec.cidr: item.spec.used
        for page in pages(connection, f"{api}/ipamblocks", Items[Block], query=FROM_MEMORY)
        for item in page.items
    }
    held = pages(connection, f"{api}/ippools", Items[Pool], query=FROM_MEMORY)
    pools = [item.spec.cidr for page in held for item in page.items]
    rows = list(_rows(pools, used))
    return _boxed(rows) if rows else []


def count(connection: Connection, path: str) -> list[str]:
    """How many there are: the server counts what lies behind the first."""
    page = next(pages(connection, path, Items[Pool], size=1))
    return [str(len(page.items) + page.metadata.remaining)]


def _rows(pools: Sequence[str], used: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Every pool, and of its blocks those that tell something."""
    blocks = [(network, used[cidr]) for cidr in used if (network := _network(cidr))]
    for cidr in pools:
        if pool := _network(cidr):
            inside = [(block, count) for block, count in blocks if _within(block, pool)]
            yield _row("IP Pool", pool, sum(count for _, count in inside))
            full = telling(inside, lambda held: held[1] >= held[0].num_addresses)
            yield from (_row("Block", block, count) for block, count in full)


def _row(grouping: str, network: Network, used: int) -> tuple[str, ...]:
    total = network.num_addresses
    share = round(100 * used / total)
    return grouping, str(network), str(total), f"{used} ({share}%)", f"{total - used} ({100 - share}%)"


def _boxed(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(_HEADER, *rows, strict=True)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in (_HEADER, *rows)]
    return [rule, lines[0], rule, *lines[1:], rule]


def _network(cidr: str) -> Network | None:
    try:
        return ipaddress.ip_network(cidr)
    except ValueError:
        return None


def _within(block: Network, pool: Network) -> bool:
    return block.version == pool.version and block.network_address in pool
