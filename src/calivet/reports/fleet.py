"""What a fleet's tables tell: on a terminal, for a ticket, and as the JSON that scripts rely on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from msgspec import Struct

from calivet import __version__
from calivet.contract.documents import encode_plainly
from calivet.contract.fleet import VERSION, Cause, Document, Failed, Hit, Period, Possible, Share, Summary
from calivet.messages.words import Words
from calivet.reports.diagnosis.prometheus import Sample, write_metric
from calivet.reports.layout.markdown import escape_markup
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wording import add_detail, add_remarks, join_names, join_remarks, label
from calivet.reports.layout.wrapping import measure_width

_INDENT = 5
SHOWN_SHARES, SHOWN_PERIODS, SHOWN_FAILED, SHOWN_CLUSTERS = 6, 12, 20, 12
BAD, OPEN = "bad", "open"
_MARK = {BAD: ("✗", "red"), OPEN: ("·", "yellow")}
_MONTHLY = "month"


def write_fleet(summary: Summary, titles: Mapping[str, Words], layout: Layout) -> str:
    """The counts, then the causes that hit most."""
    words = FleetWords(summary, titles, layout.language)
    lines = list(layout.indent(words.write_head(), 0, "bold"))
    for part in words.build_sections():
        mark, colour = _MARK[part.mood]
        lines += ["", *layout.indent(part.title, 0, "bold")]
        for item in part.items:
            first, *rest = layout.indent(item.text, 0, hang=3)
            lines += [f" {layout.paint(mark, colour)} {first}", *rest]
            room = max((measure_width(word) for word, _ in item.details), default=0) + 2
            for word, text in item.details:
                lines += layout.label_lines(word, room, text, _INDENT)
    if remark := words.write_remark():
        lines += ["", *layout.indent(remark, 0)]
    return "\n".join(lines) + "\n"


def write_fleet_markdown(summary: Summary, titles: Mapping[str, Words], language: str) -> str:
    """The same in Markdown."""
    words = FleetWords(summary, titles, language)
    lines = [f"## calivet: {words.write_head()}"]
    for part in words.build_sections():
        lines += ["", f"### {part.title}", ""]
        for item in part.items:
            lines.append(f"- {escape_markup(item.text)}")
            lines += [f"  - {escape_markup(add_detail(word, text, language))}" for word, text in item.details]
    if remark := words.write_remark():
        lines += ["", remark]
    return "\n".join(lines) + "\n"


class FleetLine(Struct, frozen=True):
    """A line, and what there is to add to it, each under a word of its own."""

    text: str
    details: list[tuple[str, str]]


class FleetSection(Struct, frozen=True):
    """A heading and the items under it."""

    title: str
    mood: str
    items: list[FleetLine]


class FleetWords:
    """Puts a summary into words."""

    def __init__(self, summary: Summary, titles: Mapping[str, Words], language: str) -> None:
        """The titles of the causes that are known; another one goes by the title it was stored with."""
        self._summary, self._titles, self._language = summary, titles, language

    def write_head(self) -> str:
        """How many there are, and how they are."""
        summary = self._summary
        counts = [self.count("clusters", summary.clusters), self.count("bundles", summary.bundles)]
        verdicts = (
            self._say(f"fleet.{verdict}", count=summary.verdicts[verdict])
            for verdict in ("fault", "healthy", "insufficient")
            if verdict in summary.verdicts
        )
        return add_detail(join_remarks(counts, self._language), join_remarks(verdicts, self._language), self._language)

    def build_sections(self) -> list[FleetSection]:
        """Those that have something in them."""
        summary = self._summary
        parts = [
            self._build_section("fleet.causes", BAD, map(self._write_cause, summary.causes)),
            self._build_section("fleet.possible", OPEN, map(self._write_possible, summary.possible)),
            self._build_section("fleet.calico", OPEN, map(self._write_running, summary.calico)),
            self._build_section("fleet.kubernetes", OPEN, map(self._write_running, summary.kubernetes)),
            self._build_section(
                f"fleet.by_{summary.unit}", OPEN, map(self._write_period, summary.periods[-SHOWN_PERIODS:])
            ),
            self._build_section("fleet.failed", BAD, self._write_failed(summary.failed)),
        ]
        return [part for part in parts if part.items]

    def write_remark(self) -> str:
        """What the trend leaves out."""
        undated = self._summary.undated
        return self._say("fleet.undated", count=undated) if undated and self._summary.periods else ""

    def _build_section(self, key: str, mood: str, items: Iterable[FleetLine]) -> FleetSection:
        return FleetSection(self._say(key), mood, list(items))

    def _write_cause(self, cause: Cause) -> FleetLine:
        hit = [self.count("clusters", cause.clusters), self.count("bundles", cause.bundles)]
        hit += [self.count("nodes", cause.nodes)] if cause.nodes else []
        unit = self._say(f"fleet.by_{self._summary.unit}")
        details = [
            (self._say("fleet.names"), self._list_clusters(cause)),
            ("Calico", self._list_shares(_select_most(cause.calico))),
            ("Kubernetes", self._list_shares(_select_most(cause.kubernetes))),
            (unit, self._list_shares([self._add_date(share) for share in cause.periods[-SHOWN_PERIODS:]])),
        ]
        text = add_detail(self.name_cause(cause.cause, cause.title), join_remarks(hit, self._language), self._language)
        return FleetLine(text, [(word, shares) for word, shares in details if shares])

    def _list_clusters(self, cause: Cause) -> str:
        """Which they are: what a platform team asks first."""
        shown = [self._describe_hit(one) for one in cause.hit[:SHOWN_CLUSTERS]]
        more = len(cause.hit) - len(shown)
        return join_names([*shown, *([self._say("fleet.more", count=more)] if more else [])], self._language)

    def _describe_hit(self, hit: Hit) -> str:
        remarks = [self._say("fleet.since", day=hit.since.isoformat())] if hit.since else []
        if hit.nodes:
            remarks.append(self.count("nodes", hit.nodes))
        remarks += [] if hit.now else [self._say("fleet.gone")]
        return add_remarks(hit.cluster, remarks, self._language)

    def _write_possible(self, possible: Possible) -> FleetLine:
        clusters = self.count("clusters", possible.clusters)
        return FleetLine(add_detail(self.name_cause(possible.cause), clusters, self._language), [])

    def _write_running(self, share: Share) -> FleetLine:
        sick = self._say("fleet.sick", sick=share.clusters, total=share.total)
        return FleetLine(add_detail(share.of, sick, self._language), [])

    def _write_period(self, period: Period) -> FleetLine:
        sick = self._say("fleet.sick", sick=period.sick, total=period.clusters)
        return FleetLine(add_detail(self._format_date(period.begins), sick, self._language), [])

    def _write_failed(self, failed: list[Failed]) -> Iterable[FleetLine]:
        yield from (FleetLine(add_detail(one.bundle, one.why, self._language), []) for one in failed[:SHOWN_FAILED])
        if (more := len(failed) - SHOWN_FAILED) > 0:
            yield FleetLine(self._say("fleet.more", count=more), [])

    def _list_shares(self, shares: list[Share]) -> str:
        told_shares = (self._say("fleet.share", of=one.of, clusters=one.clusters, total=one.total) for one in shares)
        return join_names(told_shares, self._language)

    def _add_date(self, share: Share) -> Share:
        return Share(self._format_date(date.fromisoformat(share.of)), share.clusters, share.total)

    def _format_date(self, begins: date) -> str:
        return f"{begins:%Y-%m}" if self._summary.unit == _MONTHLY else begins.isoformat()

    def name_cause(self, cause: str, stored: str = "") -> str:
        """Its title, as this version or the tables have it, and its id."""
        title = self._titles[cause].read(self._language) if cause in self._titles else stored or cause
        return add_remarks(title, [cause] if title != cause else [], self._language)

    def count(self, what: str, number: int) -> str:
        """So many clusters, bundles or nodes, or one."""
        return self._say(f"fleet.{what}.one" if number == 1 else f"fleet.{what}", count=number)

    def _say(self, key: str, **values: object) -> str:
        return label(key, self._language, **values)


def _select_most(shares: list[Share]) -> list[Share]:
    """The versions with the most clusters hit, in the order of versions."""
    most = sorted(shares, key=lambda share: -share.clusters)[:SHOWN_SHARES]
    return [share for share in shares if share in most]


def encode_fleet(summary: Summary) -> str:
    """One JSON document."""
    return encode_plainly(Document(VERSION, __version__, summary)) + "\n"


def to_fleet_metrics(summary: Summary, language: str) -> str:
    """All of them gauges; what a cluster had once is no sample."""
    now = [(cause.cause, one) for cause in summary.causes for one in cause.hit if one.now]
    counts = {cause.cause: sum(one.now for one in cause.hit) for cause in summary.causes}
    metrics = {
        "calivet_fleet_clusters": [Sample(count, {"verdict": one}) for one, count in summary.verdicts.items()],
        "calivet_fleet_cause_clusters": [Sample(count, {"cause": cause}) for cause, count in counts.items()],
        "calivet_fleet_cause_nodes": [
            Sample(one.nodes, {"cluster": one.cluster, "cause": cause}) for cause, one in now
        ],
        "calivet_fleet_failed": [Sample(len(summary.failed))],
    }
    return "".join(line for name, samples in metrics.items() for line in write_metric(name, samples, {}, language))
