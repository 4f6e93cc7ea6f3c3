"""Finds many patterns in much text, in one pass.

- A pattern cannot match without certain words (`required_words.py`). Hyperscan looks for the rarest of every pattern
  at once, over raw bytes, in linear time whatever their number (`automaton.py`). A pattern without a rare word is
  looked for itself, where its common words are.
- On each line that Hyperscan points at, `re` decides which patterns are in it. So the answer is that of `re`.
- Logs repeat themselves with other numbers and identifiers. What was decided is remembered by the line's normal form
  (`normalize.py`); only patterns for which those characters matter are tried again on the line itself.
- The compiled database is kept from one run to the next (`cache.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from calivet.search.automaton import Alternative, Automaton, Compiled, Place, compile_patterns, tell_engine
from calivet.search.cache import compute_fingerprint, load_or_make, load_prepared_or_make
from calivet.search.expressions import compile_kept, expression
from calivet.search.normalize import fit_pattern, normalize_digits, normalize_identifiers, split_alternatives

_MAKERS = "automaton.py normalize.py ordinary.txt required_words.py"
MADE_BY = [Path(__file__).with_name(name) for name in _MAKERS.split()]
"""What decides how a database is made: where one of these has changed, a kept one is of no use."""
EARLY = 500
"""Lines that are decided on before anything is remembered: in a short text that would cost more than it saves."""
LONGEST_REMEMBERED = 1 << 10
"""Bytes of a line."""
MOST_REMEMBERED = 1 << 13
"""Normal forms; then all of them are forgotten."""
AT_ONCE = 1 << 17
"""Bytes of a line that are decided on at once; of a longer one, so many around each place."""

Stretch = tuple[int, int, Sequence[Place]]
"""Where a line, or a part of one, begins and ends, and the places in it."""


class Hit(Struct, frozen=True):
    """A pattern's number and the index of the line where it was found."""

    pattern: int
    line: int


class Known(Struct, frozen=True):
    """What holds for all lines of one normal form."""

    found: list[int]
    """Patterns that are in them, in order."""
    doubtful: list[int]
    """Alternatives for which numbers and identifiers decide."""


Memory = dict[tuple[bytes, tuple[int, ...]], Known]
"""By a form and the numbers of what Hyperscan found in it."""


