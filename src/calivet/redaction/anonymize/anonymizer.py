"""Replaces what tells whose cluster it is: addresses, names, and the numbers by which clouds know machines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from calivet.redaction.anonymize.addresses import ADDRESS, HINTS, KERNEL_HINTS, AddressText
from calivet.redaction.anonymize.name_places import Spot, find_names, find_spots
from calivet.redaction.anonymize.names import NameText, shorten_to_stems
from calivet.redaction.anonymize.places import BRIDGE, HOST
from calivet.redaction.spans import ANY_MARK
from calivet.search.expressions import expression
from calivet.search.scanner import Scanner

# Words come again and again; so many are remembered with what they become.
REMEMBERED = 1 << 17
WORDS = expression(r"([^ ]*)( *)")
# Where a line has a netmask, it is the length of the networks in it: `route -n`, `ifconfig`, a router's settings.
NETMASK = expression(r"(?<![\d.])(255\.(?:\d{1,3}\.){2}\d{1,3})(?![\d.])")
BRIDGES = {"10.": "10.0.2.0/24", "192.": "192.168.122.0/24"}

Kinds = tuple[str, ...]


class Anonymizer:
    """One for a run. It learns from all texts first: a name is replaced also where nothing tells that it is one."""

    def __init__(self, key: bytes, hosts: Iterable[str]) -> None:
        self._addresses = AddressText(key)
        self._names = NameText(key)
        self._known = -1
        self._pattern = self._rough = re.compile("(?!)")
        self._scanner: Scanner | None = None
        self._words: dict[tuple[str, int | None], tuple[str, Kinds]] = {}
        self.learn_hosts(hosts)

    def learn(self, lines: Sequence[str]) -> None:
        """Take in the names that these lines show."""
        for kind, name in find_names(lines):
            if kind == BRIDGE:
                # A fault is known by just this address. Its network stays too, so that it still lies in it.
                self._addresses.keep(
                    next((net for head, net in BRIDGES.items() if name.startswith(head)), _replace_docker_bridge(name))
                )
                self._words.clear()
            else:
                self._names.learn(kind, name)

    def learn_hosts(self, names: Iterable[str]) -> None:
        """Take in machines' names."""
        for name in names:
            self._names.learn(HOST, name)

    def replace_in_lines(self, lines: Sequence[str]) -> Iterator[tuple[int, str, Kinds]]:
        """The lines that have something in them to replace: index, new line, and what kinds of things were replaced."""
        whole = find_spots(lines)
        for index in sorted({hit.line for hit in self._build_scanner().scan(lines)} | set(whole)):
            line, kinds = self._replace_in_line(lines[index], whole.get(index, []))
            if kinds:
                yield index, line, kinds

    def _build_scanner(self) -> Scanner:
        """The scanner for all that is known now. Never kept on disk, for it is made of what must not be kept."""
        if self._scanner is None or len(self._names) != self._known:
            self._known = len(self._names)
            self._words.clear()
            self._pattern = re.compile(rf"{ANY_MARK}|{self._names.build_pattern()}|{ADDRESS}", re.IGNORECASE)
            hints = [*HINTS, *(re.escape(stem) for stem in shorten_to_stems(self._names))]
            self._rough = re.compile("|".join(hints), re.IGNORECASE)
            self._scanner = Scanner.build([*hints, *KERNEL_HINTS])
        return self._scanner

    def _replace_in_line(self, line: str, whole: Sequence[Spot]) -> tuple[str, Kinds]:
        new = self._addresses.replace_in_kernel_row(line)
        if new != line:
            return new, ("address",)
        mask = NETMASK.search(line)
        length = _count_mask_bits(mask[1]) if mask else None
        pieces: list[str] = []
        kinds: list[str] = []
        at = 0
        for spot in whole:
            pieces.append(self._replace_in_stretch(line[at : spot.start], length, kinds))
            value = line[spot.start : spot.end]
            pieces.append(self._replace_value(spot.kind, value))
            kinds.append("name")
            at = spot.end
        pieces.append(self._replace_in_stretch(line[at:], length, kinds))
        return "".join(pieces), tuple(kinds)

    def _replace_value(self, kind: str, value: str) -> str:
        """A name known from elsewhere goes by that one's other name here too."""
        known, kinds = self._replace_word(value, None)
        return known if kinds and " " not in value else self._names.replace_here(kind, value)

    def _replace_in_stretch(self, text: str, length: int | None, kinds: list[str]) -> str:
        pieces = []
        for word, blanks in WORDS.findall(text):
            new, replaced = self._words.get((word, length)) or self._replace_word(word, length)
            kinds += replaced
            # In a table the next column stays where it was, as far as there is room.
            room = max(2, len(word) + len(blanks) - len(new)) if len(blanks) > 1 else len(blanks)
            pieces.append(new + " " * room)
        return "".join(pieces)

    def _replace_word(self, word: str, length: int | None) -> tuple[str, Kinds]:
        kinds: list[str] = []

        def other(found: re.Match[str]) -> str:
            is_name = found["name"] is not None or found["tail"] is not None
            new = self._names.replace_match(found) if is_name else self._addresses.replace_match(found, length)
            if new != found[0]:
                kinds.append("name" if is_name else "address")
            return new

        if len(self._words) >= REMEMBERED:
            self._words.clear()
        new = self._pattern.sub(other, word) if self._rough.search(word) else word
        self._words[word, length] = new, tuple(kinds)
        return self._words[word, length]


def _replace_docker_bridge(address: str) -> str:
    return f"{address.removesuffix('.0.1')}.0.0/16"


def _count_mask_bits(netmask: str) -> int:
    return sum(int(part).bit_count() for part in netmask.split("."))
