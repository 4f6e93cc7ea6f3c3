"""How text stands on a terminal: language, width, colour, indents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.names import printable
from calivet.reports.labels import label
from calivet.reports.paint import Paint
from calivet.reports.wrapping import cut, wrapped

NARROWEST = 40


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

    def indented(self, text: str, indent: int, *styles: str, hang: int = 0) -> Iterator[str]:
        """Wrapped lines; those after the first hang a little further in."""
        for number, line in enumerate(wrapped(text, self.width - indent - hang)):
            yield " " * (indent + (hang if number else 0)) + self.paint(line, *styles)

    def marked(self, mark: str, style: str, text: str, indent: int) -> Iterator[str]:
        """Wrapped lines behind a coloured [mark]."""
        first, *rest = wrapped(f"[{mark}] {text}", self.width - indent)
        yield " " * indent + first.replace(f"[{mark}]", f"[{self.paint(mark, style)}]", 1)
        yield from (" " * indent + line for line in rest)

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
        return (" " * indent + self.paint(line, "green") for line in run.splitlines())

    def quote(self, line: Line, indent: int, words: str = "") -> Iterator[str]:
        """A place and the line itself, or of a long one the part with the decisive words."""
        yield " " * indent + self.paint(place(line), "cyan")
        yield " " * indent + self.paint("│ " + cut(line.text, self.width - indent - 2, words), "dim")


def place(line: Line) -> str:
    """Where a line stands, in a form that editors open."""
    return f"{printable(line.artifact)}:{line.number}"
