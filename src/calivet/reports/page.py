"""A cause's page: what it is, how it shows, what it is mistaken for, how to tell, fix, check. In Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.model import Catalogue, Cause, Sign
from calivet.catalogue.words import PLACE
from calivet.reports.labels import label
from calivet.reports.punctuation import remarked, told, unfolded


def cause_page(cause: Cause, catalogue: Catalogue, language: str) -> str:
    """The page of one cause."""
    return "\n".join(_lines(cause, catalogue, language)) + "\n"


def _lines(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    yield f"# {cause.title.read(language)}"
    yield ""
    yield f"`{cause.id}` · {told(label('layer', language), label(f'layer.{cause.layer}', language), language)}"
    yield from _section("what", [unfolded(cause.explain.read(language))], language)
    yield from _section("shows", _signs(cause.signs, language), language)
    yield from _section("speaks_against", _signs(cause.against, language), language)
    yield from _section("mistaken", _look_alikes(cause, catalogue, language), language)
    yield from _section("leads_to", _effects(cause, catalogue, language), language)
    questions = (catalogue.questions[name] for name in cause.ask)
    asked = (f"- {told(f'`{one.run}`', one.why.read(language), language)}" for one in questions)
    yield from _section("settle", asked, language)
    yield from _section("fix", _fix(cause, language), language)
    checks = (f"- {told(f'`{check.run}`', check.expect.read(language), language)}" for check in cause.verify)
    yield from _section("verify", checks, language)
    yield from _section("references", (f"- <{reference}>" for reference in cause.references), language)


def _signs(signs: list[Sign], language: str) -> Iterator[str]:
    for sign in signs:
        says = PLACE.sub("…", sign.says.read(language))
        yield f"- {told(f'*{label(sign.strength, language)}*', says, language)}"
        if sign.fires and sign.scope != "note":
            yield f"  `{sign.fires[0].replace('`', chr(39))}`"


def _look_alikes(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    for other in cause.mistaken_for:
        named = remarked(catalogue.causes[other.cause].title.read(language), [f"`{other.cause}`"], language)
        yield f"- {told(named, other.tell.read(language), language)}"


def _effects(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    for name in cause.leads_to:
        entry = catalogue.effects.get(name) or catalogue.causes[name]
        yield f"- {remarked(entry.title.read(language), [f'`{name}`'], language)}"


def _fix(cause: Cause, language: str) -> Iterator[str]:
    for step in cause.fix:
        remarks = [label(step.where, language), label(step.risk, language)]
        remarks += [] if step.installer == "any" else [step.installer]
        yield f"- {remarked(PLACE.sub('…', step.why.read(language)), remarks, language)}"
        yield from _command(step.run)


def _command(run: str) -> Iterator[str]:
    """Between backticks where it is one line, else in a fence."""
    lines = run.splitlines()
    if len(lines) == 1:
        yield f"  `{run}`"
    else:
        yield from ("  ```sh", *(f"  {line}" for line in lines), "  ```")


def _section(key: str, lines: Iterable[str], language: str) -> Iterator[str]:
    """A heading over lines, or nothing where there are none."""
    body = list(lines)
    if body:
        yield from ("", f"## {label(key, language)}", "", *body)
