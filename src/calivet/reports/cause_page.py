"""A cause's page: what it is, how it shows, what it is mistaken for, how to tell, fix, check. In Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.model import Catalogue, Cause, Sign
from calivet.messages.command_line import PLACE
from calivet.reports.layout.wording import add_detail, add_remarks, label, unfold


def write_cause_page(cause: Cause, catalogue: Catalogue, language: str) -> str:
    """The page of one cause."""
    return "\n".join(_write_lines(cause, catalogue, language)) + "\n"


def _write_lines(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    yield f"# {cause.title.read(language)}"
    yield ""
    yield f"`{cause.id}` · {add_detail(label('layer', language), label(f'layer.{cause.layer}', language), language)}"
    yield from _write_section("what", [unfold(cause.explain.read(language))], language)
    yield from _write_section("shows", _list_signs(cause.signs, language), language)
    yield from _write_section("speaks_against", _list_signs(cause.against, language), language)
    yield from _write_section("mistaken", _list_look_alikes(cause, catalogue, language), language)
    yield from _write_section("leads_to", _list_effects(cause, catalogue, language), language)
    questions = (catalogue.questions[name] for name in cause.ask)
    asked = (f"- {add_detail(f'`{one.run}`', one.why.read(language), language)}" for one in questions)
    yield from _write_section("settle", asked, language)
    yield from _write_section("fix", _list_fixes(cause, language), language)
    checks = (f"- {add_detail(f'`{check.run}`', check.expect.read(language), language)}" for check in cause.verify)
    yield from _write_section("verify", checks, language)
    yield from _write_section("references", (f"- <{reference}>" for reference in cause.references), language)


def _list_signs(signs: list[Sign], language: str) -> Iterator[str]:
    for sign in signs:
        if any(other.says == sign.says and not other.told for other in signs if sign.told):
            continue  # the same, known by its words too
        says = PLACE.sub("…", sign.says.read(language))
        yield f"- {add_detail(f'*{label(sign.strength, language)}*', says, language)}"
        if sign.fires and sign.scope != "note":
            yield f"  `{sign.fires[0].replace('`', chr(39))}`"


def _list_look_alikes(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    for other in cause.mistaken_for:
        named = add_remarks(catalogue.causes[other.cause].title.read(language), [f"`{other.cause}`"], language)
        yield f"- {add_detail(named, other.tell.read(language), language)}"


def _list_effects(cause: Cause, catalogue: Catalogue, language: str) -> Iterator[str]:
    for name in cause.leads_to:
        entry = catalogue.effects.get(name) or catalogue.causes[name]
        yield f"- {add_remarks(entry.title.read(language), [f'`{name}`'], language)}"


def _list_fixes(cause: Cause, language: str) -> Iterator[str]:
    for step in cause.fix:
        remarks = [label(step.where, language), label(step.risk, language)]
        remarks += [] if step.installer == "any" else [step.installer]
        why = step.why.read(language)
        told = add_detail(step.do.read(language), why, language) if step.do else why
        yield f"- {add_remarks(PLACE.sub('…', told), remarks, language)}"
        for key, run in (("save", step.save), ("", step.run), ("undo", step.undo)):
            yield from _format_command(run, label(key, language) if key else "")


def _format_command(run: str, name: str = "") -> Iterator[str]:
    """Between backticks where it is one line, else in a fence; after its name, where it has one."""
    lines = run.splitlines()
    if lines and name:
        yield from ("", f"  {name}")
    if len(lines) == 1:
        yield f"  `{run}`"
    elif lines:
        yield from ("  ```sh", *(f"  {line}" for line in lines), "  ```")


def _write_section(key: str, lines: Iterable[str], language: str) -> Iterator[str]:
    """A heading over lines, or nothing where there are none."""
    body = list(lines)
    if body:
        yield from ("", f"## {label(key, language)}", "", *body)
