"""A fleet on a terminal, and for a ticket."""

from __future__ import annotations

from collections.abc import Mapping

from calivet.catalogue.words import Words
from calivet.fleet.summary import Summary
from calivet.reports.fleet_parts import BAD, OPEN, Telling
from calivet.reports.layout import Layout
from calivet.reports.markdown_text import plain
from calivet.reports.punctuation import told
from calivet.reports.wrapping import width_of

_MARK = {BAD: ("✗", "red"), OPEN: ("·", "yellow")}
_INDENT = 5


def fleet_text(summary: Summary, titles: Mapping[str, Words], layout: Layout) -> str:
    """The counts, then the causes that hit most."""
    telling = Telling(summary, titles, layout.language)
    lines = list(layout.indented(telling.head(), 0, "bold"))
    for part in telling.parts():
        mark, colour = _MARK[part.mood]
        lines += ["", *layout.indented(part.title, 0, "bold")]
        for item in part.items:
            first, *rest = layout.indented(item.text, 0, hang=3)
            lines += [f" {layout.paint(mark, colour)} {first}", *rest]
            room = max((width_of(word) for word, _ in item.details), default=0) + 2
            for word, text in item.details:
                lines += layout.labelled(word, room, text, _INDENT)
    if remark := telling.remark():
        lines += ["", *layout.indented(remark, 0)]
    return "\n".join(lines) + "\n"


def fleet_markdown(summary: Summary, titles: Mapping[str, Words], language: str) -> str:
    """The same in Markdown."""
    telling = Telling(summary, titles, language)
    lines = [f"## calivet: {telling.head()}"]
    for part in telling.parts():
        lines += ["", f"### {part.title}", ""]
        for item in part.items:
            lines.append(f"- {plain(item.text)}")
            lines += [f"  - {plain(told(word, text, language))}" for word, text in item.details]
    if remark := telling.remark():
        lines += ["", remark]
    return "\n".join(lines) + "\n"
