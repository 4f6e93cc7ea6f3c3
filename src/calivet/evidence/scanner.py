"""The one-pass scanner: an automaton points to lines where patterns may be, and `re` decides.

Cost is linear in the text whatever the number of patterns. Which words are rare depends on the logs; where one turns
out to be on every other line, the automaton is made anew without it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec import Struct

from calivet.evidence.automaton import BYTES, Automaton
from calivet.evidence.cache import kept, state
from calivet.evidence.expressions import expression
from calivet.evidence.lowered import lowered
from calivet.evidence.sought import Dull, PatternError

_MAKERS = ["automaton.py", "sought.py", "alternatives.py", "factors.py", "cover.py", "rarity.py"]
MADE_BY = [Path(__file__).with_name(name) for name in (*_MAKERS, "ordinary.txt", "seldom.txt")]
"""What decides how an automaton is made: where one of these has changed, a kept one is of no use."""
LONGEST = 1 << 17
"""Bytes of a line that are decided on at once; of a longer one, so many around each place."""
PATIENCE = 300_000
"""Places where a word announced nothing: to look at more of them costs more than to make the automaton anew."""

Wasted = dict[tuple[int, bytes], int]
"""How often a place with this number led to nothing, and the word that stood there, if one did."""


class Hit(Struct, frozen=True):
    """A pattern's number and the index of the line where it was found."""

    pattern: int
    line: int


class Window(Struct):
    """A line, or as much of it as is looked at to decide on some places."""

    line: bytes
    low: bytes
    start: int
    until: int
    """The last place that can be decided on with it."""
    is_ascii: bool
    tried: set[int] = set()


NO_WINDOW = Window(b"", b"", 0, -1, is_ascii=True)


class _InLowerCase(dict[int, "re.Pattern[str] | None"]):
    """The patterns for text in lower case, made when first asked for; None where there is no such form."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = patterns

    def __missing__(self, number: int) -> re.Pattern[str] | None:
        low = lowered(self._patterns[number]) if self._patterns else None
        self[number] = found = expression(low) if low else None
        return found


class Scanner:
    """Finds every line in which a pattern is."""

    def __init__(self, patterns: Sequence[str], automaton: Automaton, *, caseless: bool = True) -> None:
        """Use `build` or `kept`."""
        self._patterns, self._caseless = patterns, caseless
        self._automaton = automaton
        self._expressions = [expression(pattern, re.IGNORECASE if caseless else 0) for pattern in patterns]
        self._quick = _InLowerCase(patterns if caseless else [])
        self._wasted = Counter[tuple[str, str]]()
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
        automaton, wasted = self._automaton, Wasted()
        aligned, start, stop, found, window = automaton.aligned, 0, -1, set[int](), NO_WINDOW
        for end, number in automaton.places(text):
            if end > window.until:
                if end > stop:
                    start, found = text.rfind(b"\n", 0, end) + 1, set()
                    stop = text.find(b"\n", end) % (len(text) + 1)  # none is the end of the text
                window = _window(text, start, stop, end)
                window.tried |= found
            low, at, present, useful = window.low, end - window.start, b"", False
            for reach, word, claims in aligned[number * BYTES + (low[at] if at < len(low) else 0)]:
                if at >= reach and low.startswith(word, at - reach):
                    present = word
                    for pattern, words in claims:
                        if pattern not in window.tried and _has(low, words) and self._is_in(window, pattern):
                            found.add(pattern)
                            yield pattern, start, stop
                        useful = useful or pattern in found
            if not useful:
                wasted[number, present] = wasted.get((number, present), 0) + 1
        if wasted:
            self._learn(automaton, wasted)

    def _is_in(self, window: Window, pattern: int) -> bool:
        """Whether the pattern is there. Tried once in each window."""
        window.tried.add(pattern)
        if window.is_ascii and (quick := self._quick[pattern]):
            return quick.search(window.low.decode("ascii")) is not None
        return self._expressions[pattern].search(window.line.decode("utf-8", "replace")) is not None

    def __reduce__(self) -> tuple[Any, ...]:
        """As it travels to another process."""
        return _revived, (list(self._patterns), self._automaton.encoded(), self._caseless)

    def _learn(self, automaton: Automaton, wasted: Wasted) -> None:
        with self._learning:
            for (number, word), times in wasted.items():
                if part := automaton.sought[number].part:
                    self._wasted[part, word.decode()] += times
            dull = [key for key, times in self._wasted.items() if times > PATIENCE]
            if dull:
                words = self._dull.words | {word for _, word in dull if word}
                parts = self._dull.parts | {part for part, word in dull if not word}
                self._dull, self._wasted = Dull(words, parts), Counter()
                with suppress(PatternError):  # the engine takes its words, but not the pattern itself
                    self._automaton = Automaton.build(self._patterns, self._dull, caseless=self._caseless)


def _window(text: bytes, start: int, stop: int, place: int) -> Window:
    """What is looked at to decide on this place."""
    first, last, until = start, stop, stop
    if stop - start > LONGEST:
        half = LONGEST // 2
        first, last, until = max(start, place - half), min(stop, place + half), min(stop, place + half // 2)
    line = text[first:last]
    return Window(line, line.lower(), first, until, line.isascii())


def _revived(patterns: Sequence[str], encoded: bytes, caseless: bool) -> Scanner:
    return Scanner(patterns, Automaton.decoded(encoded), caseless=caseless)


def _has(low: bytes, words: Sequence[Sequence[bytes]]) -> bool:
    """Of each of these, one."""
    for one_of in words:
        for word in one_of:
            if word in low:
                break
        else:
            return False
    return True
