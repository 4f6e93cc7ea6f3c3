"""A cause on a terminal: what it is and what to do about it first, then how it shows and what it is mistaken for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.model import Catalogue, Cause, Sign, Step
from calivet.messages.command_line import COMMAND_PLACE, PLACE, fill
from calivet.messages.words import Words
from calivet.reports.layout.paint import RISK, STRENGTH
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wording import unfold


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
    """What each cluster has of its own, as <kubelet-unit>."""
    names = {place: f"<{place.replace('_', '-')}>" for place in PLACE.findall(text)}
    return fill(text, names, COMMAND_PLACE)


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
