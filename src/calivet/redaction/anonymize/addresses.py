"""Other addresses for the real ones: two that share a prefix still do, so that what lies in which network stays.

Walking an address bit by bit, a keyed hash of the bits so far decides whether the next one is turned; whoever has the
same beginning is turned the same way. Bits that make an address what it is (private, documentation, ...) are never
turned. The first bit behind them always is: so no address and no network beyond such a range keeps itself by chance.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from calivet.search.expressions import expression

Network = tuple[bytes, int]
"""Its address and its length."""

# What every interface of a pod has on its host's side.
CALI = "fe80::ecee:eeff:feee:eeee/128"
# Nothing of these is turned. They mean the same on every machine, tell of nobody, and a diagnosis looks for them by
# their number: nothing, loopback, link-local (169.254.1.1 is every pod's gateway), multicast, netmasks, docker0.
KEPT = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3", "172.17.0.0/16", "::/127", "ff00::/8", CALI)
# The way to these is not turned, so that who is in one of them stays in it and nobody else gets in: private, shared
# and link-local networks, those for documentation and tests, and the networks of podman's and CRI-O's own bridges, by
# which pods are known that Calico has not connected. The fewer the better: they take choice from their neighbours.
FIXED = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
    *("192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24"),
    *("10.88.0.0/16", "10.85.0.0/16"),
    *("fe80::/64", "fc00::/8", "fd00::/8", "2000::/3", "2001:db8::/32"),
)
# IPv4 addresses written as IPv6 ones; how the four bytes behind are turned is IPv4's business.
WRAPPED = ("::ffff:0.0.0.0/96", "64:ff9b::/96")
V6_NETWORK = 8
"""Octets of an IPv6 address that name the network; one more is turned in any case, for link-local ones."""
LEAST_CHOICE = 5
"""Bits: where fewer can be turned before the last octet, that one is turned as well."""
MOST_STEPS = 64
REMEMBERED = 1 << 16


class Addresses:
    """One way to turn addresses, for one key."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(key).digest()
        self._kept = [_parse_network(text) for text in KEPT]
        self._wrapped = [_parse_network(text) for text in WRAPPED]
        self._fixed = self._kept + self._wrapped + [_parse_network(text) for text in FIXED]
        self._islands: list[Network] = []
        self.other = lru_cache(REMEMBERED)(self._find_other)
        self._turns = lru_cache(REMEMBERED)(self._compute_turns_below)

    def keep(self, network: str) -> None:
        """Leave this network as it is, though its neighbours are turned."""
        if (island := _parse_network(network)) not in self._islands:
            self._islands.append(island)
            self.other.cache_clear()

    def _find_other(self, text: str, length: int | None = None) -> str | None:
        """The other address, or network of this length; None where the text is no address."""
        import ipaddress

        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return None
        turned = int.from_bytes(self.replace_packed(address.packed), "big")
        host = (1 << max(0, address.max_prefixlen - (length or address.max_prefixlen))) - 1
        if not int(address) & host:
            # A network's address: the bits beyond its length were empty and stay so.
            turned &= ~host
        return str(type(address)(turned))

    def replace_packed(self, packed: bytes) -> bytes:
        """The other address, octet by octet."""
        if _lies_in(packed, self._kept) or _lies_in(packed, self._islands):
            return packed
        if _lies_in(packed, self._wrapped):
            return packed[:12] + self.replace_packed(packed[12:])
        new = self._replace_octet(packed)
        # Whose place is taken by a network that stays goes where that one would have gone.
        for _ in range(MOST_STEPS):
            if not _lies_in(new, self._islands):
                break
            new = self._replace_octet(new)
        return new

    def _replace_octet(self, packed: bytes) -> bytes:
        size = len(packed)
        new = bytearray(packed)
        # The last octet mostly stays: gateways, and the first addresses of ranges and blocks, are known by it.
        last_stays = self._count_pinned_bits(packed) <= (size - 1) * 8 - LEAST_CHOICE
        for place in range(size - last_stays):
            turns = self._turns(packed[:place], size)
            node = 1
            for bit in range(7, -1, -1):
                new[place] ^= turns[node] << bit
                node = node << 1 | packed[place] >> bit & 1
        return bytes(new)

    def _count_pinned_bits(self, packed: bytes) -> int:
        """How many bits of an address lie on the way to a fixed network."""
        ways = (
            min(count_common_bits(packed, network) + 1, length)
            for network, length in self._fixed
            if len(network) == len(packed)
        )
        return max(ways)

    def _compute_turns_below(self, above: bytes, size: int) -> bytes:
        """For every beginning of the next octet, written behind a leading one: is the bit after it turned?"""
        digest = hashlib.blake2b(above, key=self._key, digest_size=32, person=bytes([size])).digest()
        turns = bytearray(digest[node >> 3] >> (node & 7) & 1 for node in range(256))
        if len(above) > V6_NETWORK:
            # Of the half that names the machine zeros stay: fd00::5 would become eight groups of digits.
            for node in (1, 2, 4, 8, 16, 32, 64, 128):
                turns[node] = 0
        networks = [
            one for one in self._fixed if len(one[0]) == size and count_common_bits(above, one[0]) >= len(above) * 8 - 1
        ]
        pinned = {node for network, length in networks for node in _list_pinned_nodes(network, length, above)}
        before = any(length >= len(above) * 8 for _, length in networks)
        for node in range(1, 256):
            if node in pinned:
                turns[node] = 0
            elif node >> 1 in pinned or (node == 1 and before):
                turns[node] = 1
        return bytes(turns)


