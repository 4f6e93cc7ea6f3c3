"""How text stands on a terminal: language, width, colour, indents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Line
from calivet.messages.command_line import Command
from calivet.messages.message import Readable
from calivet.reports.layout.paint import Paint
from calivet.reports.layout.quoting import shape_quote
from calivet.reports.layout.wording import add_detail, add_remarks, join_clauses, join_names, join_remarks, label
from calivet.reports.layout.wrapping import break_text, clean_line, measure_painted, pad_text, wrap_text

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
