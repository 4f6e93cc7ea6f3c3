"""What a preflight found, on a terminal and as JSON. Its fields may be added, never changed in meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calivet import __version__
from calivet.contract.documents import encode_plainly
from calivet.evidence.archives.member_names import make_printable
from calivet.messages.command_line import build_command
from calivet.messages.message import Area
from calivet.preflight.examine import Answer, NodeResult, Preflight
from calivet.preflight.requirement import Outcome
from calivet.reports.diagnosis.finding import write_fix
from calivet.reports.layout.terminal import Layout, name_place

_MARKS = {Outcome.FAIL: ("✗", "red"), Outcome.PASS: ("✓", "green"), Outcome.UNCHECKED: ("·", "yellow")}

word = Area("preflight")


def write_preflight(found: Preflight, layout: Layout) -> str:
    """The whole report."""
    lines = [line for node in found.nodes for line in _write_node(node, layout)]
    if not found.nodes:
        lines.append(layout.paint(word("no_probe", layout.language), "yellow"))
    for item in found.unreadable:
        text = f"{layout.say('unreadable')}: {make_printable(item.what)}: {layout.read(item.why)}"
        lines += layout.indent(text, 0, "yellow")
    return "\n".join(lines) + "\n"


def _write_node(node: NodeResult, layout: Layout) -> Iterator[str]:
    counts = {outcome: node.of(outcome) for outcome in Outcome}
    worst = next(outcome for outcome in (Outcome.FAIL, Outcome.PASS, Outcome.UNCHECKED) if counts[outcome])
    figures = {
        "fail": str(len(counts[Outcome.FAIL])),
        "pass": str(len(counts[Outcome.PASS])),
        "unchecked": str(len(counts[Outcome.UNCHECKED])),
    }
    says = word("summary", layout.language, **figures)
    yield f"{layout.paint(make_printable(node.host), 'bold')}: {layout.paint(says, _MARKS[worst][1])}"
    for answer in counts[Outcome.FAIL]:
        yield ""
        yield from _write_failed(answer, layout)
    yield ""
    yield from _write_passed(counts[Outcome.PASS], layout)
    yield from _write_unchecked(counts[Outcome.UNCHECKED], layout)
    yield ""


def _write_failed(answer: Answer, layout: Layout) -> Iterator[str]:
    says = f": {layout.read(answer.says)}" if answer.says else ""
    yield from _write_marked(Outcome.FAIL, f"{layout.read(answer.title)}{says}", layout)
    if answer.line:
        yield from layout.quote(answer.line, 5)
    if answer.fix:
        yield f"   {layout.paint(layout.say('fix'), 'bold', 'blue')} ({answer.cause.id})"
        yield from write_fix(answer.fix, layout)
    else:
        yield from layout.write_command(build_command("explain", name=answer.cause.id), 5)


def _write_passed(answers: list[Answer], layout: Layout) -> Iterator[str]:
    """One line for all of them; one for each where all is to be shown."""
    if layout.verbose:
        for answer in answers:
            where = f" · {name_place(answer.line)}" if answer.line else ""
            yield from _write_marked(Outcome.PASS, layout.read(answer.title) + where, layout)
    elif answers:
        titles = layout.join_names(layout.read(answer.title) for answer in answers)
        told = word("passed", layout.language, count=len(answers), titles=titles)
        yield from _write_marked(Outcome.PASS, told, layout)


def _write_unchecked(answers: list[Answer], layout: Layout) -> Iterator[str]:
    """What could not be checked for one and the same reason stands in one line."""
    reasons: dict[str, list[str]] = {}
    for answer in answers:
        reasons.setdefault(layout.read(answer.says) if answer.says else "?", []).append(layout.read(answer.title))
    for why, titles in reasons.items():
        told = layout.join_remarks(word("not_checked", layout.language), why)
        yield from _write_marked(Outcome.UNCHECKED, layout.add_detail(told, layout.join_names(titles)), layout)


def _write_marked(outcome: Outcome, text: str, layout: Layout) -> Iterator[str]:
    mark, colour = _MARKS[outcome]
    first, *rest = layout.indent(text, 0, hang=2)
    yield f"{layout.paint(mark, colour)} {first}"
    yield from rest


VERSION = 1


def encode_preflight(found: Preflight, language: str) -> str:
    """One JSON document."""
    tree = {
        "schema": VERSION,
        "calivet": __version__,
        "nodes": [
            {"node": node.host, "checks": [_encode_check(answer, language) for answer in node.answers]}
            for node in found.nodes
        ],
        "not_seen": [{"what": item.what, "why": item.why.read(language)} for item in found.unreadable],
    }
    return encode_plainly(tree)


def _encode_check(answer: Answer, language: str) -> dict[str, Any]:
    line = answer.line
    shown = {"artifact": make_printable(line.artifact), "line": line.number, "text": line.text} if line else {}
    return {
        "id": answer.id,
        "title": answer.title.read(language),
        "outcome": answer.outcome,
        "says": answer.says.read(language) if answer.says else "",
        "cause": answer.cause.id,
        **shown,
        "fix": [
            {"run": step.run, "why": step.why.read(language), "where": step.where, "risk": step.risk}
            for step in answer.fix
        ],
    }
