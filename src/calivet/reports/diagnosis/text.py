"""The answer on a terminal: components, each finding, then what was set aside, not seen, and what to look at next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Line, Unreadable
from calivet.messages.message import message
from calivet.reasoning.diagnosis import FAULT, HEALTHY, Contrast, Diagnosis, Unexplained, split_history
from calivet.reports.diagnosis.contrast import describe_contrast, group_by_value
from calivet.reports.diagnosis.finding import SCREEN, choose_evidence, write_finding, write_proving
from calivet.reports.diagnosis.first_screen import (
    write_closing,
    write_first_screen,
    write_question,
    write_sick_components,
    write_title,
)
from calivet.reports.layout.terminal import Layout, name_place
from calivet.reports.layout.wording import label, to_percent
from calivet.reports.layout.wrapping import measure_painted, measure_width
from calivet.search.expressions import expression

FORBIDDEN = "connection.forbidden"
NAMED = 3
_MORE = expression(r" \(\+(?P<count>\d{1,9})\)$")


def join_forbidden(unreadable: Sequence[Unreadable]) -> list[Unreadable]:
    """Several refusals as one, in the place of the first, with the command that lists what is missing."""
    refused = [item for item in unreadable if item.why.key == FORBIDDEN]
    if len(refused) < 2:
        return list(unreadable)
    joined = Unreadable(_join_names(item.what for item in refused), message("report.forbidden"))
    return [joined if item is refused[0] else item for item in unreadable if item is refused[0] or item not in refused]


def _join_names(lists: Iterable[str]) -> str:
    """The first names of several lists, of which each may count what it leaves out."""
    names: list[str] = []
    left_out = 0
    for text in lists:
        if more := _MORE.search(text):
            left_out += int(more["count"])
        names += _MORE.sub("", text).split(", ")
    left_out += max(0, len(names) - NAMED)
    return ", ".join(names[:NAMED]) + (f" (+{left_out})" if left_out else "")


# On the first reading; -v shows them all.
MOST_UNREADABLE = 3
SHOWN = 6
MOST_UNEXPLAINED = 5
MOST_CONTRASTS = 2
MOST_CANDIDATES = 3
MOST_NEXT = 3


def to_text(diagnosis: Diagnosis, layout: Layout) -> str:
    """The whole report."""
    lines = [*write_first_screen(diagnosis, layout)]
    details = [] if layout.brief else list(_write_details(diagnosis, layout, layout.count_rows(lines)))
    if layout.brief or layout.count_rows([*lines, *details]) > SCREEN:
        # Where all of it is on one screen, the list of questions is at hand.
        lines += write_question(diagnosis, layout)
    lines += details
    lines += write_closing(diagnosis, layout) if layout.count_rows(lines) > SCREEN and not layout.brief else []
    parts = ("\n".join(part) for is_text, part in groupby(lines, bool) if is_text)
    return "\n\n".join(parts) + "\n"


def _write_details(diagnosis: Diagnosis, layout: Layout, used: int) -> Iterator[str]:
    """All that stands below the first lines, which take so many rows."""
    yield from _write_findings(diagnosis, layout, used)
    # Behind the only finding they tell how much is sick of it.
    yield from [] if _is_alone(diagnosis, layout) else [""]
    yield from write_sick_components(diagnosis, layout)
    yield from (line for part in _PARTS for line in part(diagnosis, layout))


def _write_findings(diagnosis: Diagnosis, layout: Layout, used: int) -> Iterator[str]:
    """The details of each; one alone goes on where the first screen ends."""
    is_alone = _is_alone(diagnosis, layout)
    for number, finding in enumerate(diagnosis.findings, 1):
        if not is_alone:
            yield ""
            yield from write_title(number, finding, layout)
        yield from write_finding(finding, diagnosis, layout, used if is_alone else 1)
        yield from write_proving(finding, diagnosis, layout) if not _shows_next(diagnosis, layout) else ()


def _is_alone(diagnosis: Diagnosis, layout: Layout) -> bool:
    return len(diagnosis.findings) == 1 and not layout.verbose


def _write_doubts(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """Why it was not called healthy, where nothing else is known to be wrong; or what no finding explains."""
    if not diagnosis.doubts or (diagnosis.candidates and not diagnosis.findings):
        return
    yield from layout.write_heading("doubts.left" if diagnosis.findings else "doubts")
    for doubt in diagnosis.doubts[:SHOWN]:
        yield from layout.indent(f"- {layout.read(doubt.says)}", 3, hang=2)
        if doubt.line and doubt.is_open:
            yield from layout.quote(doubt.line, 5)
        elif doubt.line:
            yield f"     {layout.paint(name_place(doubt.line), 'cyan')}"


def _write_outside(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """What is broken elsewhere, so that nobody looks for it in Calico."""
    if diagnosis.outside:
        yield from layout.write_heading("outside")
    for item in diagnosis.outside[:SHOWN]:
        yield from layout.indent(f"- {layout.read(item.what)}", 3, hang=2)
        yield f"     {layout.paint(name_place(item.line), 'cyan')}"
    if more := len(diagnosis.outside) - SHOWN:
        yield from [f"   {layout.say('more', count=more)}"] if more > 0 else []


def _write_unexplained(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """Where no cause is known, what sounds wrong and is not understood; or that nothing does."""
    if diagnosis.findings or diagnosis.verdict == HEALTHY:
        return
    if diagnosis.unexplained:
        yield from layout.write_heading("unexplained")
    elif diagnosis.sources and not diagnosis.remark:
        yield ""
        yield from layout.indent(layout.say("unexplained.none"), 0)
    for item in diagnosis.unexplained[:MOST_UNEXPLAINED]:
        yield from layout.quote(item.line, 3, "")
        if remarks := describe_unexplained(item, layout.language):
            yield from layout.indent(layout.join_remarks(*remarks), 5, "dim")
    if (more := len(diagnosis.unexplained) - MOST_UNEXPLAINED) > 0:
        yield f"   {layout.say('unexplained.more', count=more)}"


def describe_unexplained(item: Unexplained, language: str) -> list[str]:
    """How often it was said, by whom, and what that program was doing."""
    remarks = [label("times", language, count=item.count)] if item.count > 1 else []
    remarks += [item.program] if item.program else []
    return remarks + ([item.doing.read(language)] if item.doing else [])


def _write_candidates(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not diagnosis.candidates or (diagnosis.findings and not layout.verbose) or diagnosis.verdict == "healthy":
        return
    yield from layout.write_heading("candidates")
    shown = diagnosis.candidates if layout.verbose else diagnosis.candidates[:MOST_CANDIDATES]
    for candidate in shown:
        remarks = [candidate.cause.id, f"{to_percent(candidate.confidence)}%"]
        remarks += [layout.say("from_symptoms")] if candidate.is_hypothesis else []
        title = layout.add_remarks(layout.read(candidate.cause.title), *remarks)
        yield from layout.indent(f"- {title}", 3, hang=2)
        for item in candidate.evidence[: 2 if layout.verbose else 1]:
            *before, last = layout.indent(layout.read(item.says), 5, "dim")
            place = layout.paint(name_place(item.line), "cyan")
            fits = measure_painted(f"{last}  {place}") <= layout.width
            yield from [*before, f"{last}  {place}"] if fits else [*before, last, f"     {place}"]
    if more := len(diagnosis.candidates) - len(shown):
        yield f"   {layout.say('more', count=more)}"


def _write_contrast(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    shown = diagnosis.contrast if layout.verbose else _list_new_contrasts(diagnosis)
    if shown:
        yield from layout.write_heading("contrast")
    words = {key: layout.say(key) for key in ("sick", "well")}
    room = max(map(measure_width, words.values())) + 2
    for item in shown:
        yield from layout.indent(f"- {describe_contrast(item, layout.language)}", 3, hang=2)
        for key, values in (("sick", item.sick), ("well", item.healthy)) if layout.verbose else ():
            yield from layout.label_lines(words[key], room, _list_by_value(values, layout), 5)


def _list_new_contrasts(diagnosis: Diagnosis) -> list[Contrast]:
    """A few, without those whose values a claim above tells already."""
    claims = [item.says.en for finding in diagnosis.findings for item in choose_evidence(finding)]
    told = {word.strip(",.:;()") for claim in claims for word in claim.split()}
    new = [one for one in diagnosis.contrast if not all(value in told for value in one.sick.values())]
    return new[: 1 if diagnosis.findings else MOST_CONTRASTS]


def _list_by_value(values: dict[str, str], layout: Layout) -> str:
    groups = group_by_value(values).items()
    return _limit_items([layout.add_remarks(value, _limit_items(names, layout)) for value, names in groups], layout)


def _limit_items(items: list[str], layout: Layout) -> str:
    more = f" (+{len(items) - SHOWN:,})" if len(items) > SHOWN else ""
    return layout.join_names(items[:SHOWN]) + more


def _shows_next(diagnosis: Diagnosis, layout: Layout) -> bool:
    """Whether all questions are listed; else a finding that is likely only names its own."""
    return diagnosis.verdict != FAULT or layout.verbose or bool(diagnosis.doubts)


def _write_next(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not _shows_next(diagnosis, layout):
        return
    if diagnosis.next:
        yield from layout.write_heading("next")
    shown = diagnosis.next if layout.verbose else diagnosis.next[:MOST_NEXT]
    for number, item in enumerate(shown, 1):
        first, *rest = layout.write_command(item.run, 0)
        yield from (f"   {number}) {first}", *(f"      {line}" for line in rest))
        yield from layout.indent(layout.read(item.why), 6)
    if more := len(diagnosis.next) - len(shown):
        yield f"   {layout.say('more', count=more)}"


def _write_ignored(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """What is harmless, and apart from it what is over: how often on the first reading, each line where asked for."""
    for key, items in zip(("set_aside", "history"), split_history(diagnosis.set_aside), strict=True):
        if not items:
            continue
        if not layout.verbose:
            count = sum(item.count for item in items)
            told = layout.say("harmless.one" if count == 1 else "harmless", count=count)
            yield from layout.indent(layout.add_detail(layout.say(key), told), 0, "dim", hang=3)
            continue
        yield from layout.write_heading(key)
        for item in items:
            yield from layout.quote(item.line, 3, item.words)
            times = [layout.say("times", count=item.count)] if item.count > 1 else []
            yield from layout.indent(layout.add_remarks(layout.read(item.why), *times), 5)


def _write_not_seen(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    is_open = diagnosis.verdict != FAULT or layout.verbose
    missing = layout.join_clauses(layout.read(item.what) for item in diagnosis.not_seen if is_open)
    if missing or diagnosis.unreadable:
        yield ""
    if missing:
        yield from layout.indent(layout.add_detail(layout.say("not_seen"), missing), 0, "dim", hang=3)
    unreadable = diagnosis.unreadable if layout.verbose else join_forbidden(diagnosis.unreadable)
    shown = unreadable if layout.verbose else unreadable[:MOST_UNREADABLE]
    for item in shown:
        told = layout.say("unreadable.names", names=make_printable(item.what))
        yield from layout.indent(told, 0, "yellow", hang=3)
        yield from layout.indent(layout.read(item.why), 3)
        yield from layout.write_command(item.help, 3)
    if more := len(unreadable) - len(shown):
        yield layout.paint(layout.say("more", count=more), "yellow")


def _write_replaced(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if diagnosis.replaced:
        listed = [
            layout.add_remarks(item.kind, name_place(Line(item.artifact, item.line, ""))) for item in diagnosis.replaced
        ]
        shown = listed if layout.verbose else listed[:SHOWN]
        more = f" {layout.say('more', count=len(listed) - len(shown))}" if len(listed) > len(shown) else ""
        text = layout.add_detail(layout.say("replaced"), layout.join_names(shown) + more)
        yield from layout.indent(text, 0, "dim", hang=3)


def _write_sources(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if not layout.verbose:
        return
    yield from layout.write_heading("sources")
    for source in diagnosis.sources:
        last = source.first + source.lines - 1
        lines = f"{source.first}-{last}" if last > source.first else str(source.first)
        host = f" @{make_printable(source.host)}" if source.host else ""
        unread = source.unread if source.kind != "note" else 0
        remark = layout.say("unrecognised", count=unread) if unread else ""
        where = layout.paint(f"{make_printable(source.artifact)}:{lines}", "cyan")
        yield f"   {where}{host}  {layout.add_remarks(source.kind, *([remark] if remark else []))}"


_PARTS = (
    _write_doubts,
    _write_candidates,
    _write_unexplained,
    _write_contrast,
    _write_next,
    _write_outside,
    _write_ignored,
    _write_not_seen,
    _write_replaced,
    _write_sources,
)
"""In their order, behind the findings and the parts of the cluster."""
