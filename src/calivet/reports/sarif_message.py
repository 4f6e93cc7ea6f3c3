"""What a result of SARIF says: the summary, the chain and the fix, in plain text."""

from __future__ import annotations

from collections.abc import Mapping

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression
from calivet.reasoning.diagnosis import Candidate, Finding
from calivet.reports.labels import percent
from calivet.reports.layout import Layout
from calivet.reports.text_finding import fix_lines
from calivet.reports.wrapping import cut, shown

WIDTH = 120
LONGEST_SENTENCE = 1_000
_LINK = expression(r"\[(?=[^\[\]]*\]\()")
_PLACE = expression(r"\{(\d+)\}")


def finding_message(finding: Finding, titles: Mapping[str, Words], language: str) -> dict[str, str]:
    """The summary first: many readers show no more than one line."""
    layout = Layout(language, WIDTH, colour=False)
    lines = [cut(shown(layout.read(finding.summary)), LONGEST_SENTENCE)]
    if len(finding.chain) > 1:
        lines += ["", layout.told(layout.word("chain"), " → ".join(layout.read(titles[one]) for one in finding.chain))]
    if finding.fix:
        lines += ["", layout.word("fix"), *(line.removeprefix("     ") for line in fix_lines(finding.fix, layout))]
    return {"text": literal("\n".join(map(shown, lines)))}


def open_message(candidate: Candidate, language: str) -> dict[str, str]:
    """The title and how likely it is."""
    layout = Layout(language, WIDTH, colour=False)
    sure = layout.word("confidence", percent=percent(candidate.confidence))
    return {"text": literal(layout.remarked(layout.read(candidate.cause.title), sure))}


def sentence(text: str) -> str:
    """One line of words, no longer than anybody reads."""
    return literal(cut(shown(text), LONGEST_SENTENCE))


def literal(text: str) -> str:
    """A text in which nothing is a link or a place to fill; other brackets stay as they are, so that commands do."""
    return _PLACE.sub(r"{{\1}}", _LINK.sub(r"\\[", text))
