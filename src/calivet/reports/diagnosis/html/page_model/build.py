"""Builds the page's model: only asked for where a page is drawn, so it may look at everything again."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.pipeline import Examined
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reasoning.weigh import locate_line
from calivet.reports.diagnosis.html.page_model.model import PageModel, Quote
from calivet.reports.diagnosis.html.page_model.nodes import find_sessions, find_spots
from calivet.reports.diagnosis.html.page_model.timeline import build_timeline


def build_page_model(examined: Examined) -> PageModel:
    """The map shows the whole cluster; times and quotes are those of the nodes that were asked about."""
    whole = examined.picture.whole
    return PageModel(
        spots=find_spots(whole, examined.diagnosis.findings),
        sessions=find_sessions(whole),
        timeline=build_timeline(examined),
        quotes=quote_lines(examined.diagnosis, examined.picture),
    )


AROUND = 3
MOST = 300
LONGEST = 320
_CUT = "…"


def quote_lines(diagnosis: Diagnosis, picture: ClusterFacts) -> dict[tuple[str, int], Quote]:
    """By document and number of the line, what carries the most first, until there are enough."""
    quoted: dict[tuple[str, int], Quote] = {}
    for line, words in _list_cited_lines(diagnosis):
        if len(quoted) == MOST:
            break
        if locate_line(line) not in quoted and (quote := _quote(line, words, picture)):
            quoted[locate_line(line)] = quote
    return quoted


def _list_cited_lines(diagnosis: Diagnosis) -> Iterator[tuple[Line, str]]:
    """Every cited line with its decisive words."""
    for finding in diagnosis.findings:
        yield from ((item.line, item.words) for item in finding.evidence)
    for candidate in diagnosis.candidates:
        yield from ((item.line, item.words) for item in candidate.evidence)
    yield from ((item.line, item.words) for item in diagnosis.set_aside)
    for finding in diagnosis.findings:
        yield from ((item.line, "") for item in finding.explains)


def _quote(line: Line, words: str, picture: ClusterFacts) -> Quote | None:
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
