"""The answer on a terminal: components, findings, then what was set aside, not seen, and what to look at next."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.labels import percent
from calivet.reports.layout import Layout, place
from calivet.reports.reasons import reason
from calivet.reports.screen import component_lines, verdict_lines
from calivet.reports.text_finding import SHOWN, finding_lines
from calivet.reports.wrapping import width_of

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
        title = layout.remarked(
            layout.read(candidate.cause.title), candidate.cause.id, f"{percent(candidate.confidence)}%"
        )
        yield from layout.indented(f"- {title}", 3, hang=2)
        for item in candidate.evidence[:2]:
            yield from layout.indented(layout.read(item.says), 5, "dim")
            yield f"     {layout.paint(place(item.line), 'cyan')}"


def _contrast(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.contrast:
        yield from layout.heading("contrast")
    words = {key: layout.word(key) for key in ("sick", "well")}
    room = max(map(width_of, words.values())) + 2
    for item in diagnosis.contrast:
        yield from layout.indented(f"- {item.fact}", 3, hang=2)
        for key, values in (("sick", item.sick), ("well", item.healthy)):
            yield from layout.labelled(words[key], room, _by_value(values, layout), 5)


def _by_value(values: dict[str, str], layout: Layout) -> str:
    """Nodes of the same value stand together: what differs is the value."""
    nodes: dict[str, list[str]] = {}
    for node, value in values.items():
        nodes.setdefault(value, []).append(node)
    return _few([layout.remarked(value, _few(names, layout)) for value, names in nodes.items()], layout)


def _few(items: list[str], layout: Layout) -> str:
    more = f" (+{len(items) - SHOWN:,})" if len(items) > SHOWN else ""
    return layout.listed(items[:SHOWN]) + more


def _next(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.next:
        yield from layout.heading("next")
    for number, item in enumerate(diagnosis.next, 1):
        first, *rest = layout.command(item.run, 0)
        yield from (f"   {number}) {first}", *(f"      {line}" for line in rest))
        yield from layout.indented(layout.read(item.why), 6)


def _set_aside(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.set_aside:
        yield from layout.heading("set_aside")
    shown = diagnosis.set_aside if layout.verbose else diagnosis.set_aside[:SHOWN]
    for item in shown:
        yield from layout.quote(item.line, 3, item.words)
        times = [layout.word("times", count=item.count)] if item.count > 1 else []
        yield from layout.indented(layout.remarked(layout.read(item.why), *times), 5)
    if more := len(diagnosis.set_aside) - len(shown):
        yield f"   {layout.word('more', count=more)}"


def _not_seen(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    missing = layout.clauses(layout.read(item.what) for item in diagnosis.not_seen)
    if missing or diagnosis.unreadable:
        yield ""
    if missing:
        yield from layout.indented(layout.told(layout.word("not_seen"), missing), 0, "dim", hang=3)
    shown = diagnosis.unreadable if layout.verbose else diagnosis.unreadable[:MOST_UNREADABLE]
    for item in shown:
        yield layout.paint(layout.told(layout.word("unreadable"), printable(item.what)), "yellow")
        yield from layout.indented(reason(item.why, layout.language), 3)
        yield from layout.command(item.help, 3)
    if more := len(diagnosis.unreadable) - len(shown):
        yield layout.paint(layout.word("more", count=more), "yellow")


def _replaced(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.replaced:
        listed = [layout.remarked(item.kind, place(Line(item.artifact, item.line, ""))) for item in diagnosis.replaced]
        shown = listed if layout.verbose else listed[:SHOWN]
        more = f" {layout.word('more', count=len(listed) - len(shown))}" if len(listed) > len(shown) else ""
        text = layout.told(layout.word("replaced"), layout.listed(shown) + more)
        yield from layout.indented(text, 0, "dim", hang=3)


def _sources(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not layout.verbose:
        return
    yield from layout.heading("sources")
    for source in diagnosis.sources:
        last = source.first + source.lines - 1
        lines = f"{source.first}-{last}" if last > source.first else str(source.first)
        host = f" @{printable(source.host)}" if source.host else ""
        unread = source.unread if source.kind != "note" else 0
        remark = layout.word("unrecognised", count=unread) if unread else ""
        where = layout.paint(f"{printable(source.artifact)}:{lines}", "cyan")
        yield f"   {where}{host}  {layout.remarked(source.kind, *([remark] if remark else []))}"
