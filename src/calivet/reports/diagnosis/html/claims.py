"""Every claim of the page that points at a line, and the lines as the page shows them, which point back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.messages.message import Area
from calivet.reasoning.diagnosis import HEALTHY, Citation, Diagnosis, Explained, Finding, SetAside
from calivet.reports.diagnosis.html.page_model.model import Quote
from calivet.reports.layout.wrapping import cut_line, measure_width
from calivet.search.expressions import expression

word = Area("page")

# Of one effect; five thousand nodes that are not ready are told by their number.
MOST_SUBJECTS = 8
LONGEST_LINE = 320
"""Of a claim, in columns."""


class Claim(Struct, frozen=True):
    """Something said about a line."""

    id: str
    """Of its element on the page."""
    name: str
    """What the link back to it is called."""
    line: Line
    words: str = ""
    """The decisive ones."""
    aside: bool = False
    """It says only that the line does not matter."""


def cut_claim_line(claim: Claim) -> str:
    """The line of a claim, or of a long one the part with the decisive words."""
    return cut_line(claim.line.text, LONGEST_LINE, claim.words)


class ClaimedEvidence(Struct, frozen=True):
    """A piece of evidence and the claim that it makes."""

    evidence: Citation
    claim: Claim
    is_quoted: bool = True
    """The line itself follows: only the first of several claims about one line, so that it stands there once."""


class Effect(Struct, frozen=True):
    """An effect that a finding explains, where it was seen."""

    id: str
    title: str
    seen: list[tuple[str, Claim]]
    """The subject, or nothing where there is none, and the claim."""
    more: int
    """Subjects beyond those."""


class Aside(Struct, frozen=True):
    """A message that was set aside, and the claim that it is harmless."""

    message: SetAside
    claim: Claim


class Claims(Struct, frozen=True):
    """All of them; the lists of lists run beside the diagnosis' findings and candidates."""

    findings: list[list[ClaimedEvidence]]
    effects: list[list[Effect]]
    candidates: list[list[ClaimedEvidence]]
    """None where the cluster is healthy: what might be is then of no interest."""
    set_aside: list[Aside]

    def __iter__(self) -> Iterator[Claim]:
        """In the order of the page."""
        for told, effects in zip(self.findings, self.effects, strict=True):
            yield from (one.claim for one in told)
            yield from (claim for effect in effects for _, claim in effect.seen)
        yield from (one.claim for told in self.candidates for one in told)
        yield from (one.claim for one in self.set_aside)


def collect_claims(diagnosis: Diagnosis, language: str) -> Claims:
    """What the page claims."""
    maybe, aside = word("back.maybe", language), word("back.aside", language)
    doubts = diagnosis.candidates if diagnosis.verdict != HEALTHY else []
    return Claims(
        findings=[
            _list_evidence(finding.evidence, f"finding-{number}", str(number))
            for number, finding in enumerate(diagnosis.findings, 1)
        ],
        effects=[_list_effects(finding, number, language) for number, finding in enumerate(diagnosis.findings, 1)],
        candidates=[
            _list_evidence(candidate.evidence, f"candidate-{number}", f"{maybe} {number}")
            for number, candidate in enumerate(doubts, 1)
        ],
        set_aside=[
            Aside(message, Claim(f"aside-{number}", f"{aside} {number}", message.line, message.words, aside=True))
            for number, message in enumerate(diagnosis.set_aside, 1)
        ],
    )


def _list_evidence(evidence: list[Citation], owner: str, name: str) -> list[ClaimedEvidence]:
    """Claims about one line stand together; it is quoted once, but of a long one each shows its own part."""
    by_line: dict[Line, list[Citation]] = {}
    for one in evidence:
        by_line.setdefault(one.line, []).append(one)
    ordered = [(one, one is about[0] or _is_cut(one.line)) for about in by_line.values() for one in about]
    return [
        ClaimedEvidence(one, Claim(f"{owner}-evidence-{number}", f"{name}.{number}", one.line, one.words), is_quoted)
        for number, (one, is_quoted) in enumerate(ordered, 1)
    ]


def _is_cut(line: Line) -> bool:
    return measure_width(line.text) > LONGEST_LINE


def _list_effects(finding: Finding, number: int, language: str) -> list[Effect]:
    """By effect, each subject once."""
    seen: dict[str, dict[str, Explained]] = {}
    for item in finding.explains:
        seen.setdefault(item.effect, {}).setdefault(item.subject or "", item)
    return [
        _build_effect(f"finding-{number}-{name}", list(found.values()), number, language)
        for name, found in seen.items()
    ]


def _build_effect(owner: str, found: list[Explained], number: int, language: str) -> Effect:
    name = word("back.effect", language, number=number)
    first = [
        (item.subject or "", Claim(f"{owner}-{count}", name, item.line, item.subject or ""))
        for count, item in enumerate(found[:MOST_SUBJECTS], 1)
    ]
    return Effect(found[0].effect, found[0].title.read(language), first, len(found) - len(first))


# A line that more claims point at leads back to the first of them.
MOST_BACK = 6
SURE = 3
"""Words of this length are meant wherever they stand; shorter ones may be part of anything."""
TELLING = 20
"""So many letters of long words tell where they begin."""


