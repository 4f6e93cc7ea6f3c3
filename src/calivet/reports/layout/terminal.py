"""How text stands on a terminal: language, width, colour, indents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TextIO

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Line
from calivet.messages.command_line import Command
from calivet.messages.message import Readable
from calivet.reports.layout.wording import add_detail, add_remarks, join_clauses, join_names, join_remarks, label
from calivet.reports.layout.wrapping import (
    HEAD,
    break_text,
    clean_line,
    cut_line,
    measure_painted,
    measure_width,
    pad_text,
    wrap_text,
)
from calivet.search.expressions import expression

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}

_CODE = f"(?:{'|'.join(_CODES.values())})"
OWN_CODES = expression(rf"(\x1b\[(?:0|{_CODE}(?:;{_CODE})*)m)")
"""What a painted text holds."""

STRENGTH = {"proof": "red", "strong": "yellow", "fair": "cyan", "weak": "dim", "against": "green"}
RISK = {"safe": "green", "disruptive": "yellow", "dangerous": "red"}
VERDICT = {"fault": "red", "healthy": "green", "insufficient": "yellow"}


class Paint:
    """Wraps text in colours, or leaves it as it is."""

    def __init__(self, *, colour: bool) -> None:
        """Say once whether to colour."""
        self._colour = colour

    def __call__(self, text: str, *styles: str) -> str:
        """The text in these styles."""
        if not self._colour or not styles or not text:
            return text
        return f"\033[{';'.join(_CODES[style] for style in styles)}m{text}\033[0m"


def is_colour_wanted(stream: TextIO, choice: str = "auto", environment: Mapping[str, str] = os.environ) -> bool:
    """As the reader says; else by the usual variables; else only on a terminal that knows colours."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("CLICOLOR_FORCE", "FORCE_COLOR")):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb" and environment.get("CLICOLOR") != "0"


WANTED, MOST = 2, 3
"""Rows for a line; the third only where shortening alone would lose words."""
_CUT_BY = 4
"""Columns by which a line is cut further while its rows, broken at blanks, are still too many."""
_BEGINNING = 8
"""Letters by which the beginning of words that go on below is found in a line."""
_WIDE_GAP = expression(r"\s{3,}")
_LONG_ID = expression(r"(?<![0-9a-f])(?:[0-9a-f]{24,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])")
_KEPT = 8
_STAMPED = 100
"""Letters at the head of a line, in which all who hand it on may have written when."""
_DATE_TIME = expression(r"\b\d{4}[-/](\d\d[-/]\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?!\d)")
_KLOG_HEAD = expression(r"\b([IWEF]\d{4} \d\d:\d\d:\d\d)\.\d{1,9} +\d{1,10} ")
_PATH = expression(r"(?<![\w.~…/-])((?:[a-z]{2,8}://[^\s/]+|/?[\w.@~-]+)/)(?:[\w.:@%~+…-]+/){2,}(?=[\w.:@%~+…-])")
_EMPTY_FIELD = expression(r""",? ?"[\w.]+":""(?=[,}])| \w+=(?:<nil>|""(?!\S))""")


def shape_quote(text: str, words: str, room: int) -> tuple[str, str]:
    """What is shown of a line, and its decisive words as they stand there."""
    shown, decisive = clean_line(text), clean_line(words).strip()
    shown = continue_line(shown, decisive)
    if measure_width(shown) > room:
        shown, decisive = squeeze_columns(shown), squeeze_columns(decisive)
    if not _fits(shown, room, WANTED):
        shown, decisive = shorten_ids(shown), shorten_ids(decisive)
    if not _fits(shown, room, WANTED):
        shown = _shorten_head(shown, decisive)
    for shorten in (drop_empty_fields, shorten_paths):
        if not _fits(shown, room, WANTED):
            shown = _shorten_around(shown, decisive, shorten)
    return _cut_to_rows(shown, decisive, room), decisive


def _fits(text: str, room: int, rows: int) -> bool:
    return measure_width(text) <= room * rows and len(break_text(text, room)) <= rows


def _shorten_head(text: str, words: str) -> str:
    """Times that a message itself names stay whole: it may be about them, as that of a certificate is."""
    end = min(_STAMPED, text.find(words)) if words in text else _STAMPED
    return shorten_times(text[:end]) + text[end:]


def _shorten_around(text: str, words: str, shorten: Callable[[str], str]) -> str:
    before, found, behind = text.partition(words) if words else (text, "", "")
    return shorten(before) + found + shorten(behind)


def _cut_to_rows(text: str, words: str, room: int) -> str:
    least = measure_cut(words)
    for width in range(room * MOST, max(least, room * WANTED), -_CUT_BY):
        shown = cut_line(text, width, words)
        if _fits(shown, room, MOST):
            return shown
    return cut_line(text, max(least, room * WANTED), words)


def measure_cut(words: str) -> int:
    """The width to which a line may be cut so that all of its decisive words are kept, and some before them."""
    return HEAD + measure_width(words) * 4 // 3 + 4


def continue_line(text: str, words: str) -> str:
    """With the decisive words that stand on the lines below it: a screen, or an author, broke the line."""
    if words in text:
        return text
    start = text.find(words[:_BEGINNING])
    if start >= 0 and "".join(words.split()).startswith("".join(text[start:].split())):
        return text[:start] + words
    return f"{text} … {words}"


def squeeze_columns(text: str) -> str:
    """The columns of a table moved together: their blanks take the room that the words need."""
    return _WIDE_GAP.sub("  ", text)