def _list_pinned_nodes(network: bytes, length: int, above: bytes) -> list[int]:
    """The nodes of the next octet at which the way to this network goes on."""
    if not network.startswith(above) or len(above) == len(network):
        return []
    octet, bits = network[len(above)], length - len(above) * 8
    return [(256 | octet) >> 8 - bit for bit in range(min(8, bits))]


def _lies_in(packed: bytes, networks: list[Network]) -> bool:
    return any(
        len(packed) == len(network) and count_common_bits(packed, network) >= length for network, length in networks
    )


def _parse_network(text: str) -> Network:
    import ipaddress

    network = ipaddress.ip_network(text)
    return network.network_address.packed, network.prefixlen


def count_common_bits(one: bytes, other: bytes) -> int:
    """How many bits two addresses begin with in common, as far as the shorter goes."""
    size = min(len(one), len(other))
    difference = int.from_bytes(one[:size], "big") ^ int.from_bytes(other[:size], "big")
    return size * 8 - difference.bit_length()


OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
# Only ASCII letters go on with a word: Chinese is written around addresses without blanks.
LETTER = "A-Za-z0-9_"
# What stands before an address and ends in a letter, but is no part of its word: \n in JSON, %2F in a URL.
ESCAPE = r"(?<=\\[nrt])|(?<=%(?:2[0-9A-F]|3[A-F]|40|5B))"
# Calico's probe prints addresses with the next line's date right behind them.
GLUED_DATE = r"(?=20\d\d-\d\d-\d\d(?!\d))"
V4 = (
    rf"(?P<v4>{OCTET}(?:\.{OCTET}){{3}})(?:{GLUED_DATE}|(?![A-Za-z0-9]|\.\d+\.\d))"
    r"(?:/(?P<v4_length>\d{1,2})(?!\d|\.\d))?"
)
# A private one is none of anybody's versions, so letters may touch it: ip10.1.2.3, 10.1.2.3is.
PRIVATE_V4 = (
    rf"(?<![\d.])(?<!\bv)(?P<private>(?:10\.{OCTET}|192\.168|172\.(?:1[6-9]|2\d|3[01])"
    rf"|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.{OCTET}){{2}})(?!\d|\.\d)"
)
REVERSED = (
    rf"(?<![\d.])(?P<reversed>(?:{OCTET}\.){{4}})(?=in-addr\.arpa)"
    r"|(?<![\w.])(?P<nibbles>(?:[0-9a-f]\.){32})(?=ip6\.arpa)"
)
V6 = (
    r"(?P<v6>(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})"
    rf"(?![{LETTER}:]|\.\d)(?:/(?P<v6_length>\d{{1,3}})(?!\d))?"
)
# As clouds name machines, BIRD its peers, and Calico its blocks.
DASHED = rf"(?P<dashed>{OCTET}(?P<dash>[-_]){OCTET}(?:(?P=dash){OCTET}){{2,}})(?![A-Za-z0-9])"
DASHED_V6 = r"(?P<dashed_v6>[23fF][0-9A-Fa-f]{3}(?:-[0-9A-Fa-f]{0,4}){2,7})(?=-\d{2,3}\b)"
PAIR = "[0-9A-Fa-f]{2}"
# A card's address, the head of a frame as the kernel's packet filter logs it, InfiniBand's, a key's fingerprint.
HARDWARE = rf"(?P<hardware>{PAIR}(?P<joint>[:-])(?:{PAIR}(?P=joint)){{4,62}}{PAIR})(?![{LETTER}:-])"
DOTTED = r"(?<![\w.])(?P<dotted>[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w.])"
# As /proc/net/tcp prints sockets, in the machine's order of bytes; and a private one in the network's.
SOCKET = r"(?<![\w:.-])(?P<socket>(?:[0-9A-F]{8}){1,4})(?=:[0-9A-F]{4}(?![\w:]))"
HEX = (
    r"(?<![\w.:-])(?:0x)?(?P<hex>0a[0-9a-f]{6}|c0a8[0-9a-f]{4}|ac1[0-9a-f]{5}"
    r"|64[4-7](?:(?<=0x64.)|(?=\d*[a-f]))[0-9a-f]{5})(?![\w-])"
)
ADDRESS = (
    rf"(?:(?<![{LETTER}.:-])|{ESCAPE}){HARDWARE}|{SOCKET}|{DOTTED}|{REVERSED}"
    rf"|(?:(?<![{LETTER}.:])|{ESCAPE}){V6}|(?:(?<![{LETTER}.])|{ESCAPE}){V4}"
    rf"|{PRIVATE_V4}|(?<![A-Za-z0-9])(?:{DASHED}|{DASHED_V6})|{HEX}"
)
# For the scanner; the clock has two colons, addresses with colons have more or two at once.
HINTS = (
    r"\d\.\d{1,3}\.\d{1,3}\.\d",
    r"\d[-_]\d{1,3}[-_]\d{1,3}[-_]\d",
    r"::|(?:[0-9A-Fa-f]+:){5}[0-9A-Fa-f]|(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]",
    r"[23fF][0-9A-Fa-f]{3}(?:-[0-9A-Fa-f]*){3}",
    r"[0-9A-F]{8}:[0-9A-F]{4}",
    r"\b(?:0x)?(?:0a[0-9a-f]{2}|c0a8|ac1[0-9a-f]|64[4-7][0-9a-f])[0-9a-f]{4}\b",
    r"\b[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}\b",
    r"ip6\.arpa",
)
# Rows of /proc/net/route and /proc/net/if_inet6: what their numbers are is told by where they stand.
KERNEL_ROUTE = expression(r"(\S+\t)([0-9A-F]{8})\t([0-9A-F]{8})(?=\t\d{4}\t\d)")
KERNEL_V6 = expression(r"^([0-9a-f]{32})(?= [0-9a-f]{2} [0-9a-f]{2} [0-9a-f]{2} [0-9a-f]{2} )")
KERNEL_V6_ROUTE = expression(
    r"^([0-9a-f]{32}) ([0-9a-f]{2}) ([0-9a-f]{32}) ([0-9a-f]{2}) ([0-9a-f]{32})(?= [0-9a-f]{8} )"
)
KERNEL_HINTS = (r"^\s*\S+\t[0-9A-F]{8}\t[0-9A-F]{8}\t", r"^[0-9a-f]{32} [0-9a-f]{2} [0-9a-f]{2}")
PRIVATE = expression(
    r"10[._-]|192[._-]168|172[._-](?:1[6-9]|2\d|3[01])[._-]|100[._-](?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])[._-]"
)
# Four numbers behind these are a version, or a part of something's name.
VERSION = expression(r"(?:[a-z]-|(?:version|release)[:=\"]{1,3})$", re.IGNORECASE)
OWNER = expression(r"\b(?:ip-|ec2-|Mesh_|Node_|Global_)$")
# Letters alone are an address where they begin as private ones do, and otherwise more likely a program's word.
LETTERS_ONLY = expression(r"f[cd][a-f]{2}:", re.IGNORECASE)
# Every pod's side, broadcast, nothing, multicast: no machine has these.
NOBODYS = expression(r"(?:(?:ee|ff|00).){5}(?:ee|ff|00)|01.00.5e.*|33.33.*", re.IGNORECASE)
LOOKED_BACK = 10
CARD, FRAME = 17, 41
"""Letters of a card's address, and of a frame's head: to whom, from whom, what."""


