"""What a comparison tells, part by part, in the reader's language; how it stands on the page is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from calivet.catalogue.words import Words
from calivet.comparison.comparison import Changed, Comparison, OneSided, Remaining, Shifted
from calivet.comparison.side import Component, Found
from calivet.reports.labels import label, percent
from calivet.reports.punctuation import listed, remarked, told

SHOWN_NODES = 8
GOOD, BAD, OPEN = "good", "bad", "open"
_MARKS = {True: "✓", False: "✗", None: "·"}


class Part(Struct, frozen=True):
    """A heading and the items under it, each of them one line."""

    title: str
    mood: str
    items: list[str]


class Telling:
    """Puts a comparison into words."""

    def __init__(self, titles: Mapping[str, Words], language: str) -> None:
        """The titles of the causes that are known; another one goes by the title it came with."""
        self._titles = titles
        self._language = language

    def verdict(self, compared: Comparison) -> str:
        """Before and after."""
        return f"{self._word(compared.before)} → {self._word(compared.after)}"

    def counts(self, compared: Comparison) -> str:
        """How many of each."""
        return self._word(
            "diff.counts",
            fixed=len(compared.fixed),
            new=len(compared.new),
            remaining=len(compared.remaining),
            unseen=len(compared.unseen),
        )

    def remark(self, compared: Comparison) -> str:
        """A word to the reader, where one is due."""
        if compared.unrelated:
            return self._word("diff.unrelated")
        return "" if self.parts(compared) else self._word("diff.same")

    def parts(self, compared: Comparison) -> list[Part]:
        """Those that have something in them; what needs doing first."""
        parts = [
            self._part("diff.new", BAD, map(self._new, compared.new)),
            self._part("diff.remaining", BAD, map(self._remaining, compared.remaining)),
            self._part("diff.unseen", OPEN, map(self._unseen, compared.unseen)),
            self._part("diff.fixed", GOOD, (self._cause(item.finding) for item in compared.fixed)),
            self._part("diff.components", OPEN, map(self._changed, compared.components)),
            self._part("diff.candidates", OPEN, map(self._shifted, compared.candidates)),
        ]
        return [part for part in parts if part.items]

    def title(self, cause: str, given: str = "") -> str:
        """The title of a cause, or what else it goes by."""
        return self._titles[cause].read(self._language) if cause in self._titles else given or cause

    def _part(self, key: str, mood: str, items: Iterator[str]) -> Part:
        return Part(self._word(key), mood, list(items))

    def _word(self, key: str, **values: object) -> str:
        return label(key, self._language, **values)

    def _cause(self, found: Found, *more: str) -> str:
        return " · ".join(
            (self._named(found.cause, found.title), *([self._nodes(found.nodes)] if found.nodes else []), *more)
        )

    def _named(self, cause: str, given: str = "") -> str:
        title = self.title(cause, given)
        return remarked(title, [cause] if title != cause else [], self._language)

    def _nodes(self, nodes: list[str]) -> str:
        more = f" (+{len(nodes) - SHOWN_NODES:,})" if len(nodes) > SHOWN_NODES else ""
        return listed(nodes[:SHOWN_NODES], self._language) + more

    def _new(self, item: OneSided) -> str:
        sure = self._word("confidence", percent=percent(item.finding.confidence))
        return self._cause(item.finding, sure, *self._elsewhere(item, "diff.was_possible", "diff.followed"))

    def _unseen(self, item: OneSided) -> str:
        return self._cause(item.finding, *self._elsewhere(item, "diff.still_possible", "diff.follows"))

    def _elsewhere(self, item: OneSided, possible: str, follows: str) -> Iterator[str]:
        """What the other diagnosis says of it."""
        if item.possible is not None:
            yield self._word(possible, percent=percent(item.possible))
        if item.follows:
            yield self._word(follows, title=self.title(item.follows))

    def _remaining(self, item: Remaining) -> str:
        before, after = percent(item.before.confidence), percent(item.after.confidence)
        more = [self._word("confidence", percent=after)]
        if before != after:
            more = [self._word("diff.confidence", before=before, after=after)]
        more += [self._word("diff.joined", nodes=self._nodes(item.joined))] if item.joined else []
        more += [self._word("diff.left", nodes=self._nodes(item.left))] if item.left else []
        more += [self._word("repaired")] if item.after.later_healthy else []
        return self._cause(item.after, *more)

    def _changed(self, item: Changed) -> str:
        known = item.after or item.before
        name = known.name if known else item.id
        return told(name, f"{self._state(item.before)} → {self._state(item.after)}", self._language)

    def _state(self, part: Component | None) -> str:
        return f"{_MARKS[part.good]} {part.state}" if part else f"{_MARKS[None]} {self._word('diff.not_seen')}"

    def _shifted(self, item: Shifted) -> str:
        return told(
            self._named(item.cause), f"{self._likely(item.before)} → {self._likely(item.after)}", self._language
        )

    def _likely(self, confidence: float | None) -> str:
        return self._word("diff.unnamed") if confidence is None else f"{percent(confidence)}%"
