"""Whether patterns are in a line: `re` decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from calivet.evidence.alternatives import alternatives
from calivet.evidence.expressions import expression
from calivet.evidence.lowered import lowered
from calivet.evidence.sought import Alternative


class Decider:
    """Tries patterns, each compiled when it is tried for the first time."""

    def __init__(self, patterns: Sequence[str], *, caseless: bool) -> None:
        """Nothing is compiled yet."""
        self._patterns, self._caseless = patterns, caseless
        self._usual: dict[Alternative, re.Pattern[str]] = {}
        self._quick: dict[Alternative, re.Pattern[str]] = {}

    def found(self, line: bytes, tried: Iterable[Alternative]) -> frozenset[int]:
        """Patterns that are in the line by one of these."""
        text, found, quick = line.decode("utf-8", "replace"), set[int](), self._quick if line.isascii() else {}
        low = text.lower()
        for alternative in tried:
            if alternative not in self._usual:
                self._compile(alternative)
            pattern, _ = alternative
            if pattern not in found:
                in_lower_case = quick.get(alternative)
                is_in = in_lower_case.search(low) if in_lower_case else self._usual[alternative].search(text)
                if is_in:
                    found.add(pattern)
        return frozenset(found)

    def _compile(self, alternative: Alternative) -> None:
        pattern, place = alternative
        text = alternatives(self._patterns[pattern])[place]
        low = lowered(text) if self._caseless else None
        if low is not None:
            self._quick[alternative] = expression(low)
        self._usual[alternative] = expression(text, re.IGNORECASE if self._caseless else 0)
