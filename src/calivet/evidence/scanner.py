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

import msgspec
from msgspec import Struct

from calivet.evidence.automaton import Automaton, Saved
from calivet.evidence.cache import kept, state
from calivet.evidence.expressions import expression
from calivet.evidence.lowered import lowered
from calivet.evidence.sought import Claim, Dull, PatternError

_MAKERS = ["automaton.py", "sought.py", "alternatives.py", "factors.py", "cover.py", "rarity.py"]
MADE_BY = [Path(__file__).with_name(name) for name in (*_MAKERS, "ordinary.txt", "seldom.txt")]
"""What decides how an automaton is made: where one of these has changed, a kept one is of no use."""
LONGEST = 1 << 17
"""Bytes of a line that are decided on at once; of a longer one, so many around each place."""
PATIENCE = 300_000
"""Places where a word announced nothing: to look at more of them costs more than to make the automaton anew."""

Wasted = Counter[tuple[str, str]]
"""How often a part led to nothing, and the word of which it was, if it was one."""


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


class Scanner:
    """Finds every line in which a pattern is."""

    def __init__(self, patterns: Sequence[str], automaton: Automaton, *, caseless: bool = True) -> None:
        """Use `build` or `kept`."""
        self._patterns, self._caseless = patterns, caseless
        self._automaton = automaton
        self._expressions = [expression(pattern, re.IGNORECASE if caseless else 0) for pattern in patterns]
        self._quick: dict[int, re.Pattern[str] | None] = {}
        self._wasted: Wasted = Counter()
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

        saved = msgspec.msgpack.decode(kept(name, made_from, make), type=Saved)
        return cls(patterns, Automaton(saved), caseless=caseless)

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
        start, stop, found, window = 0, -1, set[int](), _windowed(b"", 0, -1)
        for end, number in automaton.places(text):
            if end > stop:
                start, stop, found = text.rfind(b"\n", 0, end) + 1, _line_end(text, end), set()
            if end > window.until:
                window = _window(text, start, stop, end)
            low, at, present, useful = window.low, end - window.start, b"", False
            for reach, announced in automaton.aligned(number, low[at] if at < len(low) else 0):
                if at >= reach and low.startswith(announced.word, at - reach):
                    present = announced.word
                    for claim in announced.claims:
                        pattern = claim.pattern
                        if pattern not in found and self._is_in(window, claim):
                            found.add(pattern)
                            yield pattern, start, stop
                        useful = useful or pattern in found
            if not useful and (part := automaton.sought[number].part):
                wasted[part, present.decode()] += 1
        if wasted:
            self._learn(wasted)

    def _is_in(self, window: Window, claim: Claim) -> bool:
        """Whether the pattern is there; each is tried once."""
        pattern = claim.pattern
        if pattern in window.tried or not _has(window.low, claim.words):
            return False
        window.tried.add(pattern)
        if window.is_ascii and (quick := self._in_lower_case(pattern)):
            return quick.search(window.low.decode("ascii")) is not None
        return self._expressions[pattern].search(window.line.decode("utf-8", "replace")) is not None

    def _in_lower_case(self, number: int) -> re.Pattern[str] | None:
        if number not in self._quick:
            pattern = lowered(self._patterns[number]) if self._caseless else None
            self._quick[number] = expression(pattern) if pattern else None
        return self._quick[number]

    def _learn(self, wasted: Wasted) -> None:
        with self._learning:
            self._wasted += wasted
            dull = [key for key, times in self._wasted.items() if times > PATIENCE]
            if dull:
                words = self._dull.words | {word for _, word in dull if word}
                parts = self._dull.parts | {part for part, word in dull if not word}
                self._dull, self._wasted = Dull(words, parts), Counter()
                with suppress(PatternError):  # the engine takes its words, but not the pattern itself
                    self._automaton = Automaton.build(self._patterns, self._dull, caseless=self._caseless)


def _line_end(text: bytes, at: int) -> int:
    found = text.find(b"\n", at)
    return len(text) if found < 0 else found


def _window(text: bytes, start: int, stop: int, place: int) -> Window:
    """What is looked at to decide on this place."""
    if stop - start <= LONGEST:
        return _windowed(text[start:stop], start, stop)
    half = LONGEST // 2
    first = max(start, place - half)
    return _windowed(text[first : min(stop, place + half)], first, min(stop, place + half // 2))


def _windowed(line: bytes, start: int, until: int) -> Window:
    return Window(line, line.lower(), start, until, line.isascii())


def _has(low: bytes, words: Sequence[Sequence[bytes]]) -> bool:
    """Of each of these, one."""
    for one_of in words:
        for word in one_of:
            if word in low:
                break
        else:
            return False
    return True
