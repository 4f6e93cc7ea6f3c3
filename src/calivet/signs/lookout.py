"""The catalogue's patterns as they may be seen in one kind of text: their scanner, and whom each belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.catalogue.load import CatalogueError
from calivet.evidence.lookout import Found
from calivet.evidence.scanner import Hit, Scanner
from calivet.evidence.sought import PatternError
from calivet.signs.patterns import Observation


class PatternLookout:
    """For programs' output, or for prose."""

    def __init__(self, name: str, items: Sequence[Observation]) -> None:
        """Take the patterns as compiled in an earlier run, or compile them."""
        self.items = items
        try:
            self._scanner = Scanner.kept(name, [str(item.what.pattern) for item in items])
        except PatternError as error:
            culprit = items[error.number].key
            what = f"{culprit.owner}: sign {culprit.part}: the pattern is not usable"
            raise CatalogueError(f"{what}: {error}") from None

    def scan(self, lines: Sequence[str]) -> list[Hit]:
        """Where patterns are."""
        return self._scanner.scan(lines)

    def matches(self, number: int, text: str) -> Iterator[re.Match[str]]:
        """Where in a line the pattern with this number is."""
        return self._scanner.matches(number, text)

    def find(self, text: bytes) -> Iterator[Found]:
        """The same for a sieve."""
        return self._scanner.find(text)