class AddressText:
    """Replaces the addresses in any text."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._addresses = Addresses(key)
        self.keep = self._addresses.keep

    def replace_match(self, found: re.Match[str], length: int | None = None) -> str:
        """For a match of ADDRESS, what goes in its place; the length is that of the line's netmask."""
        text = found[0]
        match next((kind for kind in _KINDS if found[kind]), None):
            case "v4" | "v6" as family:
                return self._replace_plain(found, family, length)
            case "hardware":
                return self._replace_frame(text) if len(text) == FRAME else self._replace_hardware(text)
            case "dotted":
                plain = text.replace(".", "")
                other = self._replace_hardware(":".join(plain[at : at + 2] for at in range(0, 12, 2))).replace(":", "")
                return ".".join(other[at : at + 4] for at in range(0, 12, 4))
            case "dashed":
                before = found.string[max(0, found.start() - LOOKED_BACK) : found.start()]
                return self._replace_dashed(text.split(found["dash"]), found["dash"], owned=bool(OWNER.search(before)))
            case "dashed_v6":
                return (self._addresses.other(text.replace("-", ":")) or text).replace(":", "-")
            case kind:
                return self._replace_within(found, kind)

    def _replace_within(self, found: re.Match[str], kind: str | None) -> str:
        """For what has something else around it that belongs to the match and stays."""
        turn = {
            "private": self._replace_private,
            "reversed": self._replace_reversed,
            "nibbles": self._replace_nibbles,
            "socket": self._replace_socket,
            "hex": self._replace_hex,
        }
        if not kind:
            return found[0]
        start, end = (place - found.start() for place in found.span(kind))
        return found[0][:start] + turn[kind](found[kind]) + found[0][end:]

    def replace_in_kernel_row(self, line: str) -> str:
        """The same row of a table of the kernel's, in which addresses are plain numbers."""
        line = KERNEL_ROUTE.sub(
            lambda row: f"{row[1]}{self._replace_socket(row[2])}\t{self._replace_socket(row[3])}", line
        )
        line = KERNEL_V6.sub(lambda row: self._replace_digits(row[1]), line)
        return KERNEL_V6_ROUTE.sub(
            lambda row: (
                f"{self._replace_digits(row[1], int(row[2], 16))} {row[2]} {self._replace_digits(row[3])} {row[4]}"
                f" {self._replace_digits(row[5])}"
            ),
            line,
        )

    def _replace_plain(self, found: re.Match[str], family: str, mask: int | None) -> str:
        text, address = found[0], found[family]
        before = found.string[max(0, found.start() - LOOKED_BACK) : found.start()]
        if family == "v4" and VERSION.search(before) and not PRIVATE.match(text):
            return text
        if family == "v6" and not any(letter.isdigit() for letter in address) and not LETTERS_ONLY.match(address):
            return text
        length = found[f"{family}_length"]
        other = self._addresses.other(address, int(length) if length else mask if family == "v4" else None)
        return text if other is None else other + (f"/{length}" if length else "")

    def _replace_private(self, text: str) -> str:
        return self._addresses.other(text) or text

    def _replace_reversed(self, text: str) -> str:
        """As it stands in the name of a PTR record, with a dot behind."""
        address = ".".join(reversed(text.rstrip(".").split(".")))
        return ".".join(reversed((self._addresses.other(address) or address).split("."))) + "."

    def _replace_nibbles(self, text: str) -> str:
        digits = "".join(reversed(text.replace(".", "")))
        return ".".join(reversed(self._replace_digits(digits))) + "."

    def _replace_socket(self, text: str) -> str:
        """Each four bytes are a number of the machine, and so back to front."""
        packed = b"".join(bytes.fromhex(text[at : at + 8])[::-1] for at in range(0, len(text), 8))
        if len(packed) not in (4, 16):
            return text
        new = self._addresses.replace_packed(packed)
        other = b"".join(new[at : at + 4][::-1] for at in range(0, len(new), 4)).hex()
        return other.upper() if text == text.upper() else other

    def _replace_hex(self, text: str) -> str:
        other = self._addresses.replace_packed(bytes.fromhex(text)).hex()
        return other.upper() if text == text.upper() else other

    def _replace_digits(self, text: str, length: int = 128) -> str:
        import ipaddress

        other = self._addresses.other(str(ipaddress.IPv6Address(int(text, 16))), length)
        return ipaddress.IPv6Address(other).packed.hex() if other else text

    def _replace_dashed(self, numbers: list[str], dash: str, *, owned: bool) -> str:
        """The name may go on with numbers on both sides; of the four that are an address, private ones are known."""
        for start in range(len(numbers) - 3):
            address = ".".join(numbers[start : start + 4])
            if owned or PRIVATE.match(address):
                numbers[start : start + 4] = (self._addresses.other(address) or address).split(".")
                break
        return dash.join(numbers)

    def _replace_frame(self, text: str) -> str:
        first, second = text[:CARD], text[CARD + 1 : 2 * CARD + 1]
        return f"{self._replace_hardware(first)}:{self._replace_hardware(second)}{text[2 * CARD + 1 :]}"

    def _replace_hardware(self, text: str) -> str:
        """The maker's part stays, the rest tells machines apart as before."""
        if NOBODYS.fullmatch(text):
            return text
        joint, head = text[2], text[:9]
        plain = text.lower().replace("-", ":")
        rest = plain[9:].replace(":", "")
        digest = rest
        for attempt in range(256):
            if digest != rest:
                break
            hashed = hashlib.blake2b(bytes([attempt]) + plain.encode(), key=self._key[:64], digest_size=len(rest) // 2)
            digest = hashed.hexdigest()
        tail = joint.join(digest[at : at + 2] for at in range(0, len(digest), 2))
        return head + (tail.upper() if text == text.upper() and text != plain else tail)


_KINDS = (
    *("v4", "v6", "hardware", "dotted", "dashed", "dashed_v6"),
    *("private", "reversed", "nibbles", "socket", "hex"),
)
