"""The answer for a ticket or a chat: the verdict first, what is read last folded, and never longer than they accept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.labels import label, percent
from calivet.reports.layout import Layout
from calivet.reports.markdown_finding import LONGEST_QUOTE, SHOWN_NODES, finding_lines, place, weaker_evidence
from calivet.reports.markdown_text import code, folded, plain, quoted
from calivet.reports.punctuation import clauses, listed, remarked, told
from calivet.reports.reasons import reason
from calivet.reports.screen import verdict_lines
from calivet.reports.wrapping import cut, shown

LONGEST = 32_000
"""In units of UTF-16: Jira takes 32,767, GitHub 65,536. What is left of it holds the word about what was left out."""
MOST_TITLES = 20
ONE_LINE = 1_000
_MARK = {True: "✅", False: "❌", None: "▫️"}


class Part(Struct):
    """A stretch of the document; those with the highest rank are left out first where it grows too long."""

    rank: int
    title: str
    lines: list[str]


def to_markdown(diagnosis: Diagnosis, language: str) -> str:
    """One Markdown document."""
    parts, left_out = _fitted(list(_parts(diagnosis, language)))
    lines = [line for part in parts for line in part.lines]
    if left_out:
        lines += [f"*{label('md.left_out', language, parts=clauses(_few(left_out), language))}*", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _fitted(parts: list[Part]) -> tuple[list[Part], list[str]]:
    """What fits, and the titles of what does not."""
    left_out: list[str] = []
    for part in sorted(parts, key=lambda part: -part.rank):
        if sum(map(_length, parts)) <= LONGEST:
            break
        if part.rank and part.lines:
            parts.remove(part)
            left_out.insert(0, part.title)
    return parts, left_out


def _length(part: Part) -> int:
    return len("\n".join((*part.lines, "")).encode("utf-16-le", "surrogatepass")) // 2


def _parts(diagnosis: Diagnosis, language: str) -> Iterator[Part]:
    yield Part(0, "", list(_head(diagnosis, language)))
    yield Part(400, label("md.state", language), list(_state(diagnosis, language)))
    for number, finding in enumerate(diagnosis.findings, 1):
        title = f"{number}. {finding.cause.title.read(language)}"
        yield Part(number, title, list(finding_lines(number, finding, diagnosis, language)))
        weaker = list(weaker_evidence(finding, language))
        yield Part(500 + number, label("md.weaker", language, title=title), weaker)
    yield _open(200, "candidates", _candidates(diagnosis, language), language)
    yield _open(300, "next", _next(diagnosis, language), language)
    yield _folded(600, "contrast", _contrast(diagnosis, language), language)
    yield _folded(700, "not_seen", _not_seen(diagnosis, language), language)
    yield _folded(800, "set_aside", _set_aside(diagnosis, language), language)
    yield _folded(900, "replaced", _replaced(diagnosis), language)


def _head(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """The verdict in one line, and where there are several causes, their names."""
    (verdict,) = verdict_lines(diagnosis, Layout(language, ONE_LINE, colour=False))
    yield from (f"## calivet: {verdict.replace('  ', ' · ', 1)}", "")
    if len(diagnosis.findings) > 1:
        causes = [finding.cause for finding in diagnosis.findings]
        titles = [remarked(cause.title.read(language), [f"`{cause.id}`"], language) for cause in causes]
        yield from (f"{number}. {title}" for number, title in enumerate(_few(titles, MOST_TITLES), 1))
        yield ""


def _state(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """A mark for each part of the cluster in one line; what it stands for, folded under it."""
    marks = " ".join(f"{_MARK[part.good]}\N{NO-BREAK SPACE}{part.name.read(language)}" for part in diagnosis.components)
    states = (
        f"- {_MARK[part.good]} {told(f'**{part.name.read(language)}**', plain(part.state.read(language)), language)}"
        for part in diagnosis.components
    )
    return folded(marks, states)


def _candidates(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    if not diagnosis.findings:
        for candidate in diagnosis.candidates:
            sure = label("confidence", language, percent=percent(candidate.confidence))
            yield f"- {remarked(candidate.cause.title.read(language), [f'`{candidate.cause.id}`', sure], language)}"


def _next(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    for item in diagnosis.next:
        yield f"- {plain(item.why.read(language))}"
        yield from code(item.run, "  ")


def _contrast(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    for item in diagnosis.contrast:
        groups = ((label("sick", language), item.sick), (label("well", language), item.healthy))
        sides = [f"{word} {plain(listed(_few(_valued(values)), language))}" for word, values in groups]
        yield f"- {told(quoted(item.fact), clauses(sides, language), language)}"


def _valued(values: dict[str, str]) -> list[str]:
    return [f"{node} {value}" for node, value in values.items()]


def _not_seen(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    yield from (f"- {plain(item.what.read(language))}" for item in diagnosis.not_seen)
    for item in diagnosis.unreadable:
        yield f"- {plain(told(item.what, reason(item.why, language), language))}"
        if item.help:
            yield from code(item.help, "  ")


def _set_aside(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    for item in diagnosis.set_aside:
        times = [label("times", language, count=item.count)] if item.count > 1 else []
        why = remarked(plain(item.why.read(language)), times, language)
        text = quoted(cut(shown(item.line.text), LONGEST_QUOTE, item.words))
        yield f"- {told(remarked(text, [place(item.line)], language), why, language)}"


def _replaced(diagnosis: Diagnosis) -> Iterator[str]:
    for item in diagnosis.replaced:
        yield f"- {plain(item.kind)}: {item.count:,} ({place(Line(item.artifact, item.line, ''))})"


def _open(rank: int, key: str, lines: Iterable[str], language: str) -> Part:
    """A part under a heading; without lines, nothing."""
    title, body = label(key, language), list(lines)
    return Part(rank, title, [f"### {title}", "", *body, ""] if body else [])


def _folded(rank: int, key: str, lines: Iterable[str], language: str) -> Part:
    title, body = label(key, language), list(lines)
    count = sum(line.startswith("- ") for line in body)
    return Part(rank, title, list(folded(f"{title} ({count:,})", body)))


def _few(items: list[str], most: int = SHOWN_NODES) -> list[str]:
    return items if len(items) <= most else [*items[:most], f"(+{len(items) - most:,})"]
