"""What Hyperscan looks for in place of patterns, compiled, and where it finds that.

Words that patterns cannot match without are looked for all at once. A pattern whose words are all common would be
decided on at every turn; it is looked for itself, in a text where these words are. So most texts are gone through once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from threading import local
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from calivet.search.normalize import extend_gaps, split_alternatives

if TYPE_CHECKING:
    import hyperscan

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
    """A pattern with common words only."""

    clues: list[list[int]]
    """Numbers of its words: it is looked for in a text in which of each of these one is."""
    database: bytes


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

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
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
            self._asides[index] = _Database(self._compiled.asides[index].database)
        return self._asides[index]


class _Sought(Struct):
    """What is to be looked for, each with the alternatives that may be where it is."""

    words: dict[bytes, list[int]]
    patterns: dict[bytes, list[int]]
    """Looked for everywhere."""
    asides: dict[bytes, list[int]]
    clues: dict[bytes, _Words]
    """The common words of each of these."""


def compile_patterns(patterns: Sequence[str], *, caseless: bool) -> Compiled:
    """Choose what Hyperscan looks for, and let it compile that."""
    import hyperscan

    # As mere bytes, words are found many times faster than expressions in UTF-8.
    word, clue = hyperscan.HS_FLAG_CASELESS, hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    whole = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
    whole |= hyperscan.HS_FLAG_CASELESS if caseless else 0
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
    try:
        database = _build_database(first or [(0, NOTHING, word)])
        asides = [
            Aside(
                [[clues[name] for name in one_of] for one_of in sought.clues[text]],
                _build_database([(number, text, whole)]),
            )
            for number, text in enumerate(sought.asides, beside)
        ]
    except hyperscan.HyperscanError as error:
        raise _find_culprit(patterns, error) from None
    return Compiled(database, alternatives, told_by, asides)


def _choose_sought(patterns: Sequence[str]) -> tuple[list[Alternative], _Sought]:
    """The alternatives of the patterns, and what tells of each: rare words, or the pattern itself."""
    from calivet.search.required_words import are_rare  # most runs find all of it kept

    alternatives: list[Alternative] = []
    sought = _Sought({}, {}, {}, {})
    for number, pattern in enumerate(patterns):
        for part, text in enumerate(split_alternatives(pattern)):
            found = _find_words(number, text)
            is_rare = bool(found) and are_rare(frozenset(word.decode() for word in found[0]))
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
        shorter = next((one for one in kept if one in word), word)
        kept.setdefault(shorter, []).extend(words[word])
    return kept


def _find_words(number: int, pattern: str) -> list[list[bytes]]:
    """The words that it cannot match without, the rarest first; none where all are very common."""
    from calivet.search.required_words import find_required_words

    try:
        found = find_required_words(pattern)
    except ValueError as error:
        raise PatternError(number, str(error)) from None
    return [sorted(word.encode() for word in words) for words in found]


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
