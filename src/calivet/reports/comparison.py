"""A comparison of two diagnoses: on a terminal, for a ticket, and as the JSON that scripts rely on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct, structs

from calivet import __version__
from calivet.comparison import Changed, Comparison
from calivet.contract.comparison import VERSION, Candidate, Cause, Document, Remaining
from calivet.contract.comparison import Component as ChangedComponent
from calivet.contract.diagnosis import Component
from calivet.contract.documents import encode_plainly
from calivet.messages.words import Words
from calivet.reports.layout.markdown import escape_markup
from calivet.reports.layout.terminal import VERDICT, Layout
from calivet.reports.layout.wording import add_detail, add_remarks, join_names, label, to_percent

SHOWN_NODES = 8
GOOD, BAD, OPEN = "good", "bad", "open"
_MARK = {BAD: ("✗", "red"), GOOD: ("✓", "green"), OPEN: ("·", "yellow")}
_MARKS = {True: "✓", False: "✗", None: "·"}


def write_comparison(compared: Comparison, titles: Mapping[str, Words], layout: Layout) -> str:
    """The verdicts, then what needs doing, then what is done."""
    words = ComparisonWords(titles, layout.language)
    lines = [layout.paint(words.write_verdict(compared), "bold", VERDICT[compared.after])]
    lines += layout.indent(words.write_counts(compared), 0)
    if remark := words.write_remark(compared):
        lines += layout.indent(remark, 0, "yellow")
    for part in words.build_sections(compared):
        mark, colour = _MARK[part.mood]
        lines += ["", *layout.indent(part.title, 0, "bold")]
        for item in part.items:
            first, *rest = layout.indent(item, 0, hang=3)
            lines += [f" {layout.paint(mark, colour)} {first}", *rest]
    return "\n".join(lines) + "\n"


def write_comparison_markdown(compared: Comparison, titles: Mapping[str, Words], language: str) -> str:
    """The same in Markdown."""
    words = ComparisonWords(titles, language)
    lines = [f"## calivet: {words.write_verdict(compared)}", "", words.write_counts(compared)]
    if remark := words.write_remark(compared):
        lines += ["", f"**{remark}**"]
    for part in words.build_sections(compared):
        lines += ["", f"### {part.title}", "", *(f"- {escape_markup(item)}" for item in part.items)]
    return "\n".join(lines) + "\n"


class ComparisonSection(Struct, frozen=True):
    """A heading and the items under it, each of them one line."""

    title: str
    mood: str
    items: list[str]


class ComparisonWords:
    """Puts a comparison into words."""

    def __init__(self, titles: Mapping[str, Words], language: str) -> None:
        """The titles of the causes that are known; another one goes by the title it came with."""
        self._titles = titles
        self._language = language

    def write_verdict(self, compared: Comparison) -> str:
        """Before and after."""
        return f"{self._say(compared.before)} → {self._say(compared.after)}"

    def write_counts(self, compared: Comparison) -> str:
        """How many of each."""
        return self._say(
            "diff.counts",
            fixed=len(compared.fixed),
            new=len(compared.new),
            remaining=len(compared.remaining),
            unseen=len(compared.unseen),
        )

    def write_remark(self, compared: Comparison) -> str:
        """A word to the reader, where one is due."""
        if compared.unrelated:
            return self._say("diff.unrelated")
        return "" if self.build_sections(compared) else self._say("diff.same")

    def build_sections(self, compared: Comparison) -> list[ComparisonSection]:
        """Those that have something in them; what needs doing first."""
        parts = [
            self._build_section("diff.new", BAD, map(self._write_new, compared.new)),
            self._build_section("diff.remaining", BAD, map(self._write_remaining, compared.remaining)),
            self._build_section("diff.unseen", OPEN, map(self._write_unseen, compared.unseen)),
            self._build_section("diff.fixed", GOOD, map(self._write_cause, compared.fixed)),
            self._build_section("diff.components", OPEN, map(self._write_changed, compared.components)),
            self._build_section("diff.candidates", OPEN, map(self._write_shifted, compared.candidates)),
        ]
        return [part for part in parts if part.items]

    def find_title(self, cause: str, given: str = "") -> str:
        """The title of a cause, or what else it goes by."""
        return self._titles[cause].read(self._language) if cause in self._titles else given or cause

    def _build_section(self, key: str, mood: str, items: Iterator[str]) -> ComparisonSection:
        return ComparisonSection(self._say(key), mood, list(items))

    def _say(self, key: str, **values: object) -> str:
        return label(key, self._language, **values)

    def _write_cause(self, found: Cause | Remaining, *more: str) -> str:
        return " · ".join(
            (
                self._name_cause(found.cause, found.title),
                *([self._list_nodes(found.nodes)] if found.nodes else []),
                *more,
            )
        )

    def _name_cause(self, cause: str, given: str = "") -> str:
        title = self.find_title(cause, given)
        return add_remarks(title, [cause] if title != cause else [], self._language)

    def _list_nodes(self, nodes: list[str]) -> str:
        more = f" (+{len(nodes) - SHOWN_NODES:,})" if len(nodes) > SHOWN_NODES else ""
        return join_names(nodes[:SHOWN_NODES], self._language) + more

    def _write_new(self, item: Cause) -> str:
        sure = self._say("confidence", percent=to_percent(item.confidence))
        return self._write_cause(item, sure, *self._explain_elsewhere(item, "diff.was_possible", "diff.followed"))

    def _write_unseen(self, item: Cause) -> str:
        return self._write_cause(item, *self._explain_elsewhere(item, "diff.still_possible", "diff.follows"))

    def _explain_elsewhere(self, item: Cause, possible: str, follows: str) -> Iterator[str]:
        """What the other diagnosis says of it."""
        if item.candidate is not None:
            yield self._say(possible, percent=to_percent(item.candidate))
        if item.follows:
            yield self._say(follows, title=self.find_title(item.follows))

    def _write_remaining(self, item: Remaining) -> str:
        before, after = to_percent(item.before), to_percent(item.after)
        more = [self._say("confidence", percent=after)]
        if before != after:
            more = [self._say("diff.confidence", before=before, after=after)]
        more += [self._say("diff.joined", nodes=self._list_nodes(item.joined))] if item.joined else []
        more += [self._say("diff.left", nodes=self._list_nodes(item.left))] if item.left else []
        more += [self._say("repaired")] if item.later_healthy else []
        return self._write_cause(item, *more)

    def _write_changed(self, item: Changed) -> str:
        known = item.after or item.before
        name = known.name if known else item.id
        return add_detail(name, f"{self._write_state(item.before)} → {self._write_state(item.after)}", self._language)

    def _write_state(self, part: Component | None) -> str:
        return f"{_MARKS[part.good]} {part.state}" if part else f"{_MARKS[None]} {self._say('diff.not_seen')}"

    def _write_shifted(self, item: Candidate) -> str:
        return add_detail(
            self._name_cause(item.cause),
            f"{self._format_likely(item.before)} → {self._format_likely(item.after)}",
            self._language,
        )

    def _format_likely(self, confidence: float | None) -> str:
        return self._say("diff.unnamed") if confidence is None else f"{to_percent(confidence)}%"


Item = TypeVar("Item", Cause, Remaining)
Title = Callable[[str, str], str]
"""A cause's title by its id and the title it came with."""


def encode_comparison(compared: Comparison, title: Title) -> str:
    """One JSON document."""
    document = Document(
        schema=VERSION,
        calivet=__version__,
        before=compared.before,
        after=compared.after,
        new=[_add_title(item, title) for item in compared.new],
        remaining=[_add_title(item, title) for item in compared.remaining],
        fixed=[_add_title(item, title) for item in compared.fixed],
        unseen=[_add_title(item, title) for item in compared.unseen],
        components=[_build_component(item) for item in compared.components],
        candidates=compared.candidates,
        unrelated=compared.unrelated,
    )
    return encode_plainly(document) + "\n"


def _add_title(item: Item, title: Title) -> Item:
    return structs.replace(item, title=title(item.cause, item.title))


def _build_component(item: Changed) -> ChangedComponent:
    return ChangedComponent(item.id, item.before.good if item.before else None, item.after.good if item.after else None)
