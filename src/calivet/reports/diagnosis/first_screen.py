"""What suffices to act, before anything else: the verdict, each cause in a sentence, and the first command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.catalogue.model import Step
from calivet.fix.commands import does_change
from calivet.messages.command_line import find_gaps
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import HEALTHY, LIKELY, Candidate, Component, Diagnosis, Finding
from calivet.reports.diagnosis.header import list_header
from calivet.reports.layout.terminal import RISK, VERDICT, Layout
from calivet.reports.layout.wording import label, shorten_nodes, to_percent
from calivet.reports.layout.wrapping import clean_line, cut_items, join_items, measure_width, pad_text, wrap_text
from calivet.search.expressions import expression

MOST_FINDINGS = 3
MOST_CANDIDATES = 2
NO_LIMIT = 1_000
MOST_ALONE, MOST_BRIEF = 5, 1
"""Rows of the only command, or of one among several, where all that is asked for is to fit in a dozen."""
MOST_ROWS = 2
"""Of a command that is named again at the end."""
_EDITS = expression(r"\b(?:kubectl|calicoctl|oc) (?:-n \S+ )?edit\b")
_SENTENCE_END = expression(r"(?<=[.!?])\s+(?=[A-Z])|(?<=。)")


def write_first_screen(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """At most a dozen lines; where the steps of the only finding follow at once, its first is not named before."""
    yield from write_header(diagnosis, layout)
    yield from _write_headline(diagnosis, layout)
    is_followed = len(diagnosis.findings) == 1 and not layout.brief
    most = NO_LIMIT if not layout.brief else MOST_BRIEF if len(diagnosis.findings) > 1 else MOST_ALONE
    for number, finding in enumerate(diagnosis.findings[:MOST_FINDINGS], 1):
        yield from _write_finding(number, finding, diagnosis, layout)
        yield from [] if is_followed else _write_first_step(finding, layout, most)
    if (more := len(diagnosis.findings) - MOST_FINDINGS) > 0:
        yield f"   {layout.say('more.findings', count=more)}"
    if not diagnosis.findings and diagnosis.verdict != HEALTHY:
        # They follow at once, with what speaks for them, where more than the first screen is asked for.
        shown = diagnosis.candidates[:MOST_CANDIDATES] if layout.brief else []
        yield from (line for one in shown for line in _write_candidate(one, layout))


def write_header(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """What was looked at, where enough of it is known to tell one cluster from another."""
    parts = list_header(diagnosis.cluster, layout.language)
    yield from (layout.paint(line, "dim") for line in join_items(parts, "·", layout.width) if parts)


def write_closing(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """The same where a terminal leaves the eye: the verdict, and what to do first."""
    yield ""
    yield from _write_headline(diagnosis, layout)
    if diagnosis.findings:
        yield from _repeat_first_step(diagnosis.findings[0], layout, is_alone=len(diagnosis.findings) == 1)
    yield from write_question(diagnosis, layout)


def _write_headline(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """The verdict; where there is one finding, that is it."""
    alone = diagnosis.findings[0].cause.title if len(diagnosis.findings) == 1 else None
    yield from (
        _write_with_verdict(layout.read(alone), diagnosis, layout) if alone else write_verdict_lines(diagnosis, layout)
    )


def write_verdict_lines(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """The verdict in one sentence."""
    yield from _write_with_verdict(write_verdict(diagnosis, layout.language), diagnosis, layout)


def _write_with_verdict(sentence: str, diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    word = layout.say(diagnosis.verdict)
    first, *rest = wrap_text(f"{word}  {sentence}", layout.width)
    yield first.replace(word, layout.paint(word, "bold", VERDICT[diagnosis.verdict]), 1)
    yield from rest


def write_verdict(diagnosis: Diagnosis, language: str) -> str:
    """The same in every report."""
    count = len(diagnosis.findings)
    if count:
        return label("fault.one", language) if count == 1 else label("fault.many", language, count=count)
    if diagnosis.remark:
        return diagnosis.remark.read(language)
    if diagnosis.verdict == HEALTHY:
        return label("healthy.line", language)
    return label(describe_candidates(diagnosis), language)


def describe_candidates(diagnosis: Diagnosis) -> str:
    """The key of the words for what there is instead of a finding: some signs, symptoms alone, or nothing."""
    if not diagnosis.candidates:
        return "insufficient.none"
    is_guess = all(one.is_hypothesis for one in diagnosis.candidates)
    return "insufficient.symptoms" if is_guess else "insufficient.some"


def is_open(diagnosis: Diagnosis) -> bool:
    """Whether something is left to be settled: no finding, or one that is likely only."""
    return not diagnosis.findings or any(finding.certainty == LIKELY for finding in diagnosis.findings)


def write_title(number: int, finding: Finding, layout: Layout) -> Iterator[str]:
    """What is wrong, in a line."""
    yield from layout.indent(f"{number}. {layout.read(finding.cause.title)}", 0, "bold", hang=3)


def describe_finding(finding: Finding, diagnosis: Diagnosis, layout: Layout) -> str:
    """What identifies it: the cause, how sure it is, and where."""
    facts = [finding.cause.id, layout.say("confidence", percent=to_percent(finding.confidence))]
    facts += [layout.say("likely")] if finding.certainty == LIKELY else []
    facts += [describe_nodes(finding.nodes, diagnosis, layout.language)] if finding.nodes else []
    facts += [layout.say("repaired")] if finding.later_healthy else []
    return " · ".join(facts)


def describe_nodes(nodes: Sequence[str], diagnosis: Diagnosis, language: str) -> str:
    """The nodes that something was seen on; of many, how many of how many, and which of all it is not."""
    known = {*diagnosis.sick_nodes, *diagnosis.healthy_nodes, *nodes}
    everyone = sorted(known) if len(known) == diagnosis.cluster.nodes else []
    return shorten_nodes(nodes, everyone, diagnosis.cluster.nodes, language)


def _write_finding(number: int, finding: Finding, diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    if len(diagnosis.findings) > 1:
        yield from write_title(number, finding, layout)
    yield from layout.indent(describe_finding(finding, diagnosis, layout), 3, "dim")
    if not (layout.brief and len(diagnosis.findings) > 1):
        sentence, *_ = _SENTENCE_END.split(layout.read(finding.summary), maxsplit=1)
        yield from layout.indent(sentence, 3)


def _write_first_step(finding: Finding, layout: Layout, most: int = NO_LIMIT) -> Iterator[str]:
    """The command, and what has to be run before it; what takes more rows than this is named by its words."""
    if not (step := find_first_step(finding)):
        return
    words = layout.read(step.do or step.why)
    place = layout.say(step.where)
    if not step.run:
        yield from _write_step_words(step, words, layout, place)
        return
    run, *others = layout.write_command(step.run, 0)
    mark = layout.join_remarks(place, layout.paint(layout.say(step.risk), RISK[step.risk]))
    shown = [*_write_before(step, layout), f"   [{mark}] {run}{' …' if others else ''}"]
    if layout.count_rows(shown) <= most:
        yield from shown
    elif most == MOST_BRIEF:
        yield from _write_step_words(step, words, layout)
    else:
        yield from _write_step_words(step, layout.add_remarks(words, layout.say("more.command")), layout, place)


def _write_before(step: Step, layout: Layout) -> Iterator[str]:
    """What shows whether the step may be taken, and what keeps what it changes."""
    for key, run in (("precheck", step.precheck.run if step.precheck else None), ("save", step.save)):
        if run:
            first, *others = map(clean_line, run.splitlines())
            shown = layout.add_detail(layout.say(key), f"{first}{' …' if others else ''}")
            yield f"   {layout.paint(shown, 'dim')}"


def _repeat_first_step(finding: Finding, layout: Layout, *, is_alone: bool) -> Iterator[str]:
    """A command that takes much room, needs another before it or somebody to complete it is named by its number.

    It is a step of the first finding; where there are several, that is said.
    """
    shown = list(_write_first_step(finding, layout))
    step = find_first_step(finding)
    is_plain = step and not (step.save or step.precheck or is_incomplete(step.run))
    if step and step.run and (layout.count_rows(shown) > MOST_ROWS or not is_plain):
        number = next(number for number, one in enumerate(finding.fix, 1) if one is step)
        place = layout.say("step.above" if is_alone else "step.above.first", number=number)
        what = layout.add_detail(place, layout.read(step.do or step.why))
        shown = list(_write_step_words(step, what, layout))
    yield from shown


def find_first_step(finding: Finding) -> Step | None:
    """The first that changes something, by a command or by hand; no later one, which alone would not cure it.

    Where that one is dangerous or needs a judgement, it is what to look at before it, or else one that is neither.
    """
    steps = finding.fix
    place = next((number for number, step in enumerate(steps) if acts(step)), len(steps))
    if place < len(steps) and _is_plain(steps[place]):
        return steps[place]
    before = [step for step in steps[:place] if step.run]
    behind = [step for step in steps[place:] if step.run and _is_plain(step)]
    return next(iter([*before, *behind, *steps]), None)


def _is_plain(step: Step) -> bool:
    return step.risk != "dangerous" and step.decided_by != "operator"


def acts(step: Step) -> bool:
    """Whether it changes something rather than only look."""
    return not step.run or does_change(step.run)


def is_incomplete(run: str) -> bool:
    """Whether somebody has to complete it: in an editor, or where a gap is left."""
    return bool(find_gaps(run)) or _EDITS.search(run) is not None


def _write_step_words(step: Step, words: str, layout: Layout, *place: str) -> Iterator[str]:
    """A step in words behind what it risks, which is coloured once the lines are broken: a code is no text."""
    risk = layout.say(step.risk)
    first, *rest = layout.indent(f"[{layout.join_remarks(*place, risk)}] {words}", 3)
    yield first.replace(risk, layout.paint(risk, RISK[step.risk]), 1)
    yield from rest


def _write_candidate(candidate: Candidate, layout: Layout) -> Iterator[str]:
    remarks = (candidate.cause.id, f"{to_percent(candidate.confidence)}%")
    yield from layout.indent(f"- {layout.add_remarks(layout.read(candidate.cause.title), *remarks)}", 3, hang=2)


def write_question(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """What to look at first, where nothing was found to act on."""
    if diagnosis.next and not diagnosis.findings and diagnosis.verdict != HEALTHY:
        run, *_ = layout.write_command(diagnosis.next[0].run, 0)
        yield f"   {layout.add_detail(layout.say('next'), run)}"


_MARK = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}


def draw_screen(diagnosis: Diagnosis, layout: Layout, before: Diagnosis | None = None) -> str:
    """What was looked at, components, verdict and the names of the causes: what fits on one screen."""
    lines = [*write_header(diagnosis, layout), *write_components(diagnosis.components, layout, before)]
    lines += ["", *write_verdict_lines(diagnosis, layout)]
    for finding in diagnosis.findings:
        named = layout.add_detail(layout.read(finding.cause.title), finding.cause.id)
        where = [describe_nodes(finding.nodes, diagnosis, layout.language)] if finding.nodes else []
        lines += layout.indent(f"- {layout.add_remarks(named, *where)}", 3, hang=2)
    return "\n".join(lines) + "\n"


def write_sick_components(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """Each part that is not well, and the names of those that are; all of them where nothing is wrong, or asked for."""
    if layout.verbose or diagnosis.verdict == HEALTHY:
        yield from write_components(diagnosis.components, layout)
        return
    titles = {finding.cause.title for finding in diagnosis.findings}
    sick = [one for one in diagnosis.components if one.good is False and one.state not in titles]
    yield from write_components(sick, layout, is_short=True)
    names = [layout.read(one.name) for one in diagnosis.components if one.good]
    if names:
        mark, colour = _MARK[True]
        first, *rest = wrap_text(layout.join_names(names), layout.width - 3)
        yield from (f" {layout.paint(mark, colour)} {first}", *(f"   {line}" for line in rest))


def write_components(
    components: Sequence[Component], layout: Layout, before: Diagnosis | None = None, *, is_short: bool = False
) -> Iterator[str]:
    """A mark, a name and the state of each part; of a short one only what fits beside the name."""
    names = [layout.read(component.name) for component in components]
    room = max(map(measure_width, names), default=0) + 2
    known = {component.name: component for component in before.components} if before else {}
    for name, component in zip(names, components, strict=True):
        mark, colour = _MARK[component.good]
        state, width = clean_line(layout.read(component.state)), layout.width - room - 3
        first, *rest = [cut_items(state, width)] if is_short else wrap_text(state, width)
        lead = layout.paint("*", "yellow", "bold") if _has_changed(component, known) else " "
        yield f"{lead}{layout.paint(mark, colour)} {layout.paint(pad_text(name, room), 'bold')}{first}"
        yield from (" " * (room + 3) + line for line in rest)


def _has_changed(component: Component, known: dict[Words, Component]) -> bool:
    return component.name in known and known[component.name] != component
