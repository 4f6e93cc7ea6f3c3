"""The one-pass scanner: an automaton points to lines where patterns may be, and `re` decides.

Cost is linear in the text whatever the number of patterns. Which words are rare depends on the logs; where one turns
out to be on every other line, the automaton is made anew without it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec import Struct

from calivet.evidence.announcing import Announcer
from calivet.evidence.automaton import Automaton
from calivet.evidence.cache import kept, state
from calivet.evidence.deciding import Decider
from calivet.evidence.expressions import expression
from calivet.evidence.lines_at import AT_ONCE, Stretch, lines_at, parts_of
from calivet.evidence.memory import Known, Memory, Unused
from calivet.evidence.outline import outline
from calivet.evidence.sought import Alternative, Claim, Dull, PatternError

_MAKERS = ["automaton.py", "sought.py", "alternatives.py", "factors.py", "cover.py", "rarity.py", "outline.py"]
MADE_BY = [Path(__file__).with_name(name) for name in (*_MAKERS, "ordinary.txt", "seldom.txt")]
"""What decides how an automaton is made: where one of these has changed, a kept one is of no use."""
LONG = 1 << 16
"""Bytes of a text from which something is learnt about its words."""
PATIENCE = 300_000
"""Places where a word announced nothing: to look at more of them costs more than to make the automaton anew."""


class Hit(Struct, frozen=True):
    """A pattern's number and the index of the line where it was found."""

    pattern: int
    line: int


class Scanner:
    """Finds every line in which a pattern is."""

    def __init__(self, patterns: Sequence[str], automaton: Automaton, *, caseless: bool = True) -> None:
        """Use `build` or `kept`."""
        self._patterns, self._caseless = patterns, caseless
        self._automaton = automaton
        self._expressions = [expression(pattern, re.IGNORECASE if caseless else 0) for pattern in patterns]
        self._decider, self._memory = Decider(patterns, caseless=caseless), Memory()
        self._unused = Counter[tuple[str, str]]()
        self._dull = Dull()
        self._learning = Lock()

    @classmethod
    def build(cls, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """Compile the patterns; ^ and $ stand for the ends of a line."""
        return cls(patterns, Automaton.build(patterns, Dull(), caseless=caseless), caseless=caseless)

    @classmethod
    def kept(cls, name: str, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """The scanner for these patterns, compiled now or in an earlier run."""
        import hyperscan

        made_from = [
            str(vars(hyperscan)["__version__"]).encode(),
            str(caseless).encode(),
            "\0".join(patterns).encode(),
            state(MADE_BY),
        ]

        def make() -> bytes:
            return Automaton.build(patterns, Dull(), caseless=caseless).encoded()

        return cls(patterns, Automaton.decoded(kept(name, made_from, make)), caseless=caseless)

    def scan(self, lines: Iterable[str]) -> list[Hit]:
        """Each pattern once for each line that it is in, in order of the lines."""
        text = "\n".join(lines).encode("utf-8", "replace")
        hits: list[Hit] = []
        line, counted = 0, 0
        for pattern, start, _ in self.find(text):
            line += text.count(b"\n", counted, start)
            counted = start
            hits.append(Hit(pattern, line))
        return hits

    def matches(self, number: int, line: str) -> Iterator[re.Match[str]]:
        """Where in a line the pattern with this number is."""
        return self._expressions[number].finditer(line)

    def find(self, text: bytes) -> Iterator[tuple[int, int, int]]:
        """Each pattern once for each line that it is in, with the beginning and the end of the line."""
        automaton, unused = self._automaton, Counter[Unused]()
        for line in lines_at(text, automaton.places(text)):
            start, stop, _ = line
            if stop - start <= AT_ONCE:
                found = self._found(automaton.announcer, text, line, unused)
            else:
                each = (self._found(automaton.announcer, text, part, unused) for part in parts_of(line))
                found = frozenset[int]().union(*each)
            for pattern in found:
                yield pattern, start, stop
        if unused:
            self._learn(unused)

    def _found(self, announcer: Announcer, text: bytes, line: Stretch, unused: Counter[Unused]) -> frozenset[int]:
        start, stop, places = line
        alike = outline(text[start:stop], caseless=self._caseless)
        known = self._memory.get(alike)
        if known is None:
            known = self._known(announcer, text, line)
            self._memory.keep(alike, known)
        found, doubtful = known.found, known.doubtful
        for _, number in places:
            if announcer.is_unsettled[number]:
                doubtful |= _told_apart(announcer.claims(alike.lower(), start, places))
                break
        if doubtful:
            found |= self._decider.found(text[start:stop], doubtful)
        if not found:
            unused[known.unused] += 1
        return found

    def _known(self, announcer: Announcer, text: bytes, line: Stretch) -> Known:
        """What holds for it whatever its digits are."""
        start, stop, places = line
        alike = outline(text[start:stop])
        claims = list(announcer.claims(alike, start, places))
        doubtful = _told_apart(claims)
        found = self._decider.found(text[start:stop], {claim.alternative for claim in claims} - doubtful)
        learns = not found and len(text) >= LONG
        return Known(found, doubtful, tuple(announcer.unused(alike, start, places)) if learns else ())

    def __reduce__(self) -> tuple[Any, ...]:
        """As it travels to another process."""
        return _revived, (list(self._patterns), self._automaton.encoded(), self._caseless)

    def _learn(self, unused: Mapping[Unused, int]) -> None:
        with self._learning:
            for every, times in unused.items():
                for one in every:
                    self._unused[one] += times
            dull = [key for key, times in self._unused.items() if times > PATIENCE]
            if dull:
                words = self._dull.words | {word for _, word in dull if word}
                parts = self._dull.parts | {part for part, word in dull if not word}
                self._dull, self._unused = Dull(words, parts), Counter()
                with suppress(PatternError):  # the engine takes its words, but not the pattern itself
                    self._automaton = Automaton.build(self._patterns, self._dull, caseless=self._caseless)


def _told_apart(claims: Iterable[Claim]) -> frozenset[Alternative]:
    return frozenset(claim.alternative for claim in claims if claim.tells_digits_apart)


def _revived(patterns: Sequence[str], encoded: bytes, caseless: bool) -> Scanner:
    return Scanner(patterns, Automaton.decoded(encoded), caseless=caseless)
