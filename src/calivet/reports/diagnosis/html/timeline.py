"""What happened when, drawn and as a table."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from calivet.messages.message import Area
from calivet.reports.diagnosis.html.drawing import (
    BOLD,
    Anchor,
    clean_text,
    count_columns,
    cut_middle,
    describe_left_out,
    draw_each_width,
    draw_legend,
    draw_link,
    draw_picture,
    draw_sample_bar,
    draw_shape,
    draw_table,
    find_no_anchor,
    fold_tables,
    isolate_markup,
    isolate_text,
    link_line,
    measure_pixels,
    tag,
)
from calivet.reports.diagnosis.html.map_layout import HEADING_SIZE
from calivet.reports.diagnosis.html.page_model.model import (
    CONDITION,
    EVENT,
    HARMLESS,
    RESTART,
    SIGN,
    Happening,
    Timeline,
)
from calivet.reports.diagnosis.html.time_axis import (
    DAY,
    Axis,
    TimeFormat,
    build_axis,
    build_clock,
    format_span,
    format_zone,
)
from calivet.reports.diagnosis.html.time_rows import (
    MIXED,
    NUMBER_ROOM,
    Lane,
    Mark,
    PlacedTrack,
    build_lanes,
    build_rows,
    rank_happening,
)
from calivet.reports.layout.wording import join_names

word = Area("drawing")

_KINDS = (SIGN, EVENT, RESTART, CONDITION, HARMLESS)
_TOP = 40.0
_NAMES = 150.0
_ROOMY = 600.0
"""From this width on the names of lanes stand beside them, else above."""
ROWS_AT_MOST = 300
_CELL = 160
_HEADS = ("time", "where", "kind", "what", "count", "place")


def draw_timeline(found: Timeline, language: str, anchor: Anchor = find_no_anchor) -> Markup:
    """The figure; nothing where nothing has a time. `anchor` tells where a line is shown."""
    if not found.happenings:
        return Markup("")
    clock = build_clock(found, language)
    told = build_lanes(found.happenings)
    remarks = ("" if language == "zh" else " ").join(_list_remarks(found, clock))

    def draw(name: str, width: float) -> Markup:
        times = [time for one in found.happenings for time in (one.start, max(one.start, one.end))]
        pen = TimePen(clock, build_axis(times, _NAMES if width >= _ROOMY else 2.0, width - 2), anchor)
        height, drawn = _draw_lanes(told, pen, width)
        return draw_picture(f"time-{name}", (width, height), (word("timeline", language), remarks), *drawn)

    return tag(
        "figure",
        tag("figcaption", remarks),
        _draw_time_legend(found, told, language),
        draw_each_width(draw),
        fold_tables(language, draw_time_table(found.happenings, clock, anchor)),
        class_="drawing-figure",
    )


def _draw_lanes(told: list[Lane], pen: TimePen, width: float) -> tuple[float, list[Markup]]:
    """The height, and the lanes over the ticks of the axis."""
    beside = width >= _ROOMY
    columns = count_columns(_NAMES - 12 if beside else width - 4, HEADING_SIZE * BOLD)
    y, drawn = _TOP, []
    for lane in told:
        drawn.append(tag("path", class_="lane", d=f"M0 {y:.1f}H{width:.1f}"))
        drawn.append(_draw_lane_name(lane, y + 20, columns, pen.clock.language))
        y += 6 if beside else 24
        for row in build_rows(lane, pen.axis, pen.clock.language):
            drawn += [draw_track(placed, y, row.height, pen) for placed in row.placed]
            y += row.height
        y += 6
    broken = 18 if len(pen.axis.stretches) > 1 else 2
    return y + broken, [*draw_axis(pen, _TOP, y), *drawn]


def _draw_lane_name(lane: Lane, y: float, columns: int, language: str) -> Markup:
    said = word("others", language, count=lane.others) if lane.others else lane.name or word("cluster", language)
    return tag("text", tag("title", isolate_text(said)), cut_middle(said, columns), class_="heading", x=2, y=y)


def _list_remarks(found: Timeline, clock: TimeFormat) -> Iterator[str]:
    """What is shown, what the times mean, and what is left out."""
    language = clock.language
    first = min(one.start for one in found.happenings)
    last = max(max(one.start, one.end) for one in found.happenings)
    yield word("timeline.summary", language, count=len(found.happenings), range=clock.format_range(first, last))
    if not found.clock:
        yield word("before", language)
    elif found.zone is None:
        yield word("zone.unsaid", language)
    else:
        # The evidence, and the head of the report, show such times as they were written.
        yield word("zone.away" if found.zone else "zone.of", language, zone=format_zone(found.zone))
    if found.assumed:
        yield word("assumed", language)
    if found.left_out:
        yield word("left_out", language, count=found.left_out)


def _draw_time_legend(found: Timeline, told: list[Lane], language: str) -> Markup:
    """Only what is on the timeline."""
    kinds = {one.kind for one in found.happenings}
    entries = [(draw_shape(kind, 0, 0), word(kind, language)) for kind in _KINDS if kind in kinds]
    if any(track.kind == MIXED for lane in told for track in lane.tracks):
        entries.append((draw_shape(MIXED, 0, 0), word("mixed", language)))
    if any(one.cause for one in found.happenings):
        ringed = tag("circle", class_="halo", r=8) + draw_shape(EVENT, 0, 0, "proof")
        entries.append((ringed, word("proof", language)))
    if any(not one.bad and one.kind != HARMLESS for one in found.happenings):
        entries.append((draw_shape(EVENT, 0, 0, "fine"), word("fine", language)))
    if any(one.count > 1 or one.end > one.start for one in found.happenings):
        entries.append((draw_sample_bar(), word("lasting", language)))
    return draw_legend(entries)


def draw_time_table(happenings: list[Happening], clock: TimeFormat, anchor: Anchor) -> Markup:
    """Where there are too many, the most telling ones."""
    language = clock.language
    kept = sorted(happenings, key=rank_happening)[:ROWS_AT_MOST]
    rows = [
        [
            clock.format_range(one.start, one.end),
            isolate_markup(one.lane, _CELL) if one.lane else word("cluster", language),
            word(one.kind, language),
            isolate_markup(one.title.read(language), _CELL),
            f"{one.count:,}",
            link_line(one.line, anchor),
        ]
        for one in sorted(kept, key=lambda one: (one.start, one.end))
    ]
    heads = [word(head, language) for head in _HEADS]
    beyond = describe_left_out(len(happenings) - len(kept), language)
    return draw_table(word("timeline", language), heads, rows, beyond)


TICK_SIZE = 11.0
_APART = 78.0
_TITLES = 6
_ZIGZAG = "M{x:.1f} {top:.1f}l-3 3l6 4l-6 4l3 3"


class TimePen(Struct, frozen=True):
    """What every mark needs to know."""

    clock: TimeFormat
    axis: Axis
    anchor: Anchor

    def word(self, key: str, **values: object) -> str:
        """In the reader's language."""
        return word(key, self.clock.language, **values)


