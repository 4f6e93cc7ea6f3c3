"""The lines around every line that is cited."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.picture import Picture
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reasoning.weigh import place
from calivet.scene.scene import Quote

AROUND = 3
MOST = 300
LONGEST = 320
_CUT = "…"


def quotes(diagnosis: Diagnosis, picture: Picture) -> dict[tuple[str, int], Quote]:
    """By document and number of the line, what carries the most first, until there are enough."""
    quoted: dict[tuple[str, int], Quote] = {}
    for line, words in _cited(diagnosis):
        if len(quoted) == MOST:
            break
        if place(line) not in quoted and (quote := _quote(line, words, picture)):
            quoted[place(line)] = quote
    return quoted


def _cited(diagnosis: Diagnosis) -> Iterator[tuple[Line, str]]:
    """Every cited line with its decisive words."""
    for finding in diagnosis.findings:
        yield from ((item.line, item.words) for item in finding.evidence)
    for candidate in diagnosis.candidates:
        yield from ((item.line, item.words) for item in candidate.evidence)
    yield from ((item.line, item.words) for item in diagnosis.set_aside)
    for finding in diagnosis.findings:
        yield from ((item.line, "") for item in finding.explains)


def _quote(line: Line, words: str, picture: Picture) -> Quote | None:
    artifact = picture.artifact(line)
    if artifact is None:
        return None
    index = artifact.index(line.number)
    near = range(max(0, index - AROUND), min(len(artifact.lines), index + AROUND + 1))
    # Of a log that was too long to keep, the lines beside it may be from elsewhere.
    shown = [other for other in near if artifact.number(other) - line.number == other - index]
    return Quote(artifact.number(shown[0]), [_cut(artifact.lines[one], words if one == index else "") for one in shown])


def _cut(text: str, words: str) -> str:
    """A long line is cut around its decisive words, and they too where they are longer than that."""
    text = text.rstrip()
    if len(text) <= LONGEST:
        return text
    found = max(0, text.find(words))
    start = max(0, min(found - (LONGEST - min(len(words), LONGEST)) // 2, len(text) - LONGEST))
    stop = start + LONGEST
    return f"{_CUT if start else ''}{text[start:stop]}{_CUT if stop < len(text) else ''}"
