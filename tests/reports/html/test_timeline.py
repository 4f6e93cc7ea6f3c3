"""The timeline shows everything that happened, bounded, and nothing covers anything else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calivet.reports.diagnosis.html.node_map import draw_node_map
from calivet.reports.diagnosis.html.page_model.model import CONDITION, EVENT, HARMLESS, RESTART, SIGN, Timeline
from calivet.reports.diagnosis.html.time_axis import STEPS, TimeFormat, build_axis, format_span, format_zone
from calivet.reports.diagnosis.html.time_rows import LANES_AT_MOST, TRACKS_AT_MOST, build_lanes
from calivet.reports.diagnosis.html.time_rows import build_rows as rows_of
from calivet.reports.diagnosis.html.timeline import ROWS_AT_MOST, draw_timeline
from tests.reports.html.scenes import TAKEN, anchor, drawing, happening, of_class, parsed, rows, said, scene

DAY = 86_400
LEFT, RIGHT = 150.0, 918.0
TIMES = st.floats(-4 * 365 * DAY, 0)
HAPPENINGS = st.lists(
    st.builds(
        happening,
        TIMES,
        title=st.sampled_from(
            ["BackOff", "Unhealthy: readiness probe failed, and the reason is long", "一个很长的标题" * 6]
        ),
        lane=st.sampled_from(["", "oak-1", "oak-2"]),
        kind=st.sampled_from([EVENT, RESTART, SIGN, HARMLESS, CONDITION]),
        count=st.integers(1, 9_000),
        cause=st.sampled_from(["", "a-cause"]),
    ),
    min_size=1,
    max_size=30,
)


def drawn(*happenings, language="en", width="wide", **more):
    return drawing(draw_timeline(Timeline(happenings=list(happenings), **more), language, anchor), width)


def test_nothing_that_has_a_time_is_nothing_drawn():
    assert draw_timeline(Timeline(), "en") == ""


@given(st.lists(TIMES, min_size=1, max_size=60), st.sampled_from([344.0, RIGHT]))
def test_later_never_stands_left_of_earlier(times, right):
    found = build_axis(times, 2.0, right)
    places = [found.at(time) for time in sorted(times)]
    assert all(one <= other for one, other in pairwise(places))
    assert 2 <= places[0] <= places[-1] <= right
    assert all(one.right < other.left for one, other in pairwise(found.stretches))


@given(st.lists(TIMES, min_size=2, max_size=20), st.integers(-720, 840))
def test_ticks_are_round_within_their_stretch_and_apart(times, zone):
    for stretch in build_axis(times, LEFT, RIGHT).stretches:
        step, ticks = stretch.place_ticks(78, zone)
        assert step in STEPS
        assert all(stretch.first <= tick <= stretch.last for tick in ticks)
        assert all(stretch.at(other) - stretch.at(one) > 77 for one, other in pairwise(ticks))
        assert all((tick + zone * 60) % min(step, DAY) < 1e-3 for tick in ticks)


def test_activity_days_apart_stays_legible_on_a_broken_axis():
    days = [happening(day * 3 * DAY + minute * 60) for day in range(3) for minute in (0, 5, 10)]
    found = build_axis([one.start for one in days], LEFT, RIGHT)
    assert len(found.stretches) == 3
    assert all(other - one > 20 for one, other in pairwise(found.at(one.start) for one in days))
    picture = drawn(*days)
    assert len(of_class(picture, "zigzag")) == 2
    assert said(picture, "time").count("2 d 23 h") == 2


def test_an_even_spread_is_not_broken():
    assert len(build_axis([hour * 3_600.0 for hour in range(24)], LEFT, RIGHT).stretches) == 1
    assert len(build_axis([0.0, 5.0 * DAY], LEFT, RIGHT).stretches) == 1


@settings(max_examples=60)
@given(HAPPENINGS, st.sampled_from(["en", "zh"]), st.sampled_from([(2.0, 342.0), (LEFT, RIGHT)]))
def test_labels_and_marks_of_a_row_never_touch(happenings, language, edges):
    found = build_axis([one.start for one in happenings], *edges)
    for lane in build_lanes(happenings):
        made = rows_of(lane, found, language)
        for row in made:
            ordered = sorted((placed.left, placed.right) for placed in row.placed)
            assert all(one[1] < other[0] for one, other in pairwise(ordered))
        marks = [mark for row in made for placed in row.placed for mark in placed.marks]
        assert sum(mark.count for mark in marks) == sum(one.count for one in happenings if one.lane == lane.name)


def test_near_times_are_one_mark_with_their_count():
    picture = drawn(*(happening(second) for second in (0, 1, 2)), happening(500))
    assert len(of_class(picture, "mark", EVENT)) == 2
    assert said(picture, "number") == ["×3"]
    assert said(picture, "label") == ["BackOff ×4"]


def test_a_thousand_dots_are_a_bar():
    picture = drawn(*(happening(float(second)) for second in range(0, 40_000, 40)))
    assert len(of_class(picture, "mark")) == len(of_class(picture, "bar", EVENT)) == 1
    assert said(picture, "label") == ["BackOff ×1,000"]


def test_kinds_differ_in_shape_and_evidence_for_a_finding_stands_out():
    kinds = (EVENT, RESTART, SIGN, HARMLESS, CONDITION)
    picture = drawn(*(happening(number * 600, kind=kind, title=kind) for number, kind in enumerate(kinds)))
    assert len({of_class(picture, "mark", kind)[0].get("d") for kind in kinds}) == 5
    assert not of_class(picture, "proof")
    picture = drawn(happening(0), happening(600, title="no route", kind=SIGN, cause="firewall"))
    assert said(picture, "label", "proof") == ["no route"]
    assert len(of_class(picture, "halo")) == 1


def test_the_cluster_comes_first_then_nodes_with_evidence_for_a_finding():
    picture = drawn(
        happening(0, lane="oak-1", bad=False),
        happening(0, lane="oak-2"),
        happening(0, lane="oak-3", cause="firewall"),
        happening(0, lane=""),
    )
    assert said(picture, "heading") == ["ClusterCluster", "oak-3oak-3", "oak-2oak-2", "oak-1oak-1"]


def test_many_lanes_and_many_things_are_taken_together():
    many = [happening(node, lane=f"oak-{node}", title=f"BackOff: pod-{node}", count=2) for node in range(100)]
    told = build_lanes(many)
    assert len(told) == LANES_AT_MOST + 1
    assert told[-1].others == 86
    assert [(track.title.en, track.count) for track in told[-1].tracks] == [("BackOff", 172)]
    one = build_lanes([happening(number, title=f"thing {number}") for number in range(40)])[0]
    assert len(one.tracks) == TRACKS_AT_MOST + 1
    assert one.tracks[-1].others == 35


def test_each_track_is_one_link_to_its_first_line():
    picture = drawn(happening(0), happening(3_000), happening(600, title="Unhealthy"))
    links = {link.get("href"): link.get("aria-label") for link in picture.iter("a")}
    assert len(list(picture.iter("a"))) == 2
    assert links["#L-events.txt-3"].startswith(("BackOff", "Unhealthy"))
    assert picture.get("role") == "group"


@pytest.mark.parametrize(("language", "day"), [("en", "6 May 2025"), ("zh", "2025年5月6日")])
def test_times_are_told_by_zone_and_language(language, day):
    some = [happening(-1_800), happening(0)]
    picture = drawn(*some, language=language, zone=480)
    assert {"22:00", "22:30", day} <= set(said(picture, "time"))
    markup = draw_timeline(Timeline(happenings=some, zone=480), language)
    assert "UTC+08:00" in markup
    assert f"{day} 22:00:00" in markup


def test_without_a_clock_times_count_back():
    before = [happening(-TAKEN - 1_800), happening(-TAKEN)]
    assert {"20 min before", "evidence taken"} <= set(said(drawn(*before, clock=False), "time"))
    assert {"20 分钟前", "取证时"} <= set(said(drawn(*before, clock=False, language="zh"), "time"))


def test_a_year_that_nobody_knows_is_not_told():
    assert "6 May" in said(drawn(happening(-900), happening(0), year=False), "time")
    assert "2025" not in draw_timeline(Timeline(happenings=[happening(-900), happening(0)], year=False), "zh")


def test_what_is_not_certain_or_not_shown_is_said():
    unsure = draw_timeline(Timeline(happenings=[happening(0)], assumed=True, left_out=1_200), "en")
    assert "Ages were counted back" in unsure
    assert "1,200 more events are left out" in unsure


def test_a_time_before_all_calendars_is_drawn_too():
    empty = happening(-62_135_596_800 - TAKEN)
    for language in ("en", "zh"):
        assert drawn(empty, happening(0), language=language, zone=-720) is not None


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [(0, "0 s", "0 秒"), (90, "1 min 30 s", "1 分钟 30 秒"), (7_200, "2 h", "2 小时"), (40 * DAY + 7, "40 d", "40 天")],
)
def test_spans_have_two_units_at_most(seconds, english, chinese):
    assert (format_span(seconds, "en"), format_span(seconds, "zh")) == (english, chinese)


def test_names_of_zones_and_ranges():
    assert [format_zone(minutes) for minutes in (0, 330, -210)] == ["UTC", "UTC+05:30", "UTC−03:30"]
    clock = TimeFormat("en", by_day=True, zone=0, year=True)
    assert clock.format_range(TAKEN, TAKEN + 60) == "6 May 2025 14:30:00 to 14:31:00"
    assert clock.format_range(TAKEN, TAKEN) == "6 May 2025 14:30:00"


def test_the_table_tells_all_in_order():
    tree = parsed(
        draw_timeline(Timeline(happenings=[happening(60, 600, count=9), happening(0, lane="")], zone=0), "en", anchor)
    )
    assert list(rows(tree))[1:] == [
        ["6 May 2025 14:30:00", "Cluster", "event", "BackOff", "1", "events.txt:3"],
        ["6 May 2025 14:31:00 to 14:40:00", "oak-1", "event", "BackOff", "9", "events.txt:3"],
    ]


def test_thousands_of_nodes_stay_bounded():
    many = [
        happening(
            float(-number),
            title=f"thing {number % 50}: of pod {number}",
            lane=f"oak-{number % 5_000}",
            count=number % 7 + 1,
        )
        for number in range(20_000)
    ]
    markup = draw_timeline(Timeline(happenings=many), "en", anchor)
    tree = parsed(markup)
    assert len(list(rows(tree))) == ROWS_AT_MOST + 1
    assert sum(1 for _ in tree.iter("a")) < 600
    assert (
        len(markup.encode()) + len(draw_node_map(scene(5_000, zones=9, seen_from=8), "en", anchor).encode()) < 1_500_000
    )


@settings(max_examples=80)
@given(st.text(), st.text(min_size=1), st.sampled_from(["en", "zh"]))
def test_nothing_in_the_evidence_acts_on_the_page(title, lane, language):
    assume(lane.strip())
    tree = parsed(
        draw_timeline(Timeline(happenings=[happening(0, title=title, lane=lane), happening(9)]), language, anchor)
    )
    shown = "".join(tree.itertext())
    assert all(letter.isprintable() for letter in shown if letter not in "\n\u2068\u2069\u2002")


def test_markup_stays_text_and_long_words_are_cut():
    evil = "</title></svg><script>alert(1)</script>\u202e{{ 7 * 7 }}" + "W" * 1_000_000
    markup = draw_timeline(Timeline(happenings=[happening(0, title=evil, lane=evil)]), "en", anchor)
    assert "<script" not in markup
    assert "\u202e" not in markup
    assert len(markup) < 20_000
