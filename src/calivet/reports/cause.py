"""A cause of the catalogue for people: as text on a terminal, and as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.model import Catalogue, Cause, Sign, Step
from calivet.messages.command_line import COMMAND_PLACE, PLACE, fill
from calivet.messages.words import PROVEN, Words
from calivet.reports.layout.terminal import RISK, STRENGTH, Layout
from calivet.reports.layout.wording import add_detail, add_remarks, label, unfold
from calivet.search.expressions import expression


def write_cause_text(cause: Cause, catalogue: Catalogue, layout: Layout) -> str:
    """All that is known of it, wrapped to the terminal."""
    lines = [*layout.indent(layout.read(cause.title), 0, "bold")]
    layer = layout.add_detail(layout.say("layer"), layout.say(f"layer.{cause.layer}"))
    lines += [layout.paint(f"{cause.id} · {layer}", "dim"), ""]
    lines += layout.indent(unfold(layout.read(cause.explain)), 0)
    settling = [catalogue.questions[name] for name in cause.ask]
    parts = (
        ("fix", _write_steps(cause.fix, layout)),
        ("verify", _write_looks(((one.run, one.expect) for one in cause.verify), layout)),
        ("shows", _write_signs(cause.signs, layout)),
        ("speaks_against", _write_signs(cause.against, layout)),
        ("settle", _write_looks(((one.run, one.why) for one in settling), layout)),
        ("mistaken", _write_look_alikes(cause, catalogue, layout)),
        ("leads_to", _write_effects(cause, catalogue, layout)),
        ("references", (f"   {reference}" for reference in cause.references)),
    )
    for key, part in parts:
        body = list(part)
        lines += [*layout.write_heading(key), *body] if body else []
    return "\n".join(lines) + "\n"


def name_gaps(text: str) -> str:
    """What each cluster has of its own, as <kubelet-unit>; why a value was proven right there is left out."""
    text = _PROOF.sub("", text)
    names = {place: f"<{place.removeprefix(PROVEN).replace('_', '-')}>" for place in PLACE.findall(text)}
    return fill(text, names, COMMAND_PLACE)


_PROOF = expression(r"(?:: |：)\{proven_why\}")


def _write_steps(steps: Iterable[Step], layout: Layout) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        why = layout.read(step.why)
        told = layout.add_detail(layout.read(step.do), why) if step.do else why
        remarks = [layout.say(step.where), layout.paint(layout.say(step.risk), RISK[step.risk])]
        remarks += [] if step.installer == "any" else [step.installer]
        yield from layout.indent(f"{number}) {name_gaps(told)}", 3, hang=3)
        yield f"      [{layout.join_remarks(*remarks)}]"
        if step.interrupts:
            yield from layout.indent(layout.add_detail(layout.say("interrupts"), layout.read(step.interrupts)), 6)
        if step.precheck:
            yield from _write_command(step.precheck.run, layout, layout.say("precheck"))
            expected = name_gaps(layout.read(step.precheck.expect))
            yield from layout.indent(layout.add_detail(layout.say("expect"), expected), 8)
        for key, run in (("save", step.save), ("", step.run), ("undo", step.undo)):
            yield from _write_command(run, layout, layout.say(key) if key else "")


def _write_command(run: str, layout: Layout, name: str = "") -> Iterator[str]:
    """Not wrapped: it is there to be copied."""
    for number, line in enumerate(name_gaps(run).splitlines()):
        shown = layout.paint(line, "dim" if name else "green")
        yield f"      {layout.add_detail(name, shown) if name and not number else shown}"


def _write_looks(looks: Iterable[tuple[str, Words]], layout: Layout) -> Iterator[str]:
    for run, words in looks:
        yield from (f"   {layout.paint(line, 'green')}" for line in name_gaps(run).splitlines())
        yield from layout.indent(name_gaps(layout.read(words)), 6)


def _write_signs(signs: list[Sign], layout: Layout) -> Iterator[str]:
    for sign in signs:
        if any(other.says == sign.says and not other.told for other in signs if sign.told):
            continue  # the same, known by its words too
        says = name_gaps(layout.read(sign.says))
        yield from layout.mark_lines(layout.say(sign.strength), STRENGTH[sign.strength], says, 3)
        if sign.fires and sign.scope != "note":
            yield from layout.indent(sign.fires[0], 5, "dim")


def _write_look_alikes(cause: Cause, catalogue: Catalogue, layout: Layout) -> Iterator[str]:
    for other in cause.mistaken_for:
        named = layout.add_remarks(layout.read(catalogue.causes[other.cause].title), other.cause)
        yield from layout.indent(f"- {layout.add_detail(named, layout.read(other.tell))}", 3, hang=2)


def _write_effects(cause: Cause, catalogue: Catalogue, layout: Layout) -> Iterator[str]:
    for name in cause.leads_to:
        entry = catalogue.effects.get(name) or catalogue.causes[name]
        yield from layout.indent(f"- {layout.add_remarks(layout.read(entry.title), name)}", 3, hang=2)


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
        if step.interrupts:
            impact = add_detail(label("interrupts", language), step.interrupts.read(language), language)
            yield from ("", f"  {PLACE.sub('…', impact)}")
        if step.precheck:
            yield from _format_command(step.precheck.run, label("precheck", language))
            expected = add_detail(label("expect", language), step.precheck.expect.read(language), language)
            yield from ("", f"  {PLACE.sub('…', expected)}")
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
