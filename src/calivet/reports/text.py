"""The answer on a terminal: components, findings, then what was set aside, not seen, and what to look at next."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.layout import Layout, place
from calivet.reports.paint import VERDICT
from calivet.reports.reasons import reason
from calivet.reports.text_finding import SHOWN, finding_lines
from calivet.reports.wrapping import padded, width_of, wrapped

_MARK = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}


def to_text(diagnosis: Diagnosis, layout: Layout) -> str:
    """The whole report."""
    parts = (_components, _verdict, _findings, _candidates, _contrast, _next, _set_aside, _not_seen, _sources)
    return "\n".join(line for part in parts for line in part(diagnosis, layout)) + "\n"


def _components(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    names = [layout.read(component.name) for component in diagnosis.components]
    room = max(width_of(name) for name in names) + 2
    for name, component in zip(names, diagnosis.components, strict=True):
        mark, colour = _MARK[component.good]
        first, *rest = wrapped(layout.read(component.state), layout.width - room - 3)
        yield f" {layout.paint(mark, colour)} {layout.paint(padded(name, room), 'bold')}{first}"
        yield from (" " * (room + 3) + line for line in rest)
    yield ""


def _verdict(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    count = len(diagnosis.findings)
    if count:
        detail = layout.word("fault.one") if count == 1 else layout.word("fault.many", count=count)
    elif diagnosis.verdict == "healthy":
        detail = layout.word("healthy.line")
    else:
        detail = layout.word("insufficient.some" if diagnosis.candidates else "insufficient.none")
    word = layout.word(diagnosis.verdict)
    first, *rest = wrapped(f"{word}  {detail}", layout.width)
    yield first.replace(word, layout.paint(word, "bold", VERDICT[diagnosis.verdict]), 1)
    yield from rest


def _findings(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    for number, finding in enumerate(diagnosis.findings, 1):
        yield ""
        yield from finding_lines(number, finding, diagnosis.titles, layout)


def _candidates(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not diagnosis.candidates or (diagnosis.findings and not layout.verbose) or diagnosis.verdict == "healthy":
        return
    yield from layout.heading("candidates")
    for candidate in diagnosis.candidates:
        sure = f"{candidate.cause.id}, {round(candidate.confidence * 100)} %"
        yield from layout.indented(f"- {layout.read(candidate.cause.title)} ({sure})", 3, hang=2)
        for item in candidate.evidence[:2]:
            yield from layout.indented(f"{layout.read(item.says)} · {place(item.line)}", 5, "dim")


def _contrast(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.contrast:
        yield from layout.heading("contrast")
    for item in diagnosis.contrast:
        sick = ", ".join(f"{node} {value}" for node, value in list(item.sick.items())[:SHOWN])
        well = ", ".join(f"{node} {value}" for node, value in list(item.healthy.items())[:SHOWN])
        text = f"- {item.fact}: {layout.word('sick')} {sick}; {layout.word('well')} {well}"
        yield from layout.indented(text, 3, hang=2)


def _next(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.next:
        yield from layout.heading("next")
    for number, item in enumerate(diagnosis.next, 1):
        yield f"   {number}) {layout.paint(item.run, 'green')}"
        yield from layout.indented(layout.read(item.why), 6)


def _set_aside(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.set_aside:
        yield from layout.heading("set_aside")
    shown = diagnosis.set_aside if layout.verbose else diagnosis.set_aside[:SHOWN]
    for item in shown:
        yield from layout.quote(item.line, 3, item.words)
        count = f" ({layout.word('times', count=item.count)})" if item.count > 1 else ""
        yield from layout.indented(layout.read(item.why) + count, 5)
    if more := len(diagnosis.set_aside) - len(shown):
        yield f"   {layout.word('more', count=more)}"


def _not_seen(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    missing = ", ".join(layout.read(item.what) for item in diagnosis.not_seen)
    if missing or diagnosis.unreadable:
        yield ""
    if missing:
        yield from layout.indented(f"{layout.word('not_seen')}: {missing}", 0, "dim")
    for item in diagnosis.unreadable:
        yield layout.paint(
            f"{layout.word('unreadable')}: {printable(item.what)}: {reason(item.why, layout.language)}", "yellow"
        )


def _sources(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not layout.verbose:
        return
    yield from layout.heading("sources")
    for source in diagnosis.sources:
        where = f"{printable(source.artifact)}:{source.first}-{source.first + source.lines - 1}"
        host = f" @{source.host}" if source.host else ""
        unread = f" ({source.unread} {layout.word('unrecognised')})" if source.unread and source.kind != "note" else ""
        yield f"   {layout.paint(where, 'cyan')}{host}  {source.kind}{unread}"
