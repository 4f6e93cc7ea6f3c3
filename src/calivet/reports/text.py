"""The answer on a terminal: components, findings, then what was set aside, not seen, and what to look at next."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.layout import Layout, place
from calivet.reports.reasons import reason
from calivet.reports.screen import component_lines, verdict_lines
from calivet.reports.text_finding import SHOWN, finding_lines

# On the first reading; -v shows them all.
MOST_UNREADABLE = 8


def to_text(diagnosis: Diagnosis, layout: Layout) -> str:
    """The whole report."""
    first = (component_lines, verdict_lines, _findings, _candidates, _contrast, _next)
    parts = (*first, _set_aside, _not_seen, _replaced, _sources)
    return "\n".join(line for part in parts for line in part(diagnosis, layout)) + "\n"


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
    shown = diagnosis.unreadable if layout.verbose else diagnosis.unreadable[:MOST_UNREADABLE]
    for item in shown:
        text = f"{layout.word('unreadable')}: {printable(item.what)}: {reason(item.why, layout.language)}"
        yield layout.paint(text, "yellow")
        yield from layout.command(item.help, 2)
    if more := len(diagnosis.unreadable) - len(shown):
        yield layout.paint(layout.word("more", count=more), "yellow")


def _replaced(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.replaced:
        listed = [f"{item.kind} ({place(Line(item.artifact, item.line, ''))})" for item in diagnosis.replaced]
        shown = listed if layout.verbose else listed[:SHOWN]
        more = f" {layout.word('more', count=len(listed) - len(shown))}" if len(listed) > len(shown) else ""
        yield from layout.indented(f"{layout.word('replaced')}: {', '.join(shown)}{more}", 0, "dim")


def _sources(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not layout.verbose:
        return
    yield from layout.heading("sources")
    for source in diagnosis.sources:
        where = f"{printable(source.artifact)}:{source.first}-{source.first + source.lines - 1}"
        host = f" @{source.host}" if source.host else ""
        unread = f" ({source.unread} {layout.word('unrecognised')})" if source.unread and source.kind != "note" else ""
        yield f"   {layout.paint(where, 'cyan')}{host}  {source.kind}{unread}"
