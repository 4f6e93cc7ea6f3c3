"""What a preflight found, on a terminal: each node, what fails first and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.words import Words
from calivet.evidence.names import printable
from calivet.preflight.examine import Answer, Examined, Preflight
from calivet.preflight.requirement import Outcome
from calivet.reports.layout import Layout, place
from calivet.reports.reasons import reason
from calivet.reports.text_finding import fix_lines

_MARKS = {Outcome.FAIL: ("✗", "red"), Outcome.PASS: ("✓", "green"), Outcome.UNCHECKED: ("·", "yellow")}

SUMMARY = Words(
    "{fail} fail, {pass} pass, {unchecked} not checked", "{fail} 项不通过，{pass} 项通过，{unchecked} 项未检查"
)
PASSED = Words("{count} pass: {titles}", "{count} 项通过：{titles}")
NOT_CHECKED = Words("not checked", "未检查")
NO_PROBE = Words(
    "nothing could be checked: no probe of a node is in the evidence", "没有可检查的内容：证据中没有节点的探测输出"
)


def preflight_text(found: Preflight, layout: Layout) -> str:
    """The whole report."""
    lines = [line for node in found.nodes for line in _node(node, layout)]
    if not found.nodes:
        lines.append(layout.paint(layout.read(NO_PROBE), "yellow"))
    for item in found.unreadable:
        text = f"{layout.word('unreadable')}: {printable(item.what)}: {reason(item.why, layout.language)}"
        lines += layout.indented(text, 0, "yellow")
    return "\n".join(lines) + "\n"


def _node(node: Examined, layout: Layout) -> Iterator[str]:
    counts = {outcome: node.of(outcome) for outcome in Outcome}
    worst = next(outcome for outcome in (Outcome.FAIL, Outcome.PASS, Outcome.UNCHECKED) if counts[outcome])
    figures = {
        "fail": str(len(counts[Outcome.FAIL])),
        "pass": str(len(counts[Outcome.PASS])),
        "unchecked": str(len(counts[Outcome.UNCHECKED])),
    }
    says = layout.read(SUMMARY.fill(figures))
    yield f"{layout.paint(printable(node.host), 'bold')}: {layout.paint(says, _MARKS[worst][1])}"
    for answer in counts[Outcome.FAIL]:
        yield ""
        yield from _failed(answer, layout)
    yield ""
    yield from _passed(counts[Outcome.PASS], layout)
    yield from _unchecked(counts[Outcome.UNCHECKED], layout)
    yield ""


def _failed(answer: Answer, layout: Layout) -> Iterator[str]:
    says = f": {layout.read(answer.says)}" if answer.says else ""
    yield from _marked(Outcome.FAIL, f"{layout.read(answer.title)}{says}", layout)
    if answer.line:
        yield from layout.quote(answer.line, 5)
    if answer.fix:
        yield f"   {layout.paint(layout.word('fix'), 'bold', 'blue')} ({answer.cause.id})"
        yield from fix_lines(answer.fix, layout)
    else:
        yield from layout.command(f"calivet explain {answer.cause.id}", 5)


def _passed(answers: list[Answer], layout: Layout) -> Iterator[str]:
    """One line for all of them; one for each where all is to be shown."""
    if layout.verbose:
        for answer in answers:
            where = f" · {place(answer.line)}" if answer.line else ""
            yield from _marked(Outcome.PASS, layout.read(answer.title) + where, layout)
    elif answers:
        titles = ", ".join(layout.read(answer.title) for answer in answers)
        told = PASSED.fill({"count": str(len(answers)), "titles": titles})
        yield from _marked(Outcome.PASS, layout.read(told), layout)


def _unchecked(answers: list[Answer], layout: Layout) -> Iterator[str]:
    """What could not be checked for one and the same reason stands in one line."""
    reasons: dict[str, list[str]] = {}
    for answer in answers:
        reasons.setdefault(layout.read(answer.says) if answer.says else "?", []).append(layout.read(answer.title))
    for why, titles in reasons.items():
        yield from _marked(Outcome.UNCHECKED, f"{layout.read(NOT_CHECKED)}, {why}: {', '.join(titles)}", layout)


def _marked(outcome: Outcome, text: str, layout: Layout) -> Iterator[str]:
    mark, colour = _MARKS[outcome]
    first, *rest = layout.indented(text, 0, hang=2)
    yield f"{layout.paint(mark, colour)} {first}"
    yield from rest
