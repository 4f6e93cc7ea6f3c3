"""Other addresses for the real ones: two that share a prefix still do, so that what lies in which network stays.

Walking an address bit by bit, a keyed hash of the bits so far decides whether the next one is turned; whoever has the
same beginning is turned the same way. Some bits are never turned: those that make an address what it is.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

# What every interface of a pod has on its host's side.
CALI = "fe80::ecee:eeff:feee:eeee/128"
# Nothing of these is turned. They mean the same everywhere: loopback, link-local, multicast, netmasks.
KEPT = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3", "::/64", "ff00::/8", CALI)
# The way to these is not turned, so that who is in one of them stays in it and nobody else gets in: private, shared
# and link-local networks, those for documentation and tests, and what installers and hypervisors choose by default.
FIXED = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
    *("192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24"),
    *("10.96.0.0/16", "10.244.0.0/16", "10.42.0.0/16", "10.43.0.0/16", "10.233.0.0/16", "10.152.183.0/24"),
    *("10.88.0.0/16", "10.85.0.0/16", "172.17.0.0/16", "10.0.2.0/24", "192.168.122.0/24"),
    *("fe80::/64", "fc00::/8", "fd00::/8", "2000::/3", "2001:db8::/32"),
)
REMEMBERED = 1 << 16


class Addresses:
    """One way to turn addresses, for one key."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(key).digest()
        self._kept = [_network(text) for text in KEPT]
        self._fixed = self._kept + [_network(text) for text in FIXED]
        self.other = lru_cache(REMEMBERED)(self._other)
        self._turns = lru_cache(REMEMBERED)(self._turns_below)

    def _other(self, text: str, length: int | None = None) -> str | None:
        """The other address, or network of this length; None where the text is no address."""
        import ipaddress

        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return None
        turned = int.from_bytes(self.turned(address.packed), "big")
        host = (1 << max(0, address.max_prefixlen - (length or address.max_prefixlen))) - 1
        if not int(address) & host:
            # A network's address: the bits beyond its length were empty and stay so.
            turned &= ~host
        return str(type(address)(turned))

    def turned(self, packed: bytes) -> bytes:
        """The other address, octet by octet."""
        size = len(packed)
        if any(size == len(network) and common(packed, network) >= length for network, length in self._kept):
            return packed
        new = bytearray(packed)
        # The last octet stays: gateways, and the first addresses of ranges and blocks, are known by it.
        for place in range(size - 1):
            turns = self._turns(packed[:place], size)
            node = 1
            for bit in range(7, -1, -1):
                new[place] ^= turns[node] << bit
                node = node << 1 | packed[place] >> bit & 1
        return bytes(new)

    def _turns_below(self, above: bytes, size: int) -> bytes:
        """For every beginning of the next octet, written behind a leading one: is the bit after it turned?"""
        digest = hashlib.blake2b(above, key=self._key, digest_size=32, person=bytes([size])).digest()
        turns = bytearray(256)
        for node in range(256):
            # Until the octet has its first one nothing is turned: zero stays zero, a network's address stays one.
            if node.bit_count() > 1:
                # The bit behind the first one always is: by chance alone, one small octet in eight would stay itself.
                is_second = node & 1 and node.bit_count() == 2
                turns[node] = 1 if is_second else digest[node >> 3] >> (node & 7) & 1
        for network, length in self._fixed:
            if len(network) == size and network.startswith(above):
                _leave(turns, network[len(above)] if len(above) < size else 0, length - len(above) * 8)
        return bytes(turns)


def _leave(turns: bytearray, octet: int, length: int) -> None:
    """Turn no bit on the way to this octet, as far as the network's length goes."""
    node = 1
    for bit in range(7, 7 - min(8, length), -1):
        turns[node] = 0
        node = node << 1 | octet >> bit & 1


def _network(text: str) -> tuple[bytes, int]:
    import ipaddress

    network = ipaddress.ip_network(text)
    return network.network_address.packed, network.prefixlen


def common(one: bytes, other: bytes) -> int:
    """How many bits two addresses begin with in common."""
    difference = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return len(one) * 8 - difference.bit_length()
