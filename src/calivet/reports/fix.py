"""A plan of `calivet fix`, on a terminal, as Markdown and as JSON. Fields may be added, never changed in meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from calivet import __version__
from calivet.contract.documents import encode_plainly
from calivet.fix.plan import Kind, Plan, PlannedStep
from calivet.messages.message import Area
from calivet.messages.words import Words
from calivet.reports.diagnosis.finding import write_aside, write_before
from calivet.reports.layout.markdown import escape_markup, fence_code, quote_inline
from calivet.reports.layout.terminal import RISK, Layout
from calivet.reports.layout.wording import add_detail, add_remarks, join_names, join_remarks, label
from calivet.reports.layout.wrapping import clean_line

VERSION = 1
_PAINT = {Kind.CHANGE: "green", Kind.DECIDE: "yellow", Kind.OPEN: "yellow", Kind.HAND: "yellow", Kind.LOOK: "dim"}

word = Area("fix")


def write_plans(plans: Sequence[Plan], layout: Layout) -> str:
    """All plans, for a terminal."""
    if not plans:
        return word("nothing", layout.language) + "\n"
    return "\n".join(line for plan in plans for line in (*_write_plan(plan, layout), ""))


def _write_plan(plan: Plan, layout: Layout) -> Iterator[str]:
    yield layout.paint(word("plan", layout.language, cause=plan.cause, title=layout.read(plan.title)), "bold")
    sure = word(f"certainty.{plan.certainty}", layout.language)
    nodes = [layout.add_detail(word("nodes", layout.language), layout.join_names(plan.nodes))] if plan.nodes else []
    yield from layout.indent(" · ".join([sure, *nodes]), 3)
    for step in plan.steps:
        yield from write_planned_step(step, layout)
    yield from layout.write_section("verify", _write_checks(plan, layout))
    yield from layout.indent(_summarize(plan, layout.language), 3)


def write_planned_step(planned: PlannedStep, layout: Layout) -> Iterator[str]:
    """One step: what, by whom, at which risk, and all of its commands."""
    step = planned.step
    why = layout.read(step.why)
    told = layout.add_detail(layout.read(step.do), why) if step.do else why
    yield from layout.indent(f"{planned.number}) {told}", 5, hang=3)
    kind = layout.paint(_describe_kind(planned, layout.language), _PAINT[planned.kind])
    risk = layout.paint(layout.say(step.risk), RISK[step.risk])
    yield f"        [{layout.join_remarks(kind, layout.say(step.where), risk)}]"
    yield from write_before(step, layout)
    yield from layout.write_command(step.run)
    if step.undo:
        yield from write_aside("undo", step.undo, layout)


def _describe_kind(planned: PlannedStep, language: str) -> str:
    said = word(f"kind.{planned.kind}", language, number=str(planned.number))
    if planned.kind is Kind.OPEN:
        options = " ".join(f"--set {gap}=VALUE" for gap in planned.gaps)
        return add_detail(said, word("open", language, options=options), language)
    return add_detail(said, planned.reason.read(language), language) if planned.reason else said


def _write_checks(plan: Plan, layout: Layout) -> Iterator[str]:
    for check in plan.verify:
        yield from layout.write_command(check.run)
        yield from layout.indent(layout.add_detail(layout.say("expect"), layout.read(check.expect)), 8)


def _summarize(plan: Plan, language: str) -> str:
    counts = Counter(step.kind for step in plan.steps)
    return word(
        "summary",
        language,
        changes=counts[Kind.CHANGE],
        decide=counts[Kind.DECIDE],
        open=counts[Kind.OPEN],
        hand=counts[Kind.HAND],
        look=counts[Kind.LOOK],
    )


def write_plans_markdown(plans: Sequence[Plan], language: str) -> str:
    """The same for a ticket."""
    if not plans:
        return word("nothing", language) + "\n"
    return "\n".join(line for plan in plans for line in _write_plan_markdown(plan, language)) + "\n"


def _write_plan_markdown(plan: Plan, language: str) -> Iterator[str]:
    yield f"## {word('plan', language, cause=plan.cause, title=escape_markup(plan.title.read(language)))}"
    nodes = f" · {escape_markup(join_names(plan.nodes, language))}" if plan.nodes else ""
    yield from ("", word(f"certainty.{plan.certainty}", language) + nodes, "")
    for planned in plan.steps:
        yield from _write_step_markdown(planned, language)
    if plan.verify:
        yield from ("", f"**{label('verify', language)}**", "")
        for check in plan.verify:
            yield f"- {quote_inline(clean_line(check.run))} → {escape_markup(check.expect.read(language))}"
    yield from ("", _summarize(plan, language), "")


def _write_step_markdown(planned: PlannedStep, language: str) -> Iterator[str]:
    step = planned.step
    why = step.why.read(language)
    told = add_detail(step.do.read(language), why, language) if step.do else why
    marks = [_describe_kind(planned, language), label(step.where, language), label(step.risk, language)]
    remark = escape_markup(join_remarks(marks, language))
    yield f"{planned.number}. {add_remarks(escape_markup(told), [remark], language)}"
    if step.interrupts:
        said = add_detail(label("interrupts", language), step.interrupts.read(language), language)
        yield from ("", f"   {escape_markup(said)}")
    precheck = step.precheck.run if step.precheck else ""
    for key, command in (("precheck", precheck), ("save", step.save), ("", step.run), ("undo", step.undo)):
        if command:
            yield from ("", f"   {label(key, language)}") if key else ()
            yield from fence_code(command, "   ")


def encode_plans(plans: Sequence[Plan], language: str) -> str:
    """One JSON document."""
    tree = {"schema": VERSION, "calivet": __version__, "plans": [encode_plan(plan, language) for plan in plans]}
    return encode_plainly(tree)


def encode_plan(plan: Plan, language: str) -> dict[str, Any]:
    """One plan, as a tree."""
    return {
        "cause": plan.cause,
        "title": plan.title.read(language),
        "certainty": plan.certainty,
        "confidence": round(plan.confidence, 3),
        "nodes": plan.nodes,
        "steps": [_encode_step(step, language) for step in plan.steps],
        "verify": [{"run": check.run, "expect": check.expect.read(language)} for check in plan.verify],
    }


def _encode_step(planned: PlannedStep, language: str) -> dict[str, Any]:
    def read(words: Words | None) -> str:
        return words.read(language) if words else ""

    step = planned.step
    return {
        "number": planned.number,
        "kind": planned.kind,
        "do": read(step.do),
        "why": read(step.why),
        "where": step.where,
        "risk": step.risk,
        "interrupts": read(step.interrupts),
        "precheck": step.precheck.run if step.precheck else "",
        "precheck_expect": read(step.precheck.expect) if step.precheck else "",
        "save": step.save,
        "run": step.run,
        "undo": step.undo,
        "missing": planned.gaps,
        "reason": planned.reason.read(language) if planned.reason else "",
        "parts": [
            {"node": part.node, "save": part.step.save, "run": part.step.run, "undo": part.step.undo}
            for part in planned.parts
        ],
    }