class Row(Struct, frozen=True):
    """A line of an excerpt."""

    id: str
    number: int
    pieces: list[Piece]
    claims: list[Claim]
    """Those that point at it; none for the lines around."""
    skipped: int
    """Lines of the document that are left out before it."""

    @property
    def has_columns(self) -> bool:
        """Whether it is a row of a table."""
        return is_table_row("".join(piece.text for piece in self.pieces))


def is_table_row(text: str) -> bool:
    """Whether the line is in columns, as kubectl prints them, or calicoctl with bars between; no message at an end."""
    text = text.strip()
    if _FRAME.fullmatch(text):
        return True
    is_barred = text.startswith("| ") and text.endswith(" |")
    cells = text[1:-1].split("|") if is_barred else _GAP.split(text)
    return len(cells) >= (1 if is_barred else LEAST_CELLS) and max(map(len, cells)) <= LONGEST_CELL


_GAP = expression(r" {2,}|\t")
_FRAME = expression(r"\+(?:-+\+){2,40}")
LEAST_CELLS, LONGEST_CELL = 4, 60


class Excerpt(Struct, frozen=True):
    """What is shown of one document."""

    document: str
    rows: list[Row]

    @property
    def has_columns(self) -> bool:
        """Whether there are rows of a table: their columns tell only where they stand below one another."""
        return any(row.has_columns for row in self.rows)

    @property
    def matters(self) -> bool:
        """Whether it holds more than what was set aside."""
        return any(not claim.aside for row in self.rows for claim in row.claims)


class CitedLines:
    """Where on the page a line of the evidence stands."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        """Documents are numbered as the claims come to them."""
        self._claims: dict[str, dict[int, list[Claim]]] = {}
        for claim in claims:
            self._claims.setdefault(claim.line.artifact, {}).setdefault(claim.line.number, []).append(claim)
        self._numbers = {name: number for number, name in enumerate(self._claims, 1)}

    def find_anchor(self, line: Line) -> str | None:
        """The address on this page of a line that is shown because a claim points at it."""
        cited = line.number in self._claims.get(line.artifact, {})
        return f"#{self._make_id(line.artifact, line.number)}" if cited else None

    def list_excerpts(self, quotes: Mapping[tuple[str, int], Quote]) -> list[Excerpt]:
        """All that is shown; a line without a quote stands alone."""
        return [
            Excerpt(name, self._build_rows(name, _collect_texts(name, cited, quotes)))
            for name, cited in self._claims.items()
        ]

    def _build_rows(self, name: str, texts: dict[int, str]) -> list[Row]:
        rows: list[Row] = []
        before = min(texts) - 1
        for number, text in sorted(texts.items()):
            claims = self._claims[name].get(number, [])
            pieces = mark_words(text, (claim.words for claim in claims))
            rows.append(Row(self._make_id(name, number), number, pieces, claims[:MOST_BACK], number - before - 1))
            before = number
        return rows

    def _make_id(self, name: str, number: int) -> str:
        """Names of documents are hostile too, so their number stands for them."""
        return f"line-{self._numbers[name]}-{number}"


def _collect_texts(
    name: str, cited: Mapping[int, list[Claim]], quotes: Mapping[tuple[str, int], Quote]
) -> dict[int, str]:
    """The lines by number; where quotes overlap, a cited line is shown as it was cut for its own quote."""
    texts: dict[int, str] = {}
    for number, claims in cited.items():
        quote = quotes.get((name, number)) or Quote(number, [cut_claim_line(claims[0])])
        for at, text in enumerate(quote.lines, quote.first):
            if at == number:
                texts[at] = text
            elif at not in cited:
                texts.setdefault(at, text)
    return texts


class Piece(Struct, frozen=True):
    """A stretch of a line."""

    text: str
    decisive: bool = False


def mark_words(line: str, words: Iterable[str]) -> list[Piece]:
    """The line cut where the decisive words begin and end; words that overlap become one piece."""
    pieces: list[Piece] = []
    done = 0
    for start, end in _join_ranges(place for one in words if (place := _find_words(line, one))):
        if start > done:
            pieces.append(Piece(line[done:start]))
        pieces.append(Piece(line[start:end], decisive=True))
        done = end
    return [*pieces, Piece(line[done:])] if done < len(line) else pieces


def _join_ranges(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _find_words(line: str, words: str) -> tuple[int, int] | None:
    """Where they stand by themselves: the 8 of x8, not that of 2018; longer words also where a number goes on."""
    start = line.find(words) if words else -1
    first = start
    while start >= 0:
        end = start + len(words)
        if not _is_inside_number(line, start - 1, words[0]) and not _is_inside_number(line, end, words[-1]):
            return start, end
        start = line.find(words, start + 1)
    if first < 0:
        return _cut_off(line, words)
    return (first, _extend_number(line, first + len(words))) if len(words) >= SURE else None


def _extend_number(line: str, end: int) -> int:
    """The end of the number, where words stop within one: 243.8 of 243.80."""
    while end < len(line) and _is_inside_number(line, end, line[end - 1]):
        end += 1
    return end


def _cut_off(line: str, words: str) -> tuple[int, int] | None:
    """Long words of which a line shows only the beginning."""
    start = line.find(words[:TELLING]) if len(words) > TELLING and line.endswith("…") else -1
    return (start, len(line) - 1) if start >= 0 else None


def _is_inside_number(line: str, at: int, edge: str) -> bool:
    """Whether a number goes on beyond its edge."""
    return edge.isdigit() and 0 <= at < len(line) and line[at].isdigit()