def draw_axis(pen: TimePen, top: float, bottom: float) -> Iterator[Markup]:
    """Ticks with their times, and the cuts."""
    zone = pen.clock.zone if pen.clock.by_day else 0
    edge = pen.axis.stretches[-1].right
    ticks: list[tuple[float, float, str]] = []
    for stretch in pen.axis.stretches:
        step, found = stretch.place_ticks(_APART, zone)
        ticks += [
            (stretch.at(one), one, _format_tick(pen.clock, one, step if found else 1))
            for one in found or [stretch.first]
        ]
    for x, _, _ in ticks:
        yield tag("path", class_="tick", d=f"M{x:.1f} {top:.1f}V{bottom:.1f}")
    yield from _draw_labels([(x, said) for x, _, said in ticks], top - 20, edge)
    if pen.clock.by_day:
        yield from _draw_labels(list(_list_days(pen.clock, ticks)), top - 6, edge)
    for x, seconds in pen.axis.list_breaks():
        yield tag("path", class_="cut", d=f"M{x:.1f} {top:.1f}V{bottom:.1f}")
        yield tag("path", class_="zigzag", d=_ZIGZAG.format(x=x, top=top - 3))
        yield tag("text", format_span(seconds, pen.clock.language), class_="time", x=x, y=bottom + 12)


