"""Many networks at once: looked up by address, as a kernel looks up its routes, and by each other. No signs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from calivet.signs.computed.networks import Network, overlap, parsed_address

Value = TypeVar("Value")


def overlapping(networks: Iterable[Network]) -> Iterator[tuple[Network, Network]]:
    """Each pair that shares addresses, which is to say that the first holds the second."""
    around: list[Network] = []
    for network in sorted(networks, key=lambda one: (one.version, int(one.network_address), one.prefixlen)):
        # In this order a network that does not hold the next one holds none of those to come either.
        while around and not overlap(around[-1], network):
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

    def holding(self, address: str | None) -> list[Value]:
        """The values of all networks that this address lies in, in the order in which they were given."""
        own = parsed_address(address)
        if own is None:
            return []
        found = [
            entry
            for (version, free), networks in self._lengths.items()
            if version == own.version
            for entry in networks.get(int(own) >> free, ())
        ]
        return [value for _, value in sorted(found, key=lambda entry: entry[0])]
