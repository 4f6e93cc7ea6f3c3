"""How text stands on a terminal: language, width, colour, indents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.names import printable
from calivet.reports.labels import label
from calivet.reports.paint import Paint
from calivet.reports.punctuation import clauses, joined, listed, remarked, told
from calivet.reports.wrapping import cut, padded, shown, squeezed, width_of, wrapped

NARROWEST = 40
SEEN = 8
"""Letters by which the beginning of long words is found again in a line that was cut."""


class Layout:
    """The reader's language and terminal."""

    def __init__(self, language: str, width: int, *, colour: bool, verbose: bool = False) -> None:
        """Keep how to write."""
        self.language = language
        self.width = max(NARROWEST, width)
        self.paint = Paint(colour=colour)
        self.verbose = verbose

    def word(self, key: str, **values: object) -> str:
        """A fixed word in the reader's language."""
        return label(key, self.language, **values)

    def read(self, words: Words) -> str:
        """Words of the catalogue in the reader's language."""
        return words.read(self.language)

    def told(self, what: str, detail: str) -> str:
        """Something and, after a colon, what there is to tell of it."""
        return told(what, detail, self.language)

    def remarked(self, what: str, *remarks: str) -> str:
        """Something with remarks in brackets."""
        return remarked(what, remarks, self.language)

    def joined(self, *remarks: str) -> str:
        """This, that."""
        return joined(remarks, self.language)

    def listed(self, names: Iterable[str]) -> str:
        """One, two, three."""
        return listed(names, self.language)

    def clauses(self, items: Iterable[str]) -> str:
        """One; two; three."""
        return clauses(items, self.language)

    def indented(self, text: str, indent: int, *styles: str, hang: int = 0) -> Iterator[str]:
        """Wrapped lines; those after the first hang a little further in."""
        for number, line in enumerate(wrapped(text, self.width - indent - hang)):
            yield " " * (indent + (hang if number else 0)) + self.paint(line, *styles)

    def labelled(self, name: str, room: int, text: str, indent: int = 0) -> Iterator[str]:
        """Wrapped lines beside a name, which has this much room."""
        first, *rest = wrapped(text, self.width - indent - room)
        yield " " * indent + padded(name, room) + first
        yield from (" " * (indent + room) + line for line in rest)

    def marked(self, mark: str, style: str, text: str, indent: int) -> Iterator[str]:
        """Wrapped lines behind a coloured [mark]; those after the first stand a little further in, as quotes do."""
        first, *rest = wrapped(f"[{mark}] {text}", self.width - indent - 2)
        yield " " * indent + first.replace(f"[{mark}]", f"[{self.paint(mark, style)}]", 1)
        yield from (" " * (indent + 2) + line for line in rest)

    def section(self, key: str, lines: Iterable[str]) -> Iterator[str]:
        """A heading over lines, or nothing where there are none."""
        body = list(lines)
        if body:
            yield f"   {self.paint(self.word(key), 'bold', 'blue')}"
            yield from body

    def heading(self, key: str) -> Iterator[str]:
        """A heading of the report's second part."""
        yield ""
        yield self.paint(self.word(key), "bold")

    def command(self, run: str, indent: int = 8) -> Iterator[str]:
        """A command is never wrapped: it is there to be pasted."""
        return (" " * indent + self.paint(shown(line), "green") for line in run.splitlines())

    def quote(self, line: Line, indent: int, words: str = "") -> Iterator[str]:
        """A place and the line itself, or of a long one the part with the decisive words."""
        yield " " * indent + self.paint(place(line), "cyan")
        room = self.width - indent - 2
        text, decisive = shown(line.text), shown(words)
        if width_of(text) > room:
            text, decisive = squeezed(text), squeezed(decisive)
        before, found, after = _around(decisive, cut(text, room, decisive))
        yield " " * indent + self.paint(f"│ {before}", "dim") + self.paint(found, "bold") + self.paint(after, "dim")


def _around(words: str, text: str) -> tuple[str, str, str]:
    """What stands before the words, the words, and the rest; of long words perhaps only the beginning is left."""
    if words and words not in text and words[:SEEN] in text:
        start = text.index(words[:SEEN])
        return text[:start], text[start:-1], text[-1:]
    return text.partition(words) if words else (text, "", "")


def place(line: Line) -> str:
    """Where a line stands, in a form that editors open."""
    return f"{printable(line.artifact)}:{line.number}"
