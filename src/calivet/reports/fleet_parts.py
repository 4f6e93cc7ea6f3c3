"""What a fleet's tables tell, part by part, in the reader's language; how it looks is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from msgspec import Struct

from calivet.catalogue.words import Words
from calivet.fleet.summary import Cause, Failed, Period, Possible, Share, Summary
from calivet.reports.labels import label
from calivet.reports.punctuation import joined, listed, remarked, told
from calivet.reports.reasons import reason

SHOWN_SHARES, SHOWN_PERIODS, SHOWN_FAILED = 6, 12, 20
BAD, OPEN = "bad", "open"
_MONTHLY = "month"


class Item(Struct, frozen=True):
    """A line, and what there is to add to it, each under a word of its own."""

    text: str
    details: list[tuple[str, str]]


class Part(Struct, frozen=True):
    """A heading and the items under it."""

    title: str
    mood: str
    items: list[Item]


class Telling:
    """Puts a summary into words."""

    def __init__(self, summary: Summary, titles: Mapping[str, Words], language: str) -> None:
        """The titles of the causes that are known; another one goes by the title it was stored with."""
        self._summary, self._titles, self._language = summary, titles, language

    def head(self) -> str:
        """How many there are, and how they are."""
        summary = self._summary
        counts = self._word("fleet.counts", bundles=summary.bundles, clusters=summary.clusters)
        verdicts = (
            self._word(f"fleet.{verdict}", count=summary.verdicts[verdict])
            for verdict in ("fault", "healthy", "insufficient")
            if verdict in summary.verdicts
        )
        return told(counts, joined(verdicts, self._language), self._language)

    def parts(self) -> list[Part]:
        """Those that have something in them."""
        summary = self._summary
        parts = [
            self._part("fleet.causes", BAD, map(self._cause, summary.causes)),
            self._part("fleet.possible", OPEN, map(self._possible, summary.possible)),
            self._part("fleet.calico", OPEN, map(self._running, summary.calico)),
            self._part("fleet.kubernetes", OPEN, map(self._running, summary.kubernetes)),
            self._part(f"fleet.by_{summary.unit}", OPEN, map(self._period, summary.periods[-SHOWN_PERIODS:])),
            self._part("fleet.failed", BAD, self._failed(summary.failed)),
        ]
        return [part for part in parts if part.items]

    def remark(self) -> str:
        """What the trend leaves out."""
        undated = self._summary.undated
        return self._word("fleet.undated", count=undated) if undated and self._summary.periods else ""

    def _part(self, key: str, mood: str, items: Iterable[Item]) -> Part:
        return Part(self._word(key), mood, list(items))

    def _cause(self, cause: Cause) -> Item:
        hit = self._word("fleet.hit", clusters=cause.clusters, bundles=cause.bundles)
        nodes = [self._word("fleet.nodes", count=cause.nodes)] if cause.nodes else []
        unit = self._word(f"fleet.by_{self._summary.unit}")
        details = [
            ("Calico", self._shares(_most(cause.calico))),
            ("Kubernetes", self._shares(_most(cause.kubernetes))),
            (unit, self._shares([self._dated(share) for share in cause.periods[-SHOWN_PERIODS:]])),
        ]
        text = told(self._named(cause.cause, cause.title), joined([hit, *nodes], self._language), self._language)
        return Item(text, [(word, shares) for word, shares in details if shares])

    def _possible(self, possible: Possible) -> Item:
        clusters = self._word("fleet.clusters", count=possible.clusters)
        return Item(told(self._named(possible.cause), clusters, self._language), [])

    def _running(self, share: Share) -> Item:
        sick = self._word("fleet.sick", sick=share.clusters, total=share.total)
        return Item(told(share.of, sick, self._language), [])

    def _period(self, period: Period) -> Item:
        sick = self._word("fleet.sick", sick=period.sick, total=period.clusters)
        return Item(told(self._date(period.begins), sick, self._language), [])

    def _failed(self, failed: list[Failed]) -> Iterable[Item]:
        yield from (
            Item(told(one.bundle, reason(one.why, self._language), self._language), []) for one in failed[:SHOWN_FAILED]
        )
        if (more := len(failed) - SHOWN_FAILED) > 0:
            yield Item(self._word("fleet.more", count=more), [])

    def _shares(self, shares: list[Share]) -> str:
        told_shares = (self._word("fleet.share", of=one.of, clusters=one.clusters, total=one.total) for one in shares)
        return listed(told_shares, self._language)

    def _dated(self, share: Share) -> Share:
        return Share(self._date(date.fromisoformat(share.of)), share.clusters, share.total)

    def _date(self, begins: date) -> str:
        return f"{begins:%Y-%m}" if self._summary.unit == _MONTHLY else begins.isoformat()

    def _named(self, cause: str, stored: str = "") -> str:
        title = self._titles[cause].read(self._language) if cause in self._titles else stored or cause
        return remarked(title, [cause] if title != cause else [], self._language)

    def _word(self, key: str, **values: object) -> str:
        return label(key, self._language, **values)


def _most(shares: list[Share]) -> list[Share]:
    """The versions with the most clusters hit."""
    return sorted(shares, key=lambda share: -share.clusters)[:SHOWN_SHARES]
