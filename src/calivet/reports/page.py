"""A cause's page: what it is, how it shows, what it is mistaken for, how to tell, fix, check. In Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.model import Catalogue, Cause
from calivet.reports.labels import label


def cause_page(cause: Cause, catalogue: Catalogue, language: str) -> str:
    """The page of one cause."""
    return "\n".join(_lines(cause, catalogue, language)) + "\n"


def _lines(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    yield f"# {cause.title.read(language)}"
    yield ""
    yield f"`{cause.id}` · {label('layer', language)}: {cause.layer}"
    yield from _heading("what", language)
    yield cause.explain.read(language)
    yield from _heading("shows", language)
    for sign in cause.signs:
        yield f"- *{label(sign.strength, language)}*: {sign.says.read(language)}"
        if sign.fires and sign.scope != "note":
            yield f"  `{sign.fires[0].replace('`', chr(39))}`"
    if cause.against:
        yield from _heading("speaks_against", language)
        yield from (f"- *{label(sign.strength, language)}*: {sign.says.read(language)}" for sign in cause.against)
    if cause.mistaken_for:
        yield from _heading("mistaken", language)
        for other in cause.mistaken_for:
            yield f"- {catalogue.causes[other.cause].title.read(language)} (`{other.cause}`): {other.tell.read(language)}"
    yield from _heading("leads_to", language)
    for name in cause.leads_to:
        entry = catalogue.effects.get(name) or catalogue.causes[name]
        yield f"- {entry.title.read(language)} (`{name}`)"
    yield from _heading("settle", language)
    for name in cause.ask:
        question = catalogue.questions[name]
        yield f"- `{question.run}`: {question.why.read(language)}"
    yield from _heading("fix", language)
    for step in cause.fix:
        only = "" if step.installer == "any" else f", {step.installer}"
        yield f"- {step.why.read(language)} ({label(step.where, language)}, {label(step.risk, language)}{only})"
        yield f"  `{step.run}`"
    yield from _heading("verify", language)
    for check in cause.verify:
        yield f"- `{check.run}`: {check.expect.read(language)}"
    if cause.references:
        yield from _heading("references", language)
        yield from (f"- <{reference}>" for reference in cause.references)


def _heading(key: str, language: str) -> Iterator[str]:
    yield ""
    yield f"## {label(key, language)}"
    yield ""
