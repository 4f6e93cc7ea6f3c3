"""Replaces what tells whose cluster it is: addresses, and the names of machines, domains, clusters and people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.evidence.scanner import Scanner
from calivet.redaction.address_text import ADDRESS, HINTS, AddressText
from calivet.redaction.aliases import stems
from calivet.redaction.host_names import HOST
from calivet.redaction.marks import ANY_MARK
from calivet.redaction.name_text import NameText
from calivet.redaction.shown_names import shown_names

# Words come again and again; so many are remembered with what they become.
REMEMBERED = 1 << 17
WORDS = expression(r"([^ ]*)( *)")

Kinds = tuple[str, ...]


class Anonymizer:
    """One for a run. It learns from all texts first: a name is replaced also where nothing tells that it is one."""

    def __init__(self, key: bytes, hosts: Iterable[str]) -> None:
        self._addresses = AddressText(key)
        self._names = NameText()
        self._known = -1
        self._pattern = self._rough = re.compile("(?!)")
        self._scanner: Scanner | None = None
        self._words: dict[str, tuple[str, Kinds]] = {}
        self.learn_hosts(hosts)

    def learn(self, lines: Sequence[str]) -> None:
        """Take in the names that these lines show."""
        for kind, name in shown_names(lines):
            self._names.learn(kind, name)

    def learn_hosts(self, names: Iterable[str]) -> None:
        """Take in machines' names."""
        for name in names:
            self._names.learn(HOST, name)

    def changed(self, lines: Sequence[str]) -> Iterator[tuple[int, str, Kinds]]:
        """The lines that have something in them to replace: index, new line, and what kinds of things were replaced."""
        for index in sorted({hit.line for hit in self._ready().scan(lines)}):
            line, kinds = self._line(lines[index])
            if kinds:
                yield index, line, kinds

    def _ready(self) -> Scanner:
        """The scanner for all that is known now. Never kept on disk, for it is made of what must not be kept."""
        if self._scanner is None or len(self._names) != self._known:
            self._known = len(self._names)
            self._words.clear()
            self._pattern = re.compile(rf"{ANY_MARK}|{self._names.pattern()}|{ADDRESS}", re.IGNORECASE)
            hints = [*HINTS, *(re.escape(stem) for stem in stems(self._names))]
            self._rough = re.compile("|".join(hints), re.IGNORECASE)
            self._scanner = Scanner.build(hints)
        return self._scanner

    def _line(self, line: str) -> tuple[str, Kinds]:
        pieces: list[str] = []
        kinds: list[str] = []
        for word, blanks in WORDS.findall(line):
            new, replaced = self._words.get(word) or self._word(word)
            kinds += replaced
            # In a table the next column stays where it was, as far as there is room.
            room = max(2, len(word) + len(blanks) - len(new)) if len(blanks) > 1 else len(blanks)
            pieces.append(new + " " * room)
        return "".join(pieces), tuple(kinds)

    def _word(self, word: str) -> tuple[str, Kinds]:
        kinds: list[str] = []

        def other(found: re.Match[str]) -> str:
            is_name = found["name"] is not None
            new = self._names.replaced(found) if is_name else self._addresses.replaced(found)
            if new != found[0]:
                kinds.append("name" if is_name else "address")
            return new

        if len(self._words) >= REMEMBERED:
            self._words.clear()
        self._words[word] = (self._pattern.sub(other, word) if self._rough.search(word) else word), tuple(kinds)
        return self._words[word]
