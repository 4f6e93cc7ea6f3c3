"""What Hyperscan looks for in place of patterns, compiled, and where it finds that.

Words that patterns cannot match without are looked for all at once. A pattern whose words are all common would be
decided on at every turn; it is looked for itself, in a text where these words are. So most texts are gone through once.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from calivet.search.cache import load_or_make, load_prepared, prepare
from calivet.search.normalize import extend_gaps, split_alternatives

if TYPE_CHECKING:
    import hyperscan

WORDS = "words"
WORDS_MADE_BY = [Path(__file__).with_name(name) for name in ("normalize.py", "ordinary.txt", "required_words.py")]
"""What decides which words tell of a pattern."""
NOTHING = rb"\x00"
"""Hyperscan wants at least one expression; clean text holds no NUL."""
Place = tuple[int, int]
"""Where something that Hyperscan looks for ends in the text, and its number."""
_Event = Callable[[int, int, int, int, Any], None]
_Words = Sequence[Sequence[bytes]]
"""Of each of these, one is in every line with a pattern, in lower case."""


class PatternError(Exception):
    """A pattern that cannot be looked for."""

    def __init__(self, number: int, reason: str) -> None:
        """Keep which one it was."""
        super().__init__(reason)
        self.number = number


class Alternative(Struct, array_like=True, frozen=True):
    """A pattern, or what stands between two of its bars: each may have words of its own."""

    pattern: int
    part: int
    words: list[list[bytes]]
    """Of each of these, one is in every line with the alternative, in lower case; none where all are common."""


class Aside(Struct, array_like=True, frozen=True):
    """A pattern with common words only. Few texts have those of many, so it is compiled where one has them."""

    clues: list[list[int]]
    """Numbers of its words: it is looked for in a text in which of each of these one is."""
    number: int
    text: bytes
    caseless: bool


class Compiled(Struct, array_like=True, frozen=True):
    """All that Hyperscan looks for, as it is kept."""

    database: bytes
    alternatives: list[Alternative]
    told_by: list[list[int]]
    """For the number of each thing that is looked for, the alternatives that may be where it is. Above are clues."""
    asides: list[Aside]


class _Database:
    """One for Hyperscan; any number of threads may search with it."""

    def __init__(self, kept: bytes) -> None:
        import hyperscan

        self._database = hyperscan.loadb(kept, hyperscan.HS_MODE_BLOCK)
        self._own = local()

    def search(self, text: bytes, on_match: _Event) -> None:
        self._database.scan(text, match_event_handler=on_match, scratch=self._get_scratch())

    def _get_scratch(self) -> hyperscan.Scratch:
        """Room to work in; two threads may not share it."""
        import hyperscan

        if not hasattr(self._own, "scratch"):
            self._own.scratch = hyperscan.Scratch(self._database)
        scratch: hyperscan.Scratch = self._own.scratch
        return scratch


class Automaton:
    """Points to places where a pattern may be: too often, never too seldom."""

    def __init__(self, compiled: Compiled, *, is_kept: bool) -> None:
        self._compiled, self._is_kept = compiled, is_kept
        self._database = _Database(compiled.database)
        self._asides: dict[int, _Database] = {}

    def find_places(self, text: bytes) -> list[Place]:
        """In order."""
        places: list[Place] = []
        clues: set[int] = set()
        first_clue = len(self._compiled.told_by)
        add_place, add_clue = places.append, clues.add

        def keep(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            if number < first_clue:
                add_place((end, number))
            else:
                add_clue(number)

        self._database.search(text, keep)
        for index, aside in enumerate(self._compiled.asides if clues else ()):
            if not any(clues.isdisjoint(one_of) for one_of in aside.clues):
                self._load_aside(index).search(text, keep)
        places.sort()
        return places

    def _load_aside(self, index: int) -> _Database:
        if index not in self._asides:
            aside = self._compiled.asides[index]
            self._asides[index] = _Database(_load_or_compile_aside(aside) if self._is_kept else compile_aside(aside))
        return self._asides[index]


def _load_or_compile_aside(aside: Aside) -> bytes:
    made_from = [tell_engine(), str(aside.number).encode(), aside.text, str(aside.caseless).encode()]
    return load_or_make("aside", made_from, lambda: compile_aside(aside))


def tell_engine() -> bytes:
    """What a kept database is of no use without: homes are shared, and wheels carried, between unlike machines."""
    import hyperscan

    machine = os.uname().machine if hasattr(os, "uname") else ""
    return f"{vars(hyperscan)['__version__']} {sys.platform} {machine}".encode()


class _Sought(Struct):
    """What is to be looked for, each with the alternatives that may be where it is."""

    words: dict[bytes, list[int]]
    patterns: dict[bytes, list[int]]
    """Looked for everywhere."""
    asides: dict[bytes, list[int]]
    """Looked for where their clues are."""
    clues: dict[bytes, _Words]
    """The common words of each of these."""


def compile_patterns(patterns: Sequence[str], *, caseless: bool) -> Compiled:
    """Choose what Hyperscan looks for, and let it compile that."""
    import hyperscan

    # As mere bytes, words are found many times faster than expressions in UTF-8.
    word, clue = hyperscan.HS_FLAG_CASELESS, hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    whole = _choose_flags(caseless=caseless)
    alternatives, sought = _choose_sought(patterns)
    told_by = [*sought.words.values(), *sought.patterns.values(), *sought.asides.values()]
    names = {text for words in sought.clues.values() for one_of in words for text in one_of}
    clues = {text: number for number, text in enumerate(sorted(names), len(told_by))}
    first = [
        *((number, re.escape(text), word) for number, text in enumerate(sought.words)),
        *((number, text, whole) for number, text in enumerate(sought.patterns, len(sought.words))),
        *((number, re.escape(text), clue) for text, number in clues.items()),
    ]
    beside = len(sought.words) + len(sought.patterns)
    asides = [
        Aside([[clues[name] for name in one_of] for one_of in sought.clues[text]], number, text, caseless)
        for number, text in enumerate(sought.asides, beside)
    ]
    try:
        database = _build_database(first or [(0, NOTHING, word)])
    except hyperscan.HyperscanError as error:
        raise _find_culprit(patterns, error) from None
    return Compiled(database, alternatives, told_by, asides)


def compile_aside(aside: Aside) -> bytes:
    """Its own database; raises PatternError."""
    import hyperscan

    try:
        return _build_database([(aside.number, aside.text, _choose_flags(caseless=aside.caseless))])
    except hyperscan.HyperscanError as error:
        raise PatternError(0, str(error)) from None


def _choose_flags(*, caseless: bool) -> int:
    """For a pattern that is looked for itself."""
    import hyperscan

    whole: int = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
    return whole | hyperscan.HS_FLAG_CASELESS if caseless else whole


def _choose_sought(patterns: Sequence[str]) -> tuple[list[Alternative], _Sought]:
    """The alternatives of the patterns, and what tells of each: rare words, or the pattern itself."""
    alternatives: list[Alternative] = []
    sought = _Sought({}, {}, {}, {})
    for number, pattern in enumerate(patterns):
        for part, text in enumerate(split_alternatives(pattern)):
            found, is_rare = _find_words(number, text)
            whole = extend_gaps(text).encode()
            for word in found[0] if is_rare else ():
                sought.words.setdefault(word, []).append(len(alternatives))
            if not is_rare:
                (sought.asides if found else sought.patterns).setdefault(whole, []).append(len(alternatives))
                sought.clues.update({whole: found} if found else {})
            alternatives.append(Alternative(number, part, found if is_rare else []))
    sought.words = _keep_shortest(sought.words)
    return alternatives, sought


def _keep_shortest(words: dict[bytes, list[int]]) -> dict[bytes, list[int]]:
    """Without words in which another one is found anyway: that one tells of their alternatives too."""
    kept: dict[bytes, list[int]] = {}
    for word in sorted(words, key=len):
        # Words are short and the others many, so the parts of the word are looked up.
        parts = {word[start:end] for start in range(len(word)) for end in range(start + 1, len(word) + 1)}
        shorter = min(parts & kept.keys(), key=lambda part: (len(part), part), default=word)
        kept.setdefault(shorter, []).extend(words[word])
    return kept


_Telling = tuple[list[list[bytes]], bool]
"""The words that a pattern cannot match without, the rarest first, and whether those are rare."""


def _find_words(number: int, pattern: str) -> _Telling:
    known = _load_words()
    if pattern not in known:
        try:
            known[pattern] = _choose_words(pattern)
        except ValueError as error:
            raise PatternError(number, str(error)) from None
    return known[pattern]


def _choose_words(pattern: str) -> _Telling:
    from calivet.search.required_words import are_rare, find_required_words  # most runs find all of it kept

    found = [sorted(word.encode() for word in words) for words in find_required_words(pattern)]
    return found, bool(found) and are_rare(frozenset(word.decode() for word in found[0]))


@cache
def _load_words() -> dict[str, _Telling]:
    """Those that were found when calivet was built: to find them takes half of a first run."""
    content = load_prepared(WORDS, _read_makers())
    return msgspec.msgpack.decode(content or b"\x80", type=dict[str, _Telling])


def prepare_words() -> None:
    """Have calivet bring along those that were found in this process."""
    prepare(WORDS, _read_makers(), msgspec.msgpack.encode(dict(sorted(_load_words().items()))))


def _read_makers() -> list[bytes]:
    return [path.read_bytes() for path in WORDS_MADE_BY]


def _build_database(expressions: Sequence[tuple[int, bytes, int]]) -> bytes:
    """Of the number, the text and the flags of each."""
    import hyperscan

    database = hyperscan.Database()
    database.compile(
        expressions=[text for _, text, _ in expressions],
        ids=[number for number, _, _ in expressions],
        elements=len(expressions),
        flags=[flags for _, _, flags in expressions],
    )
    found: bytes = hyperscan.dumpb(database)
    return found


def _find_culprit(patterns: Sequence[str], error: Exception) -> PatternError:
    """Hyperscan names none through this binding, so compile one by one."""
    import hyperscan

    for number, pattern in enumerate(patterns):
        try:
            _build_database([(0, extend_gaps(pattern).encode(), hyperscan.HS_FLAG_UTF8)])
        except hyperscan.HyperscanError as own:
            return PatternError(number, str(own))
    raise error