def shorten_ids(text: str) -> str:
    """Digests, UUIDs and ids of containers by their first letters, as programs themselves abbreviate them."""
    return _LONG_ID.sub(lambda found: f"{found[0][:_KEPT]}…", text)


def shorten_times(text: str) -> str:
    """A time without its year, fractions and zone; klog's without fractions and the number of the process."""
    return _KLOG_HEAD.sub(r"\1 ", _DATE_TIME.sub(r"\1 \2", text))


def drop_empty_fields(text: str) -> str:
    """Without the fields of a structured message that hold nothing."""
    return _EMPTY_FIELD.sub("", text)


def shorten_paths(text: str) -> str:
    """Of a long path or address its beginning and its last name."""
    return _PATH.sub(r"\1…/", text)


NARROWEST = 40
SEEN = 8
"""Letters by which the beginning of long words is found again in a line that was cut."""


class Layout:
    """The reader's language and terminal."""

    def __init__(self, language: str, width: int, *, colour: bool, verbose: bool = False, brief: bool = False) -> None:
        """Keep how to write."""
        self.language = language
        self.width = max(NARROWEST, width)
        self.paint = Paint(colour=colour)
        self.verbose = verbose
        self.brief = brief

    def say(self, key: str, **values: object) -> str:
        """A fixed word in the reader's language."""
        return label(key, self.language, **values)

    def read(self, words: Readable) -> str:
        """Words or a message in the reader's language."""
        return words.read(self.language)

    def add_detail(self, what: str, detail: str) -> str:
        """Something and, after a colon, what there is to tell of it."""
        return add_detail(what, detail, self.language)

    def add_remarks(self, what: str, *remarks: str) -> str:
        """Something with remarks in brackets."""
        return add_remarks(what, remarks, self.language)

    def join_remarks(self, *remarks: str) -> str:
        """This, that."""
        return join_remarks(remarks, self.language)

    def join_names(self, names: Iterable[str]) -> str:
        """One, two, three."""
        return join_names(names, self.language)

    def join_clauses(self, items: Iterable[str]) -> str:
        """One; two; three."""
        return join_clauses(items, self.language)

    def indent(self, text: str, indent: int, *styles: str, hang: int = 0) -> Iterator[str]:
        """Wrapped lines; those after the first hang a little further in."""
        for number, line in enumerate(wrap_text(text, self.width - indent - hang)):
            yield " " * (indent + (hang if number else 0)) + self.paint(line, *styles)

    def label_lines(self, name: str, room: int, text: str, indent: int = 0) -> Iterator[str]:
        """Wrapped lines beside a name, which has this much room."""
        first, *rest = wrap_text(text, self.width - indent - room)
        yield " " * indent + pad_text(name, room) + first
        yield from (" " * (indent + room) + line for line in rest)

    def mark_lines(self, mark: str, style: str, text: str, indent: int) -> Iterator[str]:
        """Wrapped lines behind a coloured [mark]; those after the first stand a little further in, as quotes do."""
        first, *rest = wrap_text(f"[{mark}] {text}", self.width - indent - 2)
        yield " " * indent + first.replace(f"[{mark}]", f"[{self.paint(mark, style)}]", 1)
        yield from (" " * (indent + 2) + line for line in rest)

    def count_rows(self, lines: Iterable[str]) -> int:
        """Rows that the lines take on this terminal, which wraps what is wider than itself."""
        return sum(max(1, -(-measure_painted(line) // self.width)) for line in lines)

    def write_section(self, key: str, lines: Iterable[str]) -> Iterator[str]:
        """A heading over lines, or nothing where there are none."""
        body = list(lines)
        if body:
            yield f"   {self.paint(self.say(key), 'bold', 'blue')}"
            yield from body

    def write_heading(self, key: str) -> Iterator[str]:
        """A heading of the report's second part."""
        yield ""
        yield self.paint(self.say(key), "bold")

    def write_command(self, run: Command, indent: int = 8) -> Iterator[str]:
        """A command is never wrapped: it is there to be pasted."""
        return (" " * indent + self.paint(clean_line(line), "green") for line in run.splitlines())

    def quote(self, line: Line, indent: int, words: str = "") -> Iterator[str]:
        """A place and the line itself."""
        yield " " * indent + self.paint(name_place(line), "cyan")
        yield from self.quote_text(line, indent, words)

    def quote_text(self, line: Line, indent: int, words: str = "") -> Iterator[str]:
        """The line, or of a long one the part with the decisive words."""
        room = self.width - indent - 2
        shown, decisive = shape_quote(line.text, words, room)
        before, found, _ = _split_around(decisive, shown)
        at = 0
        for piece in break_text(shown, room):
            parts = _split_at(piece.rstrip(), len(before) - at, len(before) + len(found) - at)
            at += len(piece)
            painted = (self.paint(part, style) for part, style in zip(parts, ("dim", "bold", "dim"), strict=True))
            yield " " * indent + self.paint("│ ", "dim") + "".join(painted)


def _split_around(words: str, text: str) -> tuple[str, str, str]:
    """What stands before the words, the words, and the rest; of long words perhaps only the beginning is left."""
    if words and words not in text and words[:SEEN] in text:
        start = text.index(words[:SEEN])
        return text[:start], text[start:-1], text[-1:]
    return text.partition(words) if words else (text, "", "")


def _split_at(text: str, first: int, last: int) -> tuple[str, str, str]:
    """What stands before, between and behind two places, which may lie outside."""
    first, last = (max(0, min(place, len(text))) for place in (first, last))
    return text[:first], text[first:last], text[last:]


def name_place(line: Line) -> str:
    """Where a line stands, in a form that editors open."""
    return f"{make_printable(line.artifact)}:{line.number}"
