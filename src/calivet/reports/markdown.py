"""The answer for a ticket or a chat."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.reasoning.diagnosis import Diagnosis, Finding
from calivet.reports.labels import label, percent
from calivet.reports.reasons import reason

LONGEST_QUOTE = 300
_MARKUP = frozenset("\\`*_[]<>|#~")


def to_markdown(diagnosis: Diagnosis, language: str) -> str:
    """One Markdown document."""
    return "\n".join(_lines(diagnosis, language)) + "\n"


def _lines(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    yield f"## calivet: {label(diagnosis.verdict, language)}"
    yield ""
    for part in diagnosis.components:
        mark = {True: "✅", False: "❌", None: "▫️"}[part.good]
        yield f"- {mark} **{part.name.read(language)}**: {_plain(part.state.read(language))}"
    for number, finding in enumerate(diagnosis.findings, 1):
        yield ""
        yield from _finding(number, finding, diagnosis, language)
    if diagnosis.candidates and not diagnosis.findings:
        yield from _heading("candidates", language)
        for candidate in diagnosis.candidates:
            percent = round(candidate.confidence * 100)
            yield f"- {candidate.cause.title.read(language)} (`{candidate.cause.id}`, {percent} %)"
    if diagnosis.next:
        yield from _heading("next", language)
        for item in diagnosis.next:
            yield f"- {_plain(item.why.read(language))}"
            yield from _code(item.run, "  ")
    yield from _besides(diagnosis, language)


def _besides(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    """What was set aside, not seen and replaced."""
    if diagnosis.set_aside:
        yield from _heading("set_aside", language)
        for aside in diagnosis.set_aside:
            place = f"{aside.line.artifact}:{aside.line.number}"
            yield f"- {_quoted(aside.line.text)} ({_quoted(place)}): {_plain(aside.why.read(language))}"
    missing = [item.what.read(language) for item in diagnosis.not_seen]
    missing += [f"{item.what}: {reason(item.why, language)}" for item in diagnosis.unreadable]
    if missing:
        yield from _heading("not_seen", language)
        yield from (f"- {_plain(what)}" for what in missing)
    if diagnosis.replaced:
        yield from _heading("replaced", language)
        for item in diagnosis.replaced:
            yield f"- {_plain(item.kind)}: {item.count} ({_quoted(f'{item.artifact}:{item.line}')})"


def _finding(number: int, finding: Finding, diagnosis: Diagnosis, language: str) -> Iterator[str]:
    confidence = label("confidence", language, percent=percent(finding.confidence))
    yield f"### {number}. {finding.cause.title.read(language)}"
    repaired = f" · {label('repaired', language)}" if finding.later_healthy else ""
    yield f"`{finding.cause.id}` · {confidence}{repaired}"
    yield ""
    yield _plain(finding.summary.read(language))
    yield ""
    yield f"**{label('evidence', language)}**"
    yield ""
    for item in finding.evidence:
        place = f"{item.line.artifact}:{item.line.number}"
        yield f"- *{label(item.strength, language)}*: {_plain(item.says.read(language))} ({_quoted(place)})"
        yield from _code(item.line.text[:LONGEST_QUOTE], "  ")
    if len(finding.chain) > 1:
        steps = " → ".join(diagnosis.titles[step].read(language) for step in finding.chain)
        yield f"**{label('chain', language)}**: {steps}"
    yield ""
    yield f"**{label('fix', language)}**"
    yield ""
    for count, step in enumerate(finding.fix, 1):
        where = f"{label(step.where, language)}, {label(step.risk, language)}"
        yield f"{count}. {_plain(step.why.read(language))} ({where})"
        yield from _code(step.run, "   ")
        if step.undo:
            yield f"   {label('undo', language)}: {_quoted(step.undo)}"
    yield ""
    yield f"**{label('verify', language)}**"
    yield ""
    for check in finding.verify:
        yield f"- {_quoted(check.run)} → {_plain(check.expect.read(language))}"


def _heading(key: str, language: str) -> Iterator[str]:
    yield ""
    yield f"### {label(key, language)}"
    yield ""


def _code(text: str, indent: str) -> Iterator[str]:
    """A fence longer than any run of backticks inside, so that evidence cannot break out of it."""
    fence = _fence(text, 3)
    yield f"{indent}{fence}"
    yield from (f"{indent}{line}" for line in text.splitlines() or [""])
    yield f"{indent}{fence}"


def _quoted(text: str) -> str:
    fence = _fence(text, 1)
    inner = text.replace("\n", " ")
    return f"{fence}{inner}{fence}" if "`" not in inner else f"{fence} {inner} {fence}"


def _fence(text: str, least: int) -> str:
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0)
    return "`" * max(least, longest + 1)


def _plain(text: str) -> str:
    """Names from the evidence must not turn into markup."""
    return "".join(f"\\{letter}" if letter in _MARKUP else letter for letter in text.replace("\n", " "))
