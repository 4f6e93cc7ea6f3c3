"""The answer for a ticket or a chat: the verdict first, what is read last folded, and never longer than they accept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from calivet.catalogue.model import Step
from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.artifact import Line
from calivet.messages.command_line import Command
from calivet.reasoning.diagnosis import HEALTHY, LIKELY, Citation, Diagnosis, Finding, SetAside, split_history
from calivet.reports.diagnosis.contrast import describe_contrast
from calivet.reports.diagnosis.first_screen import describe_nodes, is_open, write_verdict_lines
from calivet.reports.diagnosis.header import describe_header
from calivet.reports.diagnosis.text import describe_unexplained, join_forbidden
from calivet.reports.layout.markdown import escape_markup, fence_code, fold_part, quote_inline
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wording import (
    add_detail,
    add_remarks,
    join_clauses,
    join_remarks,
    label,
    to_percent,
)
from calivet.reports.layout.wrapping import clean_line, cut_line

LONGEST = 32_000
"""In units of UTF-16: Jira takes 32,767, GitHub 65,536. What is left of it holds the word about what was left out."""
MOST_TITLES = 20
ONE_LINE = 1_000
_MARK = {True: "✅", False: "❌", None: "▫️"}
SHOWN_LINES = 3
"""Lines of evidence that stand open; the others are folded."""
SHOWN_NODES = 8
LONGEST_QUOTE = 300


class MarkdownPart(Struct):
    """A stretch of the document; those with the highest rank are left out first where it grows too long."""

    rank: int
    title: str
    lines: list[str]


def to_markdown(diagnosis: Diagnosis, language: str) -> str:
    """One Markdown document."""
    parts, left_out = _fit_parts(list(_build_parts(diagnosis, language)))
    lines = [line for part in parts for line in part.lines]
    if left_out:
        lines += [f"*{label('md.left_out', language, parts=join_clauses(_limit_items(left_out), language))}*", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _fit_parts(parts: list[MarkdownPart]) -> tuple[list[MarkdownPart], list[str]]:
    """What fits, and the titles of what does not."""
    left_out: list[str] = []
    for part in sorted(parts, key=lambda part: -part.rank):
        if sum(map(_measure_part, parts)) <= LONGEST:
            break
        if part.rank and part.lines:
            parts.remove(part)
            left_out.insert(0, part.title)
    return parts, left_out


def _measure_part(part: MarkdownPart) -> int:
    return len("\n".join((*part.lines, "")).encode("utf-16-le", "surrogatepass")) // 2


def _build_parts(diagnosis: Diagnosis, language: str) -> Iterator[MarkdownPart]:
    yield MarkdownPart(0, "", list(_write_head(diagnosis, language)))
    yield MarkdownPart(400, label("md.state", language), list(_write_state(diagnosis, language)))
    for number, finding in enumerate(diagnosis.findings, 1):
        title = f"{number}. {finding.cause.title.read(language)}"
        yield MarkdownPart(number, title, list(write_finding(number, finding, diagnosis, language)))
        weaker = list(write_weaker_evidence(finding, language))
        yield MarkdownPart(500 + number, label("md.weaker", language, title=title), weaker)
    yield _open(150, "doubts.left" if diagnosis.findings else "doubts", _write_doubts(diagnosis, language), language)
    yield _open(200, "candidates", _write_candidates(diagnosis, language), language)
    yield _build_folded_part(250, "unexplained", _write_unexplained(diagnosis, language), language)
    yield _open(300, "next", _write_next(diagnosis, language), language)
    yield _open(350, "outside", _write_outside(diagnosis, language), language)
    yield _build_folded_part(600, "contrast", _write_contrast(diagnosis, language), language)
    yield _build_folded_part(700, "not_seen", _write_not_seen(diagnosis, language), language)
    harmless, over = split_history(diagnosis.set_aside)
    yield _build_folded_part(800, "set_aside", _write_ignored(harmless, language), language)
    yield _build_folded_part(810, "history", _write_ignored(over, language), language)
    yield _build_folded_part(900, "replaced", _write_replaced(diagnosis), language)


def _write_head(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """The verdict in one line, and where there are several causes, their names."""
    (verdict,) = write_verdict_lines(diagnosis, Layout(language, ONE_LINE, colour=False))
    yield from (f"## calivet: {verdict.replace('  ', ' · ', 1)}", "")
    if header := describe_header(diagnosis.cluster, language):
        yield from (escape_markup(header), "")
    if len(diagnosis.findings) > 1:
        causes = [finding.cause for finding in diagnosis.findings]
        titles = [add_remarks(cause.title.read(language), [f"`{cause.id}`"], language) for cause in causes]
        yield from (f"{number}. {title}" for number, title in enumerate(_limit_items(titles, MOST_TITLES), 1))
        yield ""


def _write_state(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """A mark for each part of the cluster in one line; what it stands for, folded under it."""
    marks = " ".join(f"{_MARK[part.good]}\N{NO-BREAK SPACE}{part.name.read(language)}" for part in diagnosis.components)
    states = []
    for part in diagnosis.components:
        state = escape_markup(part.state.read(language))
        states.append(f"- {_MARK[part.good]} {add_detail(f'**{part.name.read(language)}**', state, language)}")
    return fold_part(marks, states)


def _write_doubts(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """Where nothing else tells why the answer is not "healthy"; or what no finding explains."""
    for doubt in [] if diagnosis.candidates and not diagnosis.findings else diagnosis.doubts:
        remarks = [place(doubt.line)] if doubt.line else []
        yield f"- {add_remarks(escape_markup(doubt.says.read(language)), remarks, language)}"


def _write_outside(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    for item in diagnosis.outside:
        yield f"- {add_remarks(escape_markup(item.what.read(language)), [place(item.line)], language)}"


def _write_candidates(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    if not diagnosis.findings:
        for candidate in diagnosis.candidates:
            sure = label("confidence", language, percent=to_percent(candidate.confidence))
            remarks = [f"`{candidate.cause.id}`", sure]
            remarks += [label("from_symptoms", language)] if candidate.is_hypothesis else []
            yield f"- {add_remarks(candidate.cause.title.read(language), remarks, language)}"


def _write_unexplained(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    for item in diagnosis.unexplained if not diagnosis.findings and diagnosis.verdict != HEALTHY else ():
        text = quote_inline(cut_line(clean_line(item.line.text), LONGEST_QUOTE, ""))
        remarks = [place(item.line), *map(escape_markup, describe_unexplained(item, language))]
        yield f"- {add_remarks(text, remarks, language)}"


def _write_next(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    for item in diagnosis.next if is_open(diagnosis) else ():
        yield f"- {escape_markup(item.why.read(language))}"
        yield from fence_code(item.run, "  ")


def _write_contrast(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    yield from (f"- {escape_markup(describe_contrast(item, language))}" for item in diagnosis.contrast)


def _write_not_seen(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    yield from (f"- {escape_markup(item.what.read(language))}" for item in diagnosis.not_seen)
    for item in join_forbidden(diagnosis.unreadable):
        yield f"- {escape_markup(add_detail(item.what, item.why.read(language), language))}"
        if item.help:
            yield from fence_code(item.help, "  ")


def _write_ignored(items: Iterable[SetAside], language: str) -> Iterator[str]:
    for item in items:
        times = [label("times", language, count=item.count)] if item.count > 1 else []
        why = add_remarks(escape_markup(item.why.read(language)), times, language)
        text = quote_inline(cut_line(clean_line(item.line.text), LONGEST_QUOTE, item.words))
        yield f"- {add_detail(add_remarks(text, [place(item.line)], language), why, language)}"


def _write_replaced(diagnosis: Diagnosis) -> Iterator[str]:
    for item in diagnosis.replaced:
        yield f"- {escape_markup(item.kind)}: {item.count:,} ({place(Line(item.artifact, item.line, ''))})"


def _open(rank: int, key: str, lines: Iterable[str], language: str) -> MarkdownPart:
    """A part under a heading; without lines, nothing."""
    title, body = label(key, language), list(lines)
    return MarkdownPart(rank, title, [f"### {title}", "", *body, ""] if body else [])


def _build_folded_part(rank: int, key: str, lines: Iterable[str], language: str) -> MarkdownPart:
    title, body = label(key, language), list(lines)
    count = sum(line.startswith("- ") for line in body)
    return MarkdownPart(rank, title, list(fold_part(f"{title} ({count:,})", body)))


def _limit_items(items: list[str], most: int = SHOWN_NODES) -> list[str]:
    return items if len(items) <= most else [*items[:most], f"(+{len(items) - most:,})"]


def write_finding(number: int, finding: Finding, diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """All but the weaker evidence."""
    yield f"### {number}. {finding.cause.title.read(language)}"
    yield from ("", _write_facts(finding, diagnosis, language), "", escape_markup(finding.summary.read(language)), "")
    yield from _write_evidence(_group_by_line(finding)[:SHOWN_LINES], language)
    if len(finding.chain) > 1:
        steps = " → ".join(diagnosis.titles[step].read(language) for step in finding.chain)
        yield from (add_detail(f"**{label('chain', language)}**", steps, language), "")
    yield from _fix(finding, language)
    yield from _verify(finding, language)
    yield from (quote_inline(f"calivet explain {finding.cause.id}"), "")


def write_weaker_evidence(finding: Finding, language: str) -> Iterator[str]:
    """What else speaks for the finding, folded."""
    rest = _group_by_line(finding)[SHOWN_LINES:]
    title = label("md.weaker", language, title=finding.cause.title.read(language))
    return fold_part(title, (line for claims in rest for line in _write_claims(claims, language)))


def place(line: Line) -> str:
    """Where a line stands, between backticks."""
    return quote_inline(f"{cut_line(make_printable(line.artifact), LONGEST_QUOTE)}:{line.number}")


def _write_facts(finding: Finding, diagnosis: Diagnosis, language: str) -> str:
    facts = [f"`{finding.cause.id}`", label("confidence", language, percent=to_percent(finding.confidence))]
    facts += [label("likely", language)] if finding.certainty == LIKELY else []
    if finding.nodes:
        facts.append(escape_markup(describe_nodes(finding.nodes, diagnosis, language)))
    facts += [label("repaired", language)] if finding.later_healthy else []
    return " · ".join(facts)


def _group_by_line(finding: Finding) -> list[list[Citation]]:
    """Claims that rest on the same line stand together over it."""
    claims: dict[Line, list[Citation]] = {}
    for item in finding.evidence:
        claims.setdefault(item.line, []).append(item)
    return list(claims.values())


def _write_evidence(lines: list[list[Citation]], language: str) -> Iterator[str]:
    if lines:
        yield from (f"**{label('evidence', language)}**", "")
        yield from (line for claims in lines for line in _write_claims(claims, language))
        yield ""


def _write_claims(claims: list[Citation], language: str) -> Iterator[str]:
    said = [
        add_detail(f"*{label(item.strength, language)}*", escape_markup(_says(item, language)), language)
        for item in claims
    ]
    line = claims[0].line
    yield f"- {add_remarks(join_clauses(said, language), [place(line)], language)}"
    yield from fence_code(cut_line(clean_line(line.text), LONGEST_QUOTE, claims[0].words), "  ")
    if claims[0].shown_by:
        yield from ("", f"  {quote_inline(claims[0].shown_by)}")


def _says(item: Citation, language: str) -> str:
    times = label("times", language, count=item.count)
    says = item.says.read(language)
    remarks = [times] if item.count > 1 and times not in says else []
    remarks += [label("note", language)] if item.note else []
    return add_remarks(says, remarks, language)


def _fix(finding: Finding, language: str) -> Iterator[str]:
    if not finding.fix:
        return
    yield from (f"**{label('fix', language)}**", "")
    for count, step in enumerate(finding.fix, 1):
        where = join_remarks([label(step.where, language), label(step.risk, language)], language)
        why = step.why.read(language)
        told = add_detail(step.do.read(language), why, language) if step.do else why
        yield f"{count}. {add_remarks(escape_markup(told), [where], language)}"
        yield from _write_before(step, language)
        if step.run:
            yield from fence_code(step.run, "   ")
        if step.undo:
            yield from _write_aside("undo", step.undo, language)
    yield ""


def _write_before(step: Step, language: str) -> Iterator[str]:
    """What to know and to do before the step is taken."""
    if step.interrupts:
        said = add_detail(label("interrupts", language), step.interrupts.read(language), language)
        yield from ("", f"   {escape_markup(said)}")
    if step.precheck:
        yield from _write_aside("precheck", step.precheck.run, language)
        expect = add_detail(label("expect", language), step.precheck.expect.read(language), language)
        yield from ("", f"   {escape_markup(expect)}")
    if step.save:
        yield from _write_aside("save", step.save, language)


def _write_aside(key: str, run: Command, language: str) -> Iterator[str]:
    """A command beside the step's own: in the line of its label, or below it where it has several lines."""
    if "\n" in run:
        yield from ("", f"   {label(key, language)}")
        yield from fence_code(run, "   ")
    else:
        yield f"   {add_detail(label(key, language), quote_inline(run), language)}"


def _verify(finding: Finding, language: str) -> Iterator[str]:
    if finding.verify:
        yield from (f"**{label('verify', language)}**", "")
        yield from (
            f"- {quote_inline(check.run)} → {escape_markup(check.expect.read(language))}" for check in finding.verify
        )
        yield ""
