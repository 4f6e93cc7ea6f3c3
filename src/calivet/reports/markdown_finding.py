"""A finding for a ticket: what it is and the best of its evidence, what to do, how to see that it worked."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Diagnosis, Evidence, Finding
from calivet.reports.labels import label, percent
from calivet.reports.markdown_text import code, folded, plain, quoted
from calivet.reports.punctuation import clauses, joined, listed, remarked, told
from calivet.reports.wrapping import cut, shown

SHOWN_LINES = 3
"""Lines of evidence that stand open; the others are folded."""
SHOWN_NODES = 8
LONGEST_QUOTE = 300


def finding_lines(number: int, finding: Finding, diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """All but the weaker evidence."""
    yield f"### {number}. {finding.cause.title.read(language)}"
    yield from ("", _facts(finding, language), "", plain(finding.summary.read(language)), "")
    yield from _evidence(_by_line(finding)[:SHOWN_LINES], language)
    if len(finding.chain) > 1:
        steps = " → ".join(diagnosis.titles[step].read(language) for step in finding.chain)
        yield from (told(f"**{label('chain', language)}**", steps, language), "")
    yield from _fix(finding, language)
    yield from _verify(finding, language)


def weaker_evidence(finding: Finding, language: str) -> Iterator[str]:
    """What else speaks for the finding, folded."""
    rest = _by_line(finding)[SHOWN_LINES:]
    title = label("md.weaker", language, title=finding.cause.title.read(language))
    return folded(title, (line for claims in rest for line in _claims(claims, language)))


def place(line: Line) -> str:
    """Where a line stands, between backticks."""
    return quoted(f"{cut(printable(line.artifact), LONGEST_QUOTE)}:{line.number}")


def _facts(finding: Finding, language: str) -> str:
    facts = [f"`{finding.cause.id}`", label("confidence", language, percent=percent(finding.confidence))]
    if finding.nodes:
        more = f" (+{len(finding.nodes) - SHOWN_NODES:,})" if len(finding.nodes) > SHOWN_NODES else ""
        facts.append(plain(listed(finding.nodes[:SHOWN_NODES], language)) + more)
    facts += [label("repaired", language)] if finding.later_healthy else []
    return " · ".join(facts)


def _by_line(finding: Finding) -> list[list[Evidence]]:
    """Claims that rest on the same line stand together over it."""
    claims: dict[Line, list[Evidence]] = {}
    for item in finding.evidence:
        claims.setdefault(item.line, []).append(item)
    return list(claims.values())


def _evidence(lines: list[list[Evidence]], language: str) -> Iterator[str]:
    if lines:
        yield from (f"**{label('evidence', language)}**", "")
        yield from (line for claims in lines for line in _claims(claims, language))
        yield ""


def _claims(claims: list[Evidence], language: str) -> Iterator[str]:
    said = [told(f"*{label(item.strength, language)}*", plain(_says(item, language)), language) for item in claims]
    line = claims[0].line
    yield f"- {remarked(clauses(said, language), [place(line)], language)}"
    yield from code(cut(shown(line.text), LONGEST_QUOTE, claims[0].words), "  ")


def _says(item: Evidence, language: str) -> str:
    times = label("times", language, count=item.count)
    says = item.says.read(language)
    remarks = [times] if item.count > 1 and times not in says else []
    remarks += [label("note", language)] if item.note else []
    return remarked(says, remarks, language)


def _fix(finding: Finding, language: str) -> Iterator[str]:
    if not finding.fix:
        return
    yield from (f"**{label('fix', language)}**", "")
    for count, step in enumerate(finding.fix, 1):
        where = joined([label(step.where, language), label(step.risk, language)], language)
        yield f"{count}. {remarked(plain(step.why.read(language)), [where], language)}"
        yield from code(step.run, "   ")
        if step.undo:
            yield f"   {told(label('undo', language), quoted(step.undo), language)}"
    yield ""


def _verify(finding: Finding, language: str) -> Iterator[str]:
    if finding.verify:
        yield from (f"**{label('verify', language)}**", "")
        yield from (f"- {quoted(check.run)} → {plain(check.expect.read(language))}" for check in finding.verify)
        yield ""
