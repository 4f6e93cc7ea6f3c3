"""A log too long to keep, let through in blocks: what tells something is kept, the rest is only counted.

Memory stays the same however long the log is. What tells something is not for this room to know: a matcher knows.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from queue import SimpleQueue
from threading import Lock

from msgspec import Struct

from calivet.evidence.artifact import Document, EvidenceRedactor, IsHint, LineMatcher, LookedAt, Place, Places
from calivet.evidence.decoding.decode import decode
from calivet.evidence.decoding.long_lines import LONGEST, cut_long_numbers, shorten
from calivet.evidence.long_logs.workers import WorkerProcess, count_cores, run_in_parallel

# What terminals and other systems leave in text; most logs hold none of it, and then their bytes are taken as they are.
_LEFTOVERS = (b"\x1b", b"\r", b"\b", b"\a", b"\0")
_SHORT = 1 << 12
"""Bytes in which counting is fast enough."""


def look(matcher: LineMatcher, block: bytes, most: int, is_hint: IsHint | None = None) -> LookedAt:
    """Keeps so many places of each pattern from either end."""
    text = clean_block(block)
    found: dict[int, list[tuple[int, int]]] = {}
    hinted: list[int] = []
    hints = sys.maxsize if matcher.hints is None else matcher.hints
    for pattern, start, end in matcher.find(text):
        if pattern < hints:
            found.setdefault(pattern, []).append((start, end))
        elif is_hint and start not in hinted[-1:] and is_hint(text[start:end]):
            hinted.append(start)
    kept = {pattern: (every[:most], every[most:][-most:]) for pattern, every in found.items()}
    starts = {start for both in kept.values() for some in both for start, _ in some}
    numbers = number_lines(text, sorted(starts.union(hinted)))
    places = {
        pattern: Places(len(found[pattern]), *([(numbers[start], start, end) for start, end in some] for some in both))
        for pattern, both in kept.items()
    }
    lines = numbers[len(text)] - text.endswith(b"\n")
    return LookedAt(len(block), text, lines, places, [numbers[start] - 1 for start in hinted])


def number_lines(text: bytes, starts: Iterable[int]) -> dict[int, int]:
    """The number of the line at each of these places, which are in order, and at the end of the text."""
    numbers: dict[int, int] = {}
    number, counted = 1, 0
    for start in (*starts, len(text)):
        number += count_newlines(text, counted, start)
        counted = start
        numbers[start] = number
    return numbers


def count_newlines(text: bytes, start: int, end: int) -> int:
    """How many there are. Over a long stretch, taking them out is several times as fast as counting them."""
    if end - start < _SHORT:
        return text.count(b"\n", start, end)
    part = text[start:end]
    return len(part) - len(part.replace(b"\n", b""))


def clean_block(block: bytes) -> bytes:
    """The block as a person would see it, in UTF-8."""
    if block.isascii() and not any(leftover in block for leftover in _LEFTOVERS):
        return block
    return "\n".join(decode(block)).encode("utf-8", "replace")


class Looking(Struct, frozen=True):
    """What it does: from a block to what can be told of it."""

    matcher: LineMatcher
    is_hint: IsHint | None = None

    def __call__(self, asked: tuple[bytes, int]) -> LookedAt:
        """The block itself does not travel back: whoever asks has it."""
        block, most = asked
        looked_at = look(self.matcher, block, most, self.is_hint)
        if looked_at.text is block:
            looked_at.text = b""
        return looked_at


class Helper:
    """Asked by one thread at a time."""

    def __init__(self, matcher: LineMatcher, is_hint: IsHint | None = None) -> None:
        """Ready to be asked."""
        self.worker: WorkerProcess[tuple[bytes, int], LookedAt] = WorkerProcess(Looking(matcher, is_hint))

    def look(self, block: bytes, most: int) -> LookedAt:
        """As by oneself; an EOFError or OSError where it is gone."""
        looked_at = self.worker.ask((block, most))
        looked_at.text = looked_at.text or block
        return looked_at


MANY = 30_000
"""Hits after which processes are worth their start: it takes as long as to decide on so many."""


class Workers:
    """Looks at blocks, with help from other processes as soon as it pays. Any thread may ask it."""

    def __init__(self, matcher: LineMatcher, is_hint: IsHint | None = None) -> None:
        """Alone at first."""
        self.matcher, self.is_hint = matcher, is_hint
        self._hits = 0
        self._helpers: list[Helper] = []
        self._idle: SimpleQueue[Helper] = SimpleQueue()
        self._is_alone = count_cores() == 1
        self._asking = Lock()

    @property
    def hands(self) -> int:
        """Threads that should ask: where helpers work, one more reads ahead for them."""
        return count_cores() + bool(self._helpers)

    def look(self, block: bytes, most: int) -> LookedAt:
        """What can be told of the block, with so many places of each pattern from either end."""
        helped = None if self._is_alone or self._hits < MANY else self._ask_for_help(block, most)
        looked_at = helped or look(self.matcher, block, most, self.is_hint)
        self._hits += looked_at.hits
        return looked_at

    def _ask_for_help(self, block: bytes, most: int) -> LookedAt | None:
        """None where no help is to be had; then none is asked for again."""
        try:
            with self._asking:
                self._call()
            helper = self._idle.get()
            try:
                return helper.look(block, most)
            finally:
                self._idle.put(helper)
        except (OSError, EOFError, ImportError):  # no processes here, or one was ended
            self._is_alone = True
            return None

    def _call(self) -> None:
        """As many as there are cores; none where this is itself one of many processes, which use all of them."""
        from calivet.evidence.long_logs.workers import is_worker

        if is_worker():
            raise OSError("all cores are at work")
        while len(self._helpers) < count_cores():
            self._helpers.append(Helper(self.matcher, self.is_hint))
            self._idle.put(self._helpers[-1])


_latest: list[Workers] = []


def find_workers(matcher: LineMatcher, is_hint: IsHint | None) -> Workers:
    """One for all documents: what is known of one of them helps with the others."""
    if not _latest or _latest[0].matcher is not matcher or _latest[0].is_hint is not is_hint:
        _latest[:] = [Workers(matcher, is_hint)]
    return _latest[0]


class Keep(Struct, frozen=True):
    """How many lines are kept."""

    hits: int
    """Of each pattern, from the beginning and from the end of the log."""
    around: int
    """Before and behind each of them."""
    ends: int
    """At either end of the log, whatever they say."""


USUAL = Keep(hits=25, around=2, ends=150)
LITTLE = Keep(hits=1, around=0, ends=0)


class Sieve:
    """One log."""

    def __init__(self, matcher: LineMatcher, keep: Keep = USUAL, redactor: EvidenceRedactor | None = None) -> None:
        """Nothing has gone through yet. What spans lines could not be redacted in the few that are kept."""
        self._workers, self._keep = find_workers(matcher, redactor.is_hint if redactor else None), keep
        if redactor and matcher.hints is None:
            raise ValueError("secrets would slip through: this matcher looks for no hints of them")
        self._redactor = redactor
        self._lines = 0
        self._kept: dict[int, bytes] = {}
        self._last: dict[int, deque[dict[int, bytes]]] = {}
        self._late: dict[int, list[Place]] = {}
        self._late_text = b""
        self._count: dict[int, int] = {}
        self._tail: deque[bytes] = deque(maxlen=keep.ends)
        self._latest = b""

    def pour(self, blocks: Iterable[bytes], name: str = "") -> Iterator[int]:
        """Blocks of whole lines; gives the size of each once it is through."""
        every: Iterator[LookedAt] = run_in_parallel(self._look_at, blocks, self._workers.hands)
        for looked_at in self._redactor.redact_blocks(name, every, self._look_at) if self._redactor else every:
            self._take_all(looked_at)
            yield looked_at.size

    def _look_at(self, block: bytes) -> LookedAt:
        return self._workers.look(block, self._keep.hits)

    def _take_all(self, block: LookedAt) -> None:
        self._take_late(block.found)
        self._late_text = block.text
        for pattern, places in block.found.items():
            self._take(pattern, places, block.text)
        self._take_ends(block.text, block.lines)

    def document(self, name: str) -> Document:
        """What was kept, each line with its number."""
        self._take_late({})
        kept = dict(self._kept)
        for late in self._last.values():
            for found in late:
                kept |= found
        self._cut_latest()
        kept |= enumerate(self._tail, self._lines - len(self._tail) + 1)
        numbers = sorted(kept)
        lines = [kept[number].decode("utf-8", "replace") for number in numbers]
        cut_long_numbers(lines)
        return Document(name, lines, numbers=numbers, counts=self._count)

    def _take(self, pattern: int, places: Places, text: bytes) -> None:
        before = self._count.get(pattern, 0)
        self._count[pattern] = before + places.count
        some = [*places.first, *places.last]
        first = max(0, self._keep.hits - before)
        for place in some[:first]:
            self._kept |= self._take_around(text, *place)
        self._late[pattern] = [(self._lines + number, start, end) for number, start, end in some[first:]]

    def _take_late(self, coming: Mapping[int, Places]) -> None:
        """The last places in the block before, unless so many come next that none of them would be left."""
        for pattern, places in self._late.items():
            if pattern not in coming or coming[pattern].count < self._keep.hits:
                late = self._last.setdefault(pattern, deque(maxlen=self._keep.hits))
                for number, start, end in places[-self._keep.hits :]:
                    late.append(_list_neighbourhood(self._late_text, self._keep.around, number, start, end))
        self._late = {}

    def _take_around(self, text: bytes, number: int, start: int, end: int) -> dict[int, bytes]:
        return _list_neighbourhood(text, self._keep.around, self._lines + number, start, end)

    def _take_ends(self, text: bytes, lines: int) -> None:
        ends = self._keep.ends
        if self._lines < ends:
            beginning = text.split(b"\n", ends)[: min(lines, ends - self._lines)]
            self._kept |= {self._lines + place: _shorten_around(line) for place, line in enumerate(beginning, 1)}
        self._cut_latest(unless=lines >= ends)
        self._latest = text
        if lines < ends:  # long lines: were they kept whole, so many of them would take much memory
            self._cut_latest()
        self._lines += lines

    def _cut_latest(self, *, unless: bool = False) -> None:
        """The last block into lines, unless the next one has enough of its own: most blocks are never cut."""
        if self._latest and not unless:
            lines = self._latest.removesuffix(b"\n").rsplit(b"\n", self._keep.ends)
            self._tail.extend(_shorten_around(line) for line in lines[-self._keep.ends :])
        self._latest = b""


def _shorten_around(line: bytes) -> bytes:
    """A hit far behind in a long line shall not be cut off."""
    return line if len(line) <= LONGEST else shorten(line.decode("utf-8", "replace"), LONGEST).encode("utf-8")


def _list_neighbourhood(text: bytes, reach: int, number: int, start: int, end: int) -> dict[int, bytes]:
    """The line and so many neighbours in the block, each with its number."""
    found = {number: _shorten_around(text[start:end])}
    left, right = start - 1, end
    for distance in range(1, reach + 1):
        if left >= 0:
            before = text.rfind(b"\n", 0, left) + 1
            found[number - distance] = text[before:left][:LONGEST]
            left = before - 1
        if right + 1 < len(text):
            behind = text.find(b"\n", right + 1)
            behind = len(text) if behind < 0 else behind
            found[number + distance] = text[right + 1 : behind][:LONGEST]
            right = behind
    return found
