"""The parts of the cluster on a terminal, each with a mark and its state; and what fits on the screen of `status`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.messages.words import Words
from calivet.reasoning.diagnosis import HEALTHY, Component, Diagnosis
from calivet.reports.diagnosis.first_screen import describe_nodes, write_header, write_verdict_lines
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wrapping import clean_line, cut_items, measure_width, pad_text, wrap_text

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
