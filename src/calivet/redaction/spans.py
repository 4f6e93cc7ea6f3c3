"""The stretches of a line that must not be shown, and the marks that take their place: one secret, one mark."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from calivet.search.expressions import expression

OPENING = "<redacted-"
ANY_MARK = rf"{OPENING}[a-z-]+-\d{{1,9}}>"
# Free of blanks, quotes, commas and colons, so that tables, YAML, JSON, URLs and logs stay readable.
MARK = expression(rf"{OPENING}(?P<kind>[a-z]+(?:-[a-z]+)*)-(?P<number>\d{{1,9}})>")


class Marks:
    """Gives out marks and remembers them."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()

    def mark(self, kind: str, secret: str) -> str:
        """The mark of this secret. What kind it is was settled where it was met first."""
        if secret not in self._given:
            self._numbers[kind] += 1
            self._kinds[secret] = kind
            self._given[secret] = f"<redacted-{kind}-{self._numbers[kind]}>"
        return self._given[secret]

    def find_kind(self, secret: str) -> str:
        """What kind a secret was when it was met first."""
        return self._kinds[secret]

    def note_marks(self, line: str) -> None:
        """Marks that an earlier run left in the text keep their numbers to themselves."""
        for mark in MARK.finditer(line):
            self._numbers[mark["kind"]] = max(self._numbers[mark["kind"]], int(mark["number"]))

    def list_secrets(self) -> dict[str, str]:
        """Every secret met so far, with its mark."""
        return self._given


Piece = tuple[int, int, int]
"""A line's index, and where in it something begins and ends."""


class Span(Struct, frozen=True):
    """A stretch of a line that must not be shown."""

    line: int
    start: int
    stop: int
    kind: str
    secret: str
    """What is hidden: the text itself, or the whole of which this line holds a part."""
    quote: str = ""
    """Goes around the mark where a bare number stood and a bare mark would break the format."""


def build_spans(kind: str, pieces: Sequence[Piece], lines: Sequence[str], secret: str = "") -> list[Span]:
    """One secret in several pieces."""
    whole = secret or "".join(lines[line][start:stop] for line, start, stop in pieces)
    return [Span(line, start, stop, kind, whole) for line, start, stop in pieces]


def hide(line: str, found: Iterable[Span], marks: Marks) -> tuple[str, list[Span]]:
    """The line with marks in it, and what they stand for. A mark that stands there already is as good as hidden."""
    spans = [span for span in _merge_overlapping(line, found) if MARK.sub("", line[span.start : span.stop]).strip()]
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += [line[at : span.start], span.quote, marks.mark(span.kind, span.secret), span.quote]
        at = span.stop
    return "".join([*pieces, line[at:]]), spans


def _merge_overlapping(line: str, found: Iterable[Span]) -> Sequence[Span]:
    """What overlaps is one; the wider span says what it is, and among equals the first."""
    apart: list[Span] = []
    for span in sorted(found, key=lambda span: (span.start, -span.stop)):
        if not apart or span.start >= apart[-1].stop:
            apart.append(span)
        elif span.stop > apart[-1].stop:
            whole = line[apart[-1].start : span.stop]
            apart[-1] = replace(apart[-1], stop=span.stop, secret=whole)
    return apart


HEAD = 1 << 13
"""Characters of a line that are seen together with the lines around it."""
WINDOW = 1 << 11
OVERLAP = 1 << 9
"""What is shorter than this stands whole in one of the windows."""
ENDS = expression(r"[\s\"'`,<>]")


class View:
    """Lines as finders see them, and the way back to where their spans stand."""

    def __init__(self, whole: Sequence[str], lines: Sequence[str], places: Sequence[tuple[int, int]]) -> None:
        """`places` are the line and the offset of each; none where each is at the beginning of its own line."""
        self._whole, self._places = whole, places
        self.lines = lines

    def map_to_whole(self, spans: Iterable[Span]) -> Iterator[Span]:
        """The spans where they stand; one that a cut ends reaches as far as the secret does."""
        reached: dict[int, int] = {}
        for span in spans:
            index, offset = self._places[span.line] if self._places else (span.line, 0)
            line, start, stop = self._whole[index], span.start + offset, span.stop + offset
            if span.stop < len(self.lines[span.line]) or stop >= len(line):
                yield replace(span, line=index, start=start, stop=stop) if self._places else span
                continue
            if stop > reached.get(index, -1):
                end = ENDS.search(line, stop)
                reached[index] = end.start() if end else len(line)
            yield replace(span, line=index, start=start, stop=reached[index], secret=line[start : reached[index]])


def split_to_views(lines: Sequence[str]) -> Iterator[View]:
    """All lines up to a length; then what is behind it, each window by itself."""
    if max(map(len, lines), default=0) <= HEAD:
        yield View(lines, lines, ())
        return
    long = [index for index, line in enumerate(lines) if len(line) > HEAD]
    yield View(lines, [line[:HEAD] for line in lines], ())
    windows: list[str] = []
    places: list[tuple[int, int]] = []
    for index in long:
        for start in range(HEAD - OVERLAP, len(lines[index]), WINDOW - OVERLAP):
            # A blank line between them: none goes on with another.
            windows += [lines[index][start : start + WINDOW], ""]
            places += [(index, start), (index, start)]
    yield View(lines, windows, places)


Find = Callable[[Sequence[str], Sequence[int]], Iterable[Span]]
FindOnLine = Callable[[str], Iterable[tuple[int, int, str]]]


class Finder(Struct, frozen=True):
    """Woken by its hint, so that most lines cost it nothing."""

    hint: str
    """For the scanner: fires on every line worth a look, and on few others."""
    find: Find
    """All lines, and the indexes of those that the hint fired on, in order, to what must be hidden there and around.

    It is given all of them at once so that what spans many lines is gone through once, not from each of them.
    """
    wide_hint: str = ""
    """Never narrower than the hint and cheaper to look for, where the hint has no rare word: for long logs."""
    needs_one_line: bool = False
    """What it hides can be told from the line alone, whenever that is looked at."""


def build_line_finder(hint: str, find: FindOnLine) -> Finder:
    """A finder that needs no other line: `find` gives start, stop and kind."""

    def find_all(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
        for index in hits:
            line = lines[index]
            for start, stop, kind in find(line):
                yield Span(index, start, stop, kind, line[start:stop])

    return Finder(hint, find_all, needs_one_line=True)


Part = tuple[Callable[[int], int], list[str]]
"""Lines, and what tells the number of each in the document by its index."""


class JoinedLines:
    """Lines to be worked on."""

    def __init__(self, name: str, parts: Sequence[Part]) -> None:
        self.name = name
        self.lines = [line for _, lines in parts for line in lines]
        self._parts = parts
        self._starts = [0, *accumulate(len(lines) for _, lines in parts)]

    def number(self, index: int) -> int:
        """The line's number in the document."""
        part = bisect_right(self._starts, index) - 1
        within = index - self._starts[part]
        return self._parts[part][0](within) if part < len(self._parts) else within

    def split_as_given(self) -> Iterator[list[str]]:
        """The lines as they are now, cut as they were."""
        at = 0
        for _, lines in self._parts:
            yield self.lines[at : at + len(lines)]
            at += len(lines)

    def put_back(self) -> None:
        """Into the lists from which the lines came."""
        for (_, lines), piece in zip(self._parts, list(self.split_as_given()), strict=True):
            lines[:] = piece
