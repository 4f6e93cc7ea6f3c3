"""The lines that claims point at, in their surroundings: document by document, each line once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.reports.html.claims import Claim, shown
from calivet.reports.html.marking import Piece, marked
from calivet.scene.scene import Quote

# A line that more claims point at leads back to the first of them.
MOST_BACK = 6


class Row(Struct, frozen=True):
    """A line of an excerpt."""

    id: str
    number: int
    pieces: list[Piece]
    claims: list[Claim]
    """Those that point at it; none for the lines around."""
    skipped: int
    """Lines of the document that are left out before it."""


class Excerpt(Struct, frozen=True):
    """What is shown of one document."""

    document: str
    rows: list[Row]

    @property
    def matters(self) -> bool:
        """Whether it holds more than what was set aside."""
        return any(not claim.aside for row in self.rows for claim in row.claims)


class Places:
    """Where on the page a line of the evidence stands."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        """Documents are numbered as the claims come to them."""
        self._claims: dict[str, dict[int, list[Claim]]] = {}
        for claim in claims:
            self._claims.setdefault(claim.line.artifact, {}).setdefault(claim.line.number, []).append(claim)
        self._numbers = {name: number for number, name in enumerate(self._claims, 1)}

    def anchor(self, line: Line) -> str | None:
        """The address on this page of a line that is shown because a claim points at it."""
        cited = line.number in self._claims.get(line.artifact, {})
        return f"#{self._id(line.artifact, line.number)}" if cited else None

    def excerpts(self, quotes: Mapping[tuple[str, int], Quote]) -> list[Excerpt]:
        """All that is shown; a line without a quote stands alone."""
        return [Excerpt(name, self._rows(name, _texts(name, cited, quotes))) for name, cited in self._claims.items()]

    def _rows(self, name: str, texts: dict[int, str]) -> list[Row]:
        rows: list[Row] = []
        before = min(texts) - 1
        for number, text in sorted(texts.items()):
            claims = self._claims[name].get(number, [])
            pieces = marked(text, (claim.words for claim in claims))
            rows.append(Row(self._id(name, number), number, pieces, claims[:MOST_BACK], number - before - 1))
            before = number
        return rows

    def _id(self, name: str, number: int) -> str:
        """Names of documents are hostile too, so their number stands for them."""
        return f"line-{self._numbers[name]}-{number}"


def _texts(name: str, cited: Mapping[int, list[Claim]], quotes: Mapping[tuple[str, int], Quote]) -> dict[int, str]:
    """The lines by number; where quotes overlap, a cited line is shown as it was cut for its own quote."""
    texts: dict[int, str] = {}
    for number, claims in cited.items():
        quote = quotes.get((name, number)) or Quote(number, [shown(claims[0])])
        for at, text in enumerate(quote.lines, quote.first):
            if at == number:
                texts[at] = text
            elif at not in cited:
                texts.setdefault(at, text)
    return texts
