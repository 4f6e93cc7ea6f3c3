"""Lanes and axis as SVG."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from calivet.reports.html.anchors import Anchor
from calivet.reports.html.drawing_words import listed, word
from calivet.reports.html.shapes import shape
from calivet.reports.html.svg import isolated, linked, shown, tag, text_width
from calivet.reports.html.time_axis import Axis
from calivet.reports.html.time_lanes import MIXED
from calivet.reports.html.time_rows import NUMBER_ROOM, Mark, Placed
from calivet.reports.html.time_words import DAY, Clock, span
from calivet.scene.scene import Happening

TICK_SIZE = 11.0
_APART = 78.0
_TITLES = 6
_ZIGZAG = "M{x:.1f} {top:.1f}l-3 3l6 4l-6 4l3 3"


class TimePen(Struct, frozen=True):
    """What every mark needs to know."""

    clock: Clock
    axis: Axis
    anchor: Anchor

    def word(self, key: str, **values: object) -> str:
        """In the reader's language."""
        return word(key, self.clock.language, **values)


def axis_marks(pen: TimePen, top: float, bottom: float) -> Iterator[Markup]:
    """Ticks with their times, and the cuts."""
    zone = pen.clock.zone if pen.clock.by_day else 0
    edge = pen.axis.stretches[-1].right
    ticks: list[tuple[float, float, str]] = []
    for stretch in pen.axis.stretches:
        step, found = stretch.ticks(_APART, zone)
        ticks += [
            (stretch.at(one), one, _tick(pen.clock, one, step if found else 1)) for one in found or [stretch.first]
        ]
    for x, _, _ in ticks:
        yield tag("path", class_="tick", d=f"M{x:.1f} {top:.1f}V{bottom:.1f}")
    yield from _apart([(x, said) for x, _, said in ticks], top - 20, edge)
    if pen.clock.by_day:
        yield from _apart(list(_days(pen.clock, ticks)), top - 6, edge)
    for x, seconds in pen.axis.breaks():
        yield tag("path", class_="cut", d=f"M{x:.1f} {top:.1f}V{bottom:.1f}")
        yield tag("path", class_="zigzag", d=_ZIGZAG.format(x=x, top=top - 3))
        yield tag("text", span(seconds, pen.clock.language), class_="time", x=x, y=bottom + 12)


def _days(clock: Clock, ticks: list[tuple[float, float, str]]) -> Iterator[tuple[float, str]]:
    """The day where it changes, and its year where that changes."""
    before: float | None = None
    for x, seconds, _ in ticks:
        if before is None or clock.date(seconds) != clock.date(before):
            yield x, clock.date(seconds, before)
        before = seconds


def _apart(labels: list[tuple[float, str]], y: float, edge: float) -> Iterator[Markup]:
    """Those that do not touch the one before."""
    free = 0.0
    for x, said in labels:
        half = text_width(said, TICK_SIZE) / 2
        within = min(max(x, half), edge - half)
        if said and within - half >= free:
            yield tag("text", said, class_="time", x=within, y=y)
            free = within + half + 5


def _tick(clock: Clock, seconds: float, step: float) -> str:
    if not clock.by_day:
        return clock.before(seconds)
    return clock.time(seconds, step) if step < DAY else ""


def track_marks(placed: Placed, top: float, height: float, pen: TimePen) -> Markup:
    """Marks and label; the whole of it leads to the first of its lines."""
    track = placed.track
    y = top + height - 11
    marks = [_mark(mark, y, track.kind, pen) for mark in placed.marks]
    at = {"x": placed.x, "y": y - 13 if placed.above else y + 4, "text_anchor": placed.anchor}
    label = tag(
        "text", placed.label, class_=" ".join(("label", track.kind, *_classes(track.kind, track.happenings))), **at
    )
    first = track.happenings[0]
    when = pen.clock.range(first.start, max(one.end for one in track.happenings))
    name = listed([isolated(placed.label), when], pen.clock.language)
    return linked(pen.anchor(first.line), name, *marks, *_numbers(placed.marks, y, pen.axis.stretches[-1].right), label)


def _classes(kind: str, happenings: list[Happening]) -> Iterator[str]:
    if any(one.cause for one in happenings) and kind != MIXED:
        yield "proof"
    elif not any(one.bad for one in happenings):
        yield "fine"


def _numbers(marks: list[Mark], y: float, edge: float) -> Iterator[Markup]:
    """Beside each of several marks that stands for more than one, where there is room before the next."""
    limits = [mark.left - NUMBER_ROOM for mark in marks[1:]] + [edge - NUMBER_ROOM / 2]
    for mark, limit in zip(marks, limits, strict=True):
        if mark.count > 1 and len(marks) > 1 and mark.right < limit:
            yield tag("text", mark.number, class_="number", x=mark.right + 10, y=y + 4)


def _mark(mark: Mark, y: float, kind: str, pen: TimePen) -> Markup:
    classes = list(_classes(kind, mark.happenings))
    bar = ring = Markup("")
    if mark.is_bar:
        width = mark.right - mark.left + 6
        bar = tag("rect", class_=" ".join(("bar", kind, *classes)), x=mark.left, y=y - 4, width=width, height=8, rx=4)
    if "proof" in classes:
        ring = tag("circle", class_="halo", cx=mark.left, cy=y, r=10)
    return tag("g", tag("title", _says(mark, pen)), ring, bar, shape(kind, mark.left, y, *classes))


def _says(mark: Mark, pen: TimePen) -> str:
    """When, how often, and what; of many different things the first few."""
    start = min(one.start for one in mark.happenings)
    end = max(one.end for one in mark.happenings)
    kinds = list(dict.fromkeys(_what(one, pen) for one in mark.happenings[: _TITLES * 4]))
    lines = [pen.clock.range(start, end), *kinds[:_TITLES]]
    if len(kinds) > _TITLES:
        lines.append("…")
    if mark.count > 1:
        lines.append(pen.word("happenings", count=mark.count))
    return "\n".join(lines)


def _what(one: Happening, pen: TimePen) -> str:
    title = isolated(shown(one.title.read(pen.clock.language), 120))
    return f"{pen.word(one.kind)}: {title}" + (f" ({isolated(one.lane, 80)})" if one.lane else "")
