"""One finding on a terminal: its lines, what to do about it, how to check, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.catalogue.model import Check, Step
from calivet.evidence.artifact import Line
from calivet.messages.command_line import Command
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import LIKELY, Citation, Diagnosis, Finding
from calivet.reports.diagnosis.first_screen import acts, describe_finding, find_first_step
from calivet.reports.layout.terminal import RISK, STRENGTH, Layout, name_place
from calivet.reports.layout.wrapping import clean_line, join_items, measure_painted, measure_width
from calivet.search.expressions import expression

SCREEN = 24
"""Rows of the smallest terminal: all that one needs to act stands on them."""
MOST_EVIDENCE = 2
MOST_CHECKS = 1
MOST_ROWS = 2
"""Of a command that only looks, where room is scarce."""
MOST_LINKS = 2
SHOWN = 6
_EXAMPLE = expression(r" \([^()]+\)")
_FIGURES = expression(r"[\w./:-]*\d[\w./:-]*")


def write_finding(finding: Finding, diagnosis: Diagnosis, layout: Layout, used: int = 0) -> Iterator[str]:
    """All of one finding below its title; of steps only as many as fit on a screen of which so many rows are used."""
    if layout.verbose:
        yield from _write_everything(finding, diagnosis, layout)
        return
    lines = list(_write_evidence(choose_evidence(finding), layout, 3))
    checks = [line for check in finding.verify[:MOST_CHECKS] for line in _write_check_line(check, layout)]
    room = SCREEN - used - layout.count_rows([*lines, *checks])
    steps = _choose_steps(finding, room, layout)
    is_crowded = layout.count_rows(write_fix(steps, layout)) >= room
    folded = [step for step in steps[:-1] if _is_long_look(step, layout)] if is_crowded else []
    lines += layout.write_section("fix", write_fix(steps, layout, folded))
    yield from [*lines, *checks]
    yield from _write_chain_line(finding, diagnosis.titles, layout)
    yield from layout.indent(_name_rest(finding, steps, layout), 3, "dim", hang=2)


def _write_everything(finding: Finding, diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    titles = diagnosis.titles
    yield from layout.indent(describe_finding(finding, diagnosis, layout), 3, "dim")
    yield from layout.indent(layout.read(finding.summary), 3)
    yield from layout.write_section("evidence", _write_evidence(finding.evidence, layout))
    yield from layout.write_section("chain", _write_chain(finding, titles, layout))
    yield from layout.write_section("explains", _write_explains(finding, titles, layout))
    yield from layout.write_section("fix", write_fix(finding.fix, layout))
    yield from layout.write_section("verify", _write_checks(finding.verify, layout))
    yield from layout.indent(layout.say("explain", cause=finding.cause.id), 3, "dim")


def choose_evidence(finding: Finding) -> list[Citation]:
    """What tells why, then a proof alone, or the two strongest lines of which each tells something of its own."""
    shown: list[Citation] = []
    reasons = [item for item in finding.evidence if item.tells_why]
    for item in [*reasons[:1], *(item for item in finding.evidence if item not in reasons)]:
        if item.strength == "against" or any(_says_the_same(item, other) for other in shown):
            continue
        shown.append(item)
        if item.strength == "proof" or len(shown) == MOST_EVIDENCE:
            break
    return shown or finding.evidence[:1]


def _says_the_same(item: Citation, other: Citation) -> bool:
    """All figures and names of a claim stand in the other too, or it is one more example, or rests on the same line."""
    told = set(_FIGURES.findall(item.says.en))
    is_example = _EXAMPLE.sub("", item.says.en) == _EXAMPLE.sub("", other.says.en)
    return item.line == other.line or is_example or (bool(told) and told <= set(_FIGURES.findall(other.says.en)))


def _choose_steps(finding: Finding, room: int, layout: Layout) -> Sequence[Step]:
    """Up to the first that acts; further ones where there is room for them."""
    first = find_first_step(finding)
    needed = next((number for number, step in enumerate(finding.fix, 1) if step is first), 1)
    count = needed
    while count < len(finding.fix) and layout.count_rows(write_fix(finding.fix[: count + 1], layout)) < room:
        count += 1
    return finding.fix[:count]


def _is_long_look(step: Step, layout: Layout) -> bool:
    return not acts(step) and layout.count_rows(layout.write_command(step.run)) > MOST_ROWS


def _name_rest(finding: Finding, steps: Sequence[Step], layout: Layout) -> str:
    """Where to read more, and the names of the steps that -v adds: who stops before the last has cured nothing."""
    named = [f"{number}) {layout.read(step.do or step.why)}" for number, step in enumerate(finding.fix, 1)]
    further = layout.join_clauses(named[len(steps) :])
    parts = [layout.say("explain", cause=finding.cause.id)]
    parts += [layout.add_detail(layout.say("more.steps"), further)] if further else []
    return layout.join_clauses(parts)


def write_proving(finding: Finding, diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """Where a finding is likely only, the command that would prove it."""
    own = next((item for item in diagnosis.next if finding.cause.id in item.separates), None)
    if finding.certainty == LIKELY and own:
        first, *_ = layout.write_command(own.run, 0)
        yield f"   {layout.add_detail(layout.say('next'), first)}"


def _write_evidence(evidence: Sequence[Citation], layout: Layout, indent: int = 5) -> Iterator[str]:
    """Claims that rest on the same line stand together over it."""
    claims: dict[Line, list[Citation]] = {}
    for item in evidence:
        claims.setdefault(item.line, []).append(item)
    for line, items in claims.items():
        claimed = [
            text
            for item in items
            for text in layout.mark_lines(
                layout.say(item.strength), STRENGTH[item.strength], _format_claim(item, layout), indent
            )
        ]
        place = layout.paint(name_place(line), "cyan")
        # Beside the last words where it fits: two lines for each sign make the answer long.
        fits = measure_painted(claimed[-1]) + measure_width(name_place(line)) + 2 <= layout.width
        yield from [*claimed[:-1], f"{claimed[-1]}  {place}"] if fits else [*claimed, f"{' ' * (indent + 2)}{place}"]
        yield from layout.write_command(items[0].shown_by, indent + 2)
        yield from layout.quote_text(line, indent + 2, items[0].words)


def _format_claim(item: Citation, layout: Layout) -> str:
    says = layout.read(item.says)
    times = layout.say("times", count=item.count)
    remarks = [times] if item.count > 1 and times not in says else []
    remarks += [layout.say("note")] if item.note else []
    return layout.add_remarks(says, *remarks)


def _write_chain(finding: Finding, titles: dict[str, Words], layout: Layout) -> Iterator[str]:
    """From cause to symptom; a cause that is seen as such, an effect of the same name, is one step."""
    steps = _list_links(finding, titles, layout)
    if len(steps) > 1:
        yield from (f"     {line.strip()}" for line in join_items(steps, "→", layout.width - 5))


def _write_chain_line(finding: Finding, titles: dict[str, Words], layout: Layout) -> Iterator[str]:
    """The same behind its name and without the cause, whose title stands above."""
    steps = _list_links(finding, titles, layout)[1:]
    if not steps:
        return
    first = layout.add_detail(layout.say("chain"), steps[0])
    lines = join_items([first, *steps[1:]], "→", layout.width - 5)
    if len(lines) > 1 and len(steps) > MOST_LINKS:
        lines = join_items([first, "…", steps[-1]], "→", layout.width - 5)
    yield f"   {lines[0]}"
    yield from (f"     {line.strip()}" for line in lines[1:])


def _list_links(finding: Finding, titles: dict[str, Words], layout: Layout) -> list[str]:
    return list(dict.fromkeys(layout.read(titles[step]) for step in finding.chain))


def _write_explains(finding: Finding, titles: dict[str, Words], layout: Layout) -> Iterator[str]:
    subjects: dict[str, list[str]] = {}
    for item in finding.explains:
        subjects.setdefault(layout.read(item.title), []).extend([item.subject] if item.subject else [])
    for title, names in subjects.items():
        unique = list(dict.fromkeys(names))
        more = f" (+{len(unique) - SHOWN})" if len(unique) > SHOWN else ""
        text = layout.add_detail(title, layout.join_names(unique[:SHOWN]) + more) if unique else title
        yield from layout.indent(f"- {text}", 5, hang=2)
    for name in finding.consequences:
        yield from layout.indent(f"- {layout.add_remarks(layout.read(titles[name]), name)}", 5, hang=2)


def write_fix(steps: Sequence[Step], layout: Layout, folded: Sequence[Step] = ()) -> Iterator[str]:
    """The steps of a fix, each with where to take it and what it risks; of those that are folded, that alone."""
    for number, step in enumerate(steps, 1):
        risk = layout.paint(layout.say(step.risk), RISK[step.risk])
        told = _describe_step(step, layout)
        mark = f"[{layout.join_remarks(layout.say(step.where), risk)}]"
        if step in folded:
            mark = f"{mark} {layout.paint(layout.say('more.command'), 'dim')}"
        *before, last = layout.indent(f"{number}) {told}", 5, hang=3)
        yield from before
        # Beside the last words where it fits: a line of its own for each step makes the answer long.
        fits = measure_painted(f"{last} {mark}") <= layout.width
        yield from [f"{last} {mark}"] if fits else [last, f"        {mark}"]
        if step in folded:
            continue
        yield from write_before(step, layout)
        yield from layout.write_command(step.run)
        # What is safe seldom has to be taken back.
        if step.undo and (layout.verbose or step.risk != "safe"):
            yield from write_aside("undo", step.undo, layout)


def _describe_step(step: Step, layout: Layout) -> str:
    """What is done; and, where everything is wanted or nothing else told, what for."""
    why = layout.read(step.why)
    if not step.do:
        return why
    return layout.add_detail(layout.read(step.do), why) if layout.verbose else layout.read(step.do)


def write_before(step: Step, layout: Layout) -> Iterator[str]:
    """What to know and to do before the step is taken."""
    if step.interrupts:
        yield from layout.indent(layout.add_detail(layout.say("interrupts"), layout.read(step.interrupts)), 8)
    if step.precheck:
        yield from write_aside("precheck", step.precheck.run, layout)
        yield from layout.indent(layout.add_detail(layout.say("expect"), layout.read(step.precheck.expect)), 10)
    if step.save:
        yield from write_aside("save", step.save, layout)


def write_aside(key: str, run: Command, layout: Layout) -> Iterator[str]:
    """A command beside the step's own, after its label; one of several lines stands below it."""
    first, *others = map(clean_line, run.splitlines())
    shown = [layout.add_detail(layout.say(key), first), *others]
    yield from (f"        {layout.paint(line, 'dim')}" for line in shown)


def _write_check_line(check: Check, layout: Layout) -> Iterator[str]:
    """Behind its name: a heading of its own would make the answer long."""
    first, *others = layout.write_command(check.run, 0)
    yield f"   {layout.add_detail(layout.paint(layout.say('verify'), 'bold', 'blue'), first)}"
    yield from (f"     {line}" for line in others)
    yield from layout.indent(layout.add_detail(layout.say("expect"), layout.read(check.expect)), 5)


def _write_checks(checks: Sequence[Check], layout: Layout) -> Iterator[str]:
    for check in checks:
        yield from layout.write_command(check.run)
        yield from layout.indent(layout.add_detail(layout.say("expect"), layout.read(check.expect)), 8)