class Scanner:
    """Finds every line in which a pattern is. Any number of threads may ask it."""

    hints: int | None = None
    """As a matcher of long logs it looks for no hints of secrets."""

    def __init__(
        self,
        patterns: Sequence[str],
        compiled: Compiled,
        *,
        caseless: bool = True,
        is_kept: bool = False,
        are_words_ascii: bool = False,
    ) -> None:
        """Use `build` or `from_cache`. In text without spaces, as Chinese, only ASCII tells where a word begins."""
        self._patterns, self._compiled, self._caseless, self._is_kept = patterns, compiled, caseless, is_kept
        self._automaton = Automaton(compiled, is_kept=is_kept)
        self._are_words_ascii = are_words_ascii
        self._flags = (re.IGNORECASE if caseless else 0) | (re.ASCII if are_words_ascii else 0)
        self._whole = [expression(pattern, self._flags, kept=is_kept) for pattern in patterns]
        self._parts: dict[int, re.Pattern[str]] = {}
        self._variants: dict[tuple[int, bool], list[re.Pattern[str]] | None] = {}
        self._memory: Memory = {}
        self._recent: Memory = {}
        self._decided = 0

    @classmethod
    def build(cls, patterns: Sequence[str], *, caseless: bool = True) -> Scanner:
        """Compile the patterns; ^ and $ stand for the ends of a line."""
        return cls(patterns, compile_patterns(patterns, caseless=caseless), caseless=caseless)

    @classmethod
    def load_or_compile(
        cls, name: str, patterns: Sequence[str], *, caseless: bool = True, are_words_ascii: bool = False
    ) -> Scanner:
        """The scanner for these patterns, compiled now or in an earlier run."""
        made_from = [tell_engine(), str(caseless).encode(), "\0".join(patterns).encode()]

        def compile_now() -> bytes:
            return msgspec.msgpack.encode(compile_patterns(patterns, caseless=caseless))

        def make() -> bytes:
            return load_prepared_or_make(name, [*made_from, *(path.read_bytes() for path in MADE_BY)], compile_now)

        encoded = load_or_make(name, [*made_from, compute_fingerprint(MADE_BY)], make)
        return _restore(patterns, encoded, caseless, are_words_ascii)

    def __reduce__(self) -> tuple[Any, ...]:
        """As it travels to another process."""
        compiled = msgspec.msgpack.encode(self._compiled)
        return _restore, (list(self._patterns), compiled, self._caseless, self._are_words_ascii)

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

    def find_matches(self, number: int, line: str) -> Iterator[re.Match[str]]:
        """Where in a line the pattern with this number is."""
        return self._whole[number].finditer(line)

    def find(self, text: bytes) -> Iterator[tuple[int, int, int]]:
        """Each pattern once for each line that it is in, with the beginning and the end of the line."""
        for start, stop, places in find_lines_at(text, self._automaton.find_places(text)):
            for pattern in self._decide_long(text, start, stop, places):
                yield pattern, start, stop

    def _decide_long(self, text: bytes, start: int, stop: int, places: Sequence[Place]) -> Sequence[int]:
        """Patterns in a line of any length, in order: of a very long one, only what is near the places is looked at."""
        if stop - start <= AT_ONCE:
            return self._decide(text[start:stop], tuple([number for _, number in places]))
        found: set[int] = set()
        for left, right, near in find_stretches(start, stop, places):
            found.update(self._decide(text[left:right], tuple([number for _, number in near])))
        return sorted(found)

    def _decide(self, line: bytes, numbers: tuple[int, ...]) -> Sequence[int]:
        """Patterns in a line where Hyperscan found what has these numbers, in order."""
        self._decided += 1
        if self._decided <= EARLY or len(line) > LONGEST_REMEMBERED or not line.isascii():
            return sorted(self._try(line, self._list_candidates(numbers)))
        levelled = normalize_digits(line, caseless=self._caseless)
        known = self._recent.get((levelled, numbers))
        if known is None:
            known = self._look_up(normalize_identifiers(levelled), numbers)
            if len(self._recent) >= MOST_REMEMBERED:
                self._recent.clear()
            self._recent[levelled, numbers] = known
        return sorted({*known.found, *self._try(line, known.doubtful)}) if known.doubtful else known.found

    def _look_up(self, normal: bytes, numbers: tuple[int, ...]) -> Known:
        known = self._memory.get((normal, numbers))
        if known is None:
            if len(self._memory) >= MOST_REMEMBERED:
                self._memory.clear()
            known = self._memory[normal, numbers] = self._learn(normal, numbers)
        return known

    def _list_candidates(self, numbers: Iterable[int]) -> list[int]:
        told_by = self._compiled.told_by
        return sorted({candidate for number in set(numbers) for candidate in told_by[number]})

    def _try(self, line: bytes, candidates: Iterable[int]) -> set[int]:
        """The patterns of these alternatives that are in this very line."""
        text, low, found = line.decode("utf-8", "replace"), line.lower(), set[int]()
        for candidate in candidates:
            alternative = self._compiled.alternatives[candidate]
            if alternative.pattern not in found and _has_words(low, alternative.words):
                if candidate not in self._parts:
                    self._parts[candidate] = compile_kept(
                        self._build_text(alternative), self._flags, kept=self._is_kept
                    )
                if self._parts[candidate].search(text):
                    found.add(alternative.pattern)
        return found

    def _learn(self, normal: bytes, numbers: tuple[int, ...]) -> Known:
        """What holds for all lines of this form where Hyperscan found these numbers."""
        text, found, doubtful = normal.decode("latin-1"), set[int](), list[int]()
        for candidate in self._list_candidates(numbers):
            pattern = self._compiled.alternatives[candidate].pattern
            if pattern in found or not self._is_in(text, candidate, surely=False):
                continue
            if self._is_in(text, candidate, surely=True):
                found.add(pattern)
            else:
                doubtful.append(candidate)
        alternatives = self._compiled.alternatives
        return Known(sorted(found), [one for one in doubtful if alternatives[one].pattern not in found])

    def _is_in(self, normal: str, candidate: int, *, surely: bool) -> bool:
        """Whether an alternative is in all lines of a normal form, or else whether it may be in some."""
        key = candidate, surely
        if key not in self._variants:
            self._variants[key] = self._make_variants(self._compiled.alternatives[candidate], surely=surely)
        variants = self._variants[key]
        return not surely if variants is None else all(variant.search(normal) for variant in variants)

    def _make_variants(self, alternative: Alternative, *, surely: bool) -> list[re.Pattern[str]] | None:
        """All of these have to be in a normal form. The words come first: a pattern takes long to be not found."""
        texts = [self._build_text(alternative)]
        if not surely:
            head = "" if self._caseless else "(?i)"
            texts[:0] = [head + "|".join(re.escape(word.decode()) for word in words) for words in alternative.words]
        fitted = [fit_pattern(text, caseless=self._caseless, surely=surely) for text in texts]
        return (
            None if None in fitted else [compile_kept(text, kept=self._is_kept) for text in fitted if text is not None]
        )

    def _build_text(self, alternative: Alternative) -> str:
        return split_alternatives(self._patterns[alternative.pattern])[alternative.part]


def _restore(patterns: Sequence[str], encoded: bytes, caseless: bool, are_words_ascii: bool) -> Scanner:
    """As it was kept or sent; the caller has checked that the bytes are whole."""
    import hyperscan

    compiled = msgspec.msgpack.decode(encoded, type=Compiled)
    try:
        return Scanner(patterns, compiled, caseless=caseless, is_kept=True, are_words_ascii=are_words_ascii)
    except hyperscan.HyperscanError:  # homes are shared, and images carried, between processors of unlike abilities
        compiled = compile_patterns(patterns, caseless=caseless)
        return Scanner(patterns, compiled, caseless=caseless, are_words_ascii=are_words_ascii)


def _has_words(line: bytes, words: Iterable[Iterable[bytes]]) -> bool:
    """Of each of these, one."""
    for one_of in words:
        for word in one_of:
            if word in line:
                break
        else:
            return False
    return True


def find_lines_at(text: bytes, places: Sequence[Place]) -> Iterator[Stretch]:
    """Each line with places in it."""
    begun, every = 0, len(places)
    while begun < every:
        end, _ = places[begun]
        start = text.rfind(b"\n", 0, end) + 1
        stop = text.find(b"\n", end) % (len(text) + 1)  # none is the end of the text
        behind = begun + 1
        while behind < every and places[behind][0] <= stop:
            behind += 1
        yield start, stop, places[begun:behind]
        begun = behind


def find_stretches(start: int, stop: int, places: Sequence[Place]) -> Iterator[Stretch]:
    """What is looked at to decide on the places of a long line."""
    begun = 0
    while begun < len(places):
        end, _ = places[begun]
        behind = bisect_right(places, (end + AT_ONCE // 4, 0), begun + 1)
        yield max(start, end - AT_ONCE // 2), min(stop, end + AT_ONCE // 2), places[begun:behind]
        begun = behind
