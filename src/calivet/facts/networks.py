"""Networks: read from text, and many at once, looked up by address, as a kernel does, and by each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Generic, TypeVar

Network = IPv4Network | IPv6Network

Value = TypeVar("Value")


@lru_cache(1 << 16)
def parse_network(text: str | None) -> Network | None:
    """The network that the text writes, None where it writes none; all nodes have routes to the same ones."""
    try:
        return ip_network(text.strip(), strict=False) if text else None
    except ValueError:
        return None


def is_inside(address: str | None, where: Network) -> bool:
    """Whether the address lies in the network."""
    own = parse_address(address)
    return own is not None and own in where


@lru_cache(1 << 16)
def parse_address(address: str | None) -> IPv4Address | IPv6Address | None:
    """The address, with or without a prefix length; a node shares its own with pods, and each is looked at."""
    try:
        return ip_address(address.split("/")[0]) if address else None
    except ValueError:
        return None


def is_first_of_range(address: str) -> bool:
    """Whether it ends as the first address of a range does, which is what the API server's service gets."""
    return address.endswith((".1", ":1")) and parse_address(address) is not None


def do_overlap(one: Network, other: Network) -> bool:
    """Whether two networks of one family share addresses."""
    return one.version == other.version and one.overlaps(other)


def find_overlaps(networks: Iterable[Network]) -> Iterator[tuple[Network, Network]]:
    """Each pair that shares addresses, which is to say that the first holds the second."""
    around: list[Network] = []
    for network in sorted(networks, key=lambda one: (one.version, int(one.network_address), one.prefixlen)):
        # In this order a network that does not hold the next one holds none of those to come either.
        while around and not do_overlap(around[-1], network):
            around.pop()
        yield from ((one, network) for one in around)
        around.append(network)


class NetworkTable(Generic[Value]):
    """A value for each network. A look-up costs as much as there are prefix lengths, however many the networks."""

    def __init__(self, entries: Iterable[tuple[Network, Value]]) -> None:
        """Sort the networks by version and prefix length."""
        self._lengths: dict[tuple[int, int], dict[int, list[tuple[int, Value]]]] = defaultdict(dict)
        for place, (network, value) in enumerate(entries):
            free = network.max_prefixlen - network.prefixlen
            alike = self._lengths[network.version, free]
            alike.setdefault(int(network.network_address) >> free, []).append((place, value))

    def find_holding(self, address: str | None) -> list[Value]:
        """The values of all networks that this address lies in, in the order in which they were given."""
        own = parse_address(address)
        if own is None:
            return []
        found = [
            entry
            for (version, free), networks in self._lengths.items()
            if version == own.version
            for entry in networks.get(int(own) >> free, ())
        ]
        return [value for _, value in sorted(found, key=lambda entry: entry[0])]


def count_prefix_bits(mask: str) -> int | None:
    """24 for 255.255.255.0 and for 0xffffff00; None where it is no mask."""
    try:
        octets = bytes.fromhex(mask[2:]) if mask.startswith("0x") else bytes(int(part) for part in mask.split("."))
    except ValueError:
        return None
    return sum(octet.bit_count() for octet in octets)