def _list_days(clock: TimeFormat, ticks: list[tuple[float, float, str]]) -> Iterator[tuple[float, str]]:
    """The day where it changes, and its year where that changes."""
    before: float | None = None
    for x, seconds, _ in ticks:
        if before is None or clock.format_date(seconds) != clock.format_date(before):
            yield x, clock.format_date(seconds, before)
        before = seconds


def _draw_labels(labels: list[tuple[float, str]], y: float, edge: float) -> Iterator[Markup]:
    """Those that do not touch the one before."""
    free = 0.0
    for x, said in labels:
        half = measure_pixels(said, TICK_SIZE) / 2
        within = min(max(x, half), edge - half)
        if said and within - half >= free:
            yield tag("text", said, class_="time", x=within, y=y)
            free = within + half + 5


def _format_tick(clock: TimeFormat, seconds: float, step: float) -> str:
    if not clock.by_day:
        return clock.format_age(seconds)
    return clock.format_time(seconds, step) if step < DAY else ""


def draw_track(placed: PlacedTrack, top: float, height: float, pen: TimePen) -> Markup:
    """Marks and label; the whole of it leads to the first of its lines."""
    track = placed.track
    y = top + height - 11
    marks = [_mark(mark, y, track.kind, pen) for mark in placed.marks]
    at = {"x": placed.x, "y": y - 13 if placed.above else y + 4, "text_anchor": placed.anchor}
    label = tag(
        "text", placed.label, class_=" ".join(("label", track.kind, *_list_classes(track.kind, track.happenings))), **at
    )
    first = track.happenings[0]
    when = pen.clock.format_range(first.start, max(one.end for one in track.happenings))
    name = join_names([isolate_text(placed.label), when], pen.clock.language)
    return draw_link(
        pen.anchor(first.line), name, *marks, *_draw_counts(placed.marks, y, pen.axis.stretches[-1].right), label
    )


def _list_classes(kind: str, happenings: list[Happening]) -> Iterator[str]:
    if any(one.cause for one in happenings) and kind != MIXED:
        yield "proof"
    elif not any(one.bad for one in happenings):
        yield "fine"


def _draw_counts(marks: list[Mark], y: float, edge: float) -> Iterator[Markup]:
    """Beside each of several marks that stands for more than one, where there is room before the next."""
    limits = [mark.left - NUMBER_ROOM for mark in marks[1:]] + [edge - NUMBER_ROOM / 2]
    for mark, limit in zip(marks, limits, strict=True):
        if mark.count > 1 and len(marks) > 1 and mark.right < limit:
            yield tag("text", mark.number, class_="number", x=mark.right + 10, y=y + 4)


def _mark(mark: Mark, y: float, kind: str, pen: TimePen) -> Markup:
    classes = list(_list_classes(kind, mark.happenings))
    bar = ring = Markup("")
    if mark.is_bar:
        width = mark.right - mark.left + 6
        bar = tag("rect", class_=" ".join(("bar", kind, *classes)), x=mark.left, y=y - 4, width=width, height=8, rx=4)
    if "proof" in classes:
        ring = tag("circle", class_="halo", cx=mark.left, cy=y, r=10)
    return tag("g", tag("title", _describe_mark(mark, pen)), ring, bar, draw_shape(kind, mark.left, y, *classes))


def _describe_mark(mark: Mark, pen: TimePen) -> str:
    """When, how often, and what; of many different things the first few."""
    start = min(one.start for one in mark.happenings)
    end = max(one.end for one in mark.happenings)
    kinds = list(dict.fromkeys(_describe_happening(one, pen) for one in mark.happenings[: _TITLES * 4]))
    lines = [pen.clock.format_range(start, end), *kinds[:_TITLES]]
    if len(kinds) > _TITLES:
        lines.append("…")
    if mark.count > 1:
        lines.append(pen.word("happenings", count=mark.count))
    return "\n".join(lines)


def _describe_happening(one: Happening, pen: TimePen) -> str:
    title = isolate_text(clean_text(one.title.read(pen.clock.language), 120))
    return f"{pen.word(one.kind)}: {title}" + (f" ({isolate_text(one.lane, 80)})" if one.lane else "")
