"""A finding on a terminal: cause, evidence, chain, what it explains, fix, check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.catalogue.model import Step
from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.reasoning.diagnosis import Evidence, Finding
from calivet.reports.labels import percent
from calivet.reports.layout import Layout
from calivet.reports.paint import RISK, STRENGTH
from calivet.reports.wrapping import flowed, shown

SHOWN = 6


def finding_lines(number: int, finding: Finding, titles: dict[str, Words], layout: Layout) -> Iterator[str]:
    """All of one finding."""
    yield from layout.indented(f"{number}. {layout.read(finding.cause.title)}", 0, "bold", hang=3)
    yield from layout.indented(_facts(finding, layout), 3, "dim")
    yield from layout.indented(layout.read(finding.summary), 3)
    yield from layout.section("evidence", _evidence(finding.evidence, layout))
    yield from layout.section("chain", _chain(finding, titles, layout))
    yield from layout.section("explains", _explains(finding, titles, layout))
    yield from layout.section("fix", fix_lines(finding.fix, layout))
    yield from layout.section("verify", _verify(finding, layout))


def _facts(finding: Finding, layout: Layout) -> str:
    facts = [finding.cause.id, layout.word("confidence", percent=percent(finding.confidence))]
    facts += [layout.listed(finding.nodes)] if finding.nodes else []
    facts += [layout.word("repaired")] if finding.later_healthy else []
    return " · ".join(facts)


def _evidence(evidence: list[Evidence], layout: Layout) -> Iterator[str]:
    """Claims that rest on the same line stand together over it."""
    claims: dict[Line, list[Evidence]] = {}
    for item in evidence:
        claims.setdefault(item.line, []).append(item)
    for line, items in claims.items():
        for item in items:
            yield from layout.marked(layout.word(item.strength), STRENGTH[item.strength], _claim(item, layout), 5)
        yield from layout.quote(line, 7, items[0].words)


def _claim(item: Evidence, layout: Layout) -> str:
    says = layout.read(item.says)
    times = layout.word("times", count=item.count)
    remarks = [times] if item.count > 1 and times not in says else []
    remarks += [layout.word("note")] if item.note else []
    return layout.remarked(says, *remarks)


def _chain(finding: Finding, titles: dict[str, Words], layout: Layout) -> Iterator[str]:
    """From cause to symptom; a cause that is seen as such, an effect of the same name, is one step."""
    steps = list(dict.fromkeys(layout.read(titles[step]) for step in finding.chain))
    if len(steps) > 1:
        yield from (f"     {line}" for line in flowed(steps, "→", layout.width - 5))


def _explains(finding: Finding, titles: dict[str, Words], layout: Layout) -> Iterator[str]:
    subjects: dict[str, list[str]] = {}
    for item in finding.explains:
        subjects.setdefault(layout.read(item.title), []).extend([item.subject] if item.subject else [])
    for title, names in subjects.items():
        unique = list(dict.fromkeys(names))
        more = f" (+{len(unique) - SHOWN})" if len(unique) > SHOWN else ""
        text = layout.told(title, layout.listed(unique[:SHOWN]) + more) if unique else title
        yield from layout.indented(f"- {text}", 5, hang=2)
    for name in finding.consequences:
        yield from layout.indented(f"- {layout.remarked(layout.read(titles[name]), name)}", 5, hang=2)


def fix_lines(steps: Sequence[Step], layout: Layout) -> Iterator[str]:
    """The steps of a fix, each with where to take it and what it risks."""
    for number, step in enumerate(steps, 1):
        risk = layout.paint(layout.word(step.risk), RISK[step.risk])
        yield from layout.indented(f"{number}) {layout.read(step.why)}", 5, hang=3)
        yield f"        [{layout.joined(layout.word(step.where), risk)}]"
        yield from layout.command(step.run)
        if step.undo:
            yield f"        {layout.paint(layout.told(layout.word('undo'), shown(step.undo)), 'dim')}"


def _verify(finding: Finding, layout: Layout) -> Iterator[str]:
    for check in finding.verify:
        yield from layout.command(check.run)
        yield from layout.indented(layout.told(layout.word("expect"), layout.read(check.expect)), 8)
