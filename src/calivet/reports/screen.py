"""The first screen: a line for each part of the cluster, then the verdict; what changed since last time is marked."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.words import Words
from calivet.reasoning.diagnosis import Component, Diagnosis
from calivet.reports.layout import Layout
from calivet.reports.paint import VERDICT
from calivet.reports.verdict import verdict_sentence
from calivet.reports.wrapping import padded, width_of, wrapped

_MARK = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}


def screen(diagnosis: Diagnosis, layout: Layout, before: Diagnosis | None = None) -> str:
    """Components, verdict and the names of the causes: what fits on one screen."""
    lines = [*component_lines(diagnosis, layout, before), *verdict_lines(diagnosis, layout)]
    for finding in diagnosis.findings:
        where = f" ({', '.join(finding.nodes)})" if finding.nodes else ""
        lines += layout.indented(f"- {layout.read(finding.cause.title)}: {finding.cause.id}{where}", 3, hang=2)
    return "\n".join(lines) + "\n"


def component_lines(diagnosis: Diagnosis, layout: Layout, before: Diagnosis | None = None) -> Iterator[str]:
    """A mark, a name and the state of each part."""
    names = [layout.read(component.name) for component in diagnosis.components]
    room = max(width_of(name) for name in names) + 2
    known = {component.name: component for component in before.components} if before else {}
    for name, component in zip(names, diagnosis.components, strict=True):
        mark, colour = _MARK[component.good]
        first, *rest = wrapped(layout.read(component.state), layout.width - room - 3)
        lead = layout.paint("*", "yellow", "bold") if _changed(component, known) else " "
        yield f"{lead}{layout.paint(mark, colour)} {layout.paint(padded(name, room), 'bold')}{first}"
        yield from (" " * (room + 3) + line for line in rest)
    yield ""


def _changed(component: Component, known: dict[Words, Component]) -> bool:
    return component.name in known and known[component.name] != component


def verdict_lines(diagnosis: Diagnosis, layout: Layout) -> Iterator[str]:
    """The verdict in one sentence."""
    word = layout.word(diagnosis.verdict)
    first, *rest = wrapped(f"{word}  {verdict_sentence(diagnosis, layout.language)}", layout.width)
    yield first.replace(word, layout.paint(word, "bold", VERDICT[diagnosis.verdict]), 1)
    yield from rest
