"""A comparison on a terminal, and for a ticket."""

from __future__ import annotations

from collections.abc import Mapping

from calivet.catalogue.words import Words
from calivet.comparison.comparison import Comparison
from calivet.reports.comparison_parts import BAD, GOOD, OPEN, Telling
from calivet.reports.layout import Layout
from calivet.reports.markdown_text import plain
from calivet.reports.paint import VERDICT

_MARK = {BAD: ("✗", "red"), GOOD: ("✓", "green"), OPEN: ("·", "yellow")}


def comparison_text(compared: Comparison, titles: Mapping[str, Words], layout: Layout) -> str:
    """The verdicts, then what needs doing, then what is done."""
    telling = Telling(titles, layout.language)
    lines = [layout.paint(telling.verdict(compared), "bold", VERDICT[compared.after])]
    lines += layout.indented(telling.counts(compared), 0)
    if remark := telling.remark(compared):
        lines += layout.indented(remark, 0, "yellow")
    for part in telling.parts(compared):
        mark, colour = _MARK[part.mood]
        lines += ["", *layout.indented(part.title, 0, "bold")]
        for item in part.items:
            first, *rest = layout.indented(item, 0, hang=3)
            lines += [f" {layout.paint(mark, colour)} {first}", *rest]
    return "\n".join(lines) + "\n"


def comparison_markdown(compared: Comparison, titles: Mapping[str, Words], language: str) -> str:
    """The same in Markdown."""
    telling = Telling(titles, language)
    lines = [f"## calivet: {telling.verdict(compared)}", "", telling.counts(compared)]
    if remark := telling.remark(compared):
        lines += ["", f"**{remark}**"]
    for part in telling.parts(compared):
        lines += ["", f"### {part.title}", "", *(f"- {plain(item)}" for item in part.items)]
    return "\n".join(lines) + "\n"
