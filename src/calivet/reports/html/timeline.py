"""What happened when, on one time axis: a lane for the cluster and for each node that tells something."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from calivet.reports.html.anchors import Anchor, nowhere
from calivet.reports.html.drawing_words import word
from calivet.reports.html.map_plan import HEADING_SIZE
from calivet.reports.html.shapes import legend, sample_bar, shape
from calivet.reports.html.svg import BOLD, columns_in, isolated, middle_cut, picture, tag
from calivet.reports.html.tables import folded
from calivet.reports.html.time_axis import axis
from calivet.reports.html.time_lanes import MIXED, Lane, lanes
from calivet.reports.html.time_marks import TimePen, axis_marks, track_marks
from calivet.reports.html.time_rows import rows
from calivet.reports.html.time_table import time_table
from calivet.reports.html.time_words import Clock, clock_of, zone_name
from calivet.reports.html.widths import at_each_width
from calivet.scene.scene import CONDITION, EVENT, HARMLESS, RESTART, SIGN, Timeline

_KINDS = (SIGN, EVENT, RESTART, CONDITION, HARMLESS)
_TOP = 40.0
_NAMES = 150.0
_ROOMY = 600.0
"""From this width on the names of lanes stand beside them, else above."""


def timeline(found: Timeline, language: str, anchor: Anchor = nowhere) -> Markup:
    """The figure; nothing where nothing has a time. `anchor` tells where a line is shown."""
    if not found.happenings:
        return Markup("")
    clock = clock_of(found, language)
    told = lanes(found.happenings)
    remarks = ("" if language == "zh" else " ").join(_remarks(found, clock))

    def draw(name: str, width: float) -> Markup:
        times = [time for one in found.happenings for time in (one.start, max(one.start, one.end))]
        pen = TimePen(clock, axis(times, _NAMES if width >= _ROOMY else 2.0, width - 2), anchor)
        height, drawn = _lanes(told, pen, width)
        return picture(f"time-{name}", (width, height), (word("timeline", language), remarks), *drawn)

    return tag(
        "figure",
        tag("figcaption", remarks),
        _legend(found, told, language),
        at_each_width(draw),
        folded(language, time_table(found.happenings, clock, anchor)),
        class_="drawing-figure",
    )


def _lanes(told: list[Lane], pen: TimePen, width: float) -> tuple[float, list[Markup]]:
    """The height, and the lanes over the ticks of the axis."""
    beside = width >= _ROOMY
    columns = columns_in(_NAMES - 12 if beside else width - 4, HEADING_SIZE * BOLD)
    y, drawn = _TOP, []
    for lane in told:
        drawn.append(tag("path", class_="lane", d=f"M0 {y:.1f}H{width:.1f}"))
        drawn.append(_lane_name(lane, y + 20, columns, pen.clock.language))
        y += 6 if beside else 24
        for row in rows(lane, pen.axis, pen.clock.language):
            drawn += [track_marks(placed, y, row.height, pen) for placed in row.placed]
            y += row.height
        y += 6
    broken = 18 if len(pen.axis.stretches) > 1 else 2
    return y + broken, [*axis_marks(pen, _TOP, y), *drawn]


def _lane_name(lane: Lane, y: float, columns: int, language: str) -> Markup:
    said = word("others", language, count=lane.others) if lane.others else lane.name or word("cluster", language)
    return tag("text", tag("title", isolated(said)), middle_cut(said, columns), class_="heading", x=2, y=y)


def _remarks(found: Timeline, clock: Clock) -> Iterator[str]:
    """What is shown, what the times mean, and what is left out."""
    language = clock.language
    first = min(one.start for one in found.happenings)
    last = max(max(one.start, one.end) for one in found.happenings)
    yield word("timeline.summary", language, count=len(found.happenings), range=clock.range(first, last))
    if not found.clock:
        yield word("before", language)
    elif found.zone is None:
        yield word("zone.unsaid", language)
    else:
        yield word("zone.of", language, zone=zone_name(found.zone))
    if found.assumed:
        yield word("assumed", language)
    if found.left_out:
        yield word("left_out", language, count=found.left_out)


def _legend(found: Timeline, told: list[Lane], language: str) -> Markup:
    """Only what is on the timeline."""
    kinds = {one.kind for one in found.happenings}
    entries = [(shape(kind, 0, 0), word(kind, language)) for kind in _KINDS if kind in kinds]
    if any(track.kind == MIXED for lane in told for track in lane.tracks):
        entries.append((shape(MIXED, 0, 0), word("mixed", language)))
    if any(one.cause for one in found.happenings):
        ringed = tag("circle", class_="halo", r=8) + shape(EVENT, 0, 0, "proof")
        entries.append((ringed, word("proof", language)))
    if any(not one.bad and one.kind != HARMLESS for one in found.happenings):
        entries.append((shape(EVENT, 0, 0, "fine"), word("fine", language)))
    if any(one.count > 1 or one.end > one.start for one in found.happenings):
        entries.append((sample_bar(), word("lasting", language)))
    return legend(entries)
