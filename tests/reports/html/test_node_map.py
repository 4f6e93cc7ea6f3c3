"""The map stays true and legible from one node to thousands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calivet.reports.diagnosis.html.map_layout import choose_parts, group_by_zone
from calivet.reports.diagnosis.html.node_map import LINES_AT_MOST, ROWS_AT_MOST, draw_node_map, find_look
from calivet.reports.diagnosis.html.page_model.model import DOWN, HALF, SICK, UNSEEN, UP, WELL, End, PageModel, Session
from tests.reports.html.scenes import (
    anchor,
    cluster,
    drawing,
    line,
    mesh,
    of_class,
    parsed,
    rows,
    said,
    scene,
    session,
    spot,
)

LANGUAGES = ("en", "zh")
BETWEEN = Session(
    one="oak-1",
    other="oak-2",
    state=HALF,
    ends=(
        End(node="oak-1", info="Established", up=True, line=line(4)),
        End(node="oak-2", info="Connect", up=False, line=line(9, "b.txt")),
    ),
)


def test_nothing_known_is_nothing_drawn():
    assert draw_node_map(PageModel(), "en") == ""


def test_one_node_alone_is_not_worth_a_drawing():
    assert draw_node_map(scene(1), "en") == ""
    assert draw_node_map(PageModel(spots=[spot("oak-1")], sessions=[session("oak-1", "10.0.0.9")]), "en")


def test_culprits_and_victims_look_different():
    spots = [spot("oak-1", SICK, causes=("disk-full",)), spot("oak-2", SICK), spot("oak-3")]
    picture = drawing(draw_node_map(PageModel(spots=spots), "en"))
    assert [len(of_class(picture, "mark", look)) for look in ("culprit", "victim", WELL)] == [1, 1, 1]
    shapes = {of_class(picture, "mark", look)[0].get("d") for look in ("culprit", "victim")}
    assert len(shapes) == 2, "not by colour alone"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [2, 3, 12, 13, 200, 900])
def test_every_size_is_drawn_in_both_widths(count, language):
    markup = draw_node_map(scene(count, zones=3), language, anchor)
    for width in ("wide", "narrow"):
        picture = drawing(markup, width)
        assert picture.get("role") == "group"
        assert picture.get("aria-labelledby") == f"map-{width}-title map-{width}-summary"
        assert of_class(picture, "mark", "victim") or of_class(picture, "mark", SICK)


@pytest.mark.parametrize("count", [2, 12, 60, 200])
def test_each_node_has_one_mark_of_its_state_and_nobody_stands_on_another(count):
    spots = [*cluster(count - 1, 2), spot("elm", UNSEEN)]
    for width in ("wide", "narrow"):
        picture = drawing(draw_node_map(PageModel(spots=spots), "en"), width)
        for look in ("victim", WELL, UNSEEN):
            assert len(of_class(picture, "mark", look)) == sum(find_look(one) == look for one in spots)
        places = [group.get("transform") for group in picture.iter("g") if group.get("transform")]
        assert len(places) == len(set(places)) == count


def test_sessions_that_are_down_lie_on_top_and_are_told_in_words():
    spots = [spot("oak-1"), spot("oak-2"), spot("oak-3", SICK)]
    sessions = [session("oak-1", "oak-3", DOWN, "Active Socket: No route to host"), BETWEEN, session("oak-1", "oak-2")]
    picture = drawing(draw_node_map(PageModel(spots=spots, sessions=sessions), "en"))
    assert [line.get("class") for line in of_class(picture, "session")] == [
        "session up",
        "session half",
        "session down",
    ]
    half, down = said(picture, "session-reach")
    assert down == "oak-1 sees oak-3: Active Socket: No route to host (status.txt:7)"
    assert half.splitlines() == ["oak-1 sees oak-2: Established (status.txt:4)", "oak-2 sees oak-1: Connect (b.txt:9)"]


def test_each_end_has_its_row_in_the_table_with_a_link_to_its_line():
    tree = parsed(draw_node_map(PageModel(spots=[spot("oak-1"), spot("oak-2")], sessions=[BETWEEN]), "en", anchor))
    assert ["oak-2", "oak-1", "session up at one end only", "Connect", "b.txt:9"] in list(rows(tree))
    assert "#L-b.txt-9" in {link.get("href") for link in tree.iter("a")}


def test_without_an_anchor_nothing_is_a_link():
    tree = parsed(draw_node_map(scene(5), "en"))
    assert not list(tree.iter("a"))
    assert {picture.get("role") for picture in tree.iter("svg")} == {"img", None}


def test_two_hundred_nodes_are_all_named_on_a_desk_and_no_session_that_is_up_is_drawn():
    full = cluster(200, 4)
    picture = drawing(draw_node_map(PageModel(spots=full, sessions=mesh(full, 200)), "en", anchor))
    assert {name.split("\u2002")[0] for name in said(picture, "name")} == {one.name for one in full}
    assert not of_class(picture, "session", UP)


def test_many_lines_become_a_number_behind_the_sick_nodes():
    full = cluster(40)
    parts = choose_parts(full, mesh(full, 20), LINES_AT_MOST, healthy=False)
    assert parts.folded == {"oak-0": "39/39", "oak-10": "39/39", "oak-20": "20/20", "oak-30": "20/20"}
    assert not parts.lines
    picture = drawing(draw_node_map(PageModel(spots=full, sessions=mesh(full, 20)), "en"))
    assert "oak-0\u200239/39" in said(picture, "name", SICK)
    assert len(of_class(picture, "rays")) == 4


def test_a_few_lines_are_drawn():
    few = PageModel(spots=cluster(40), sessions=[session("oak-1", "oak-20", DOWN), session("oak-1", "oak-2")])
    assert len(of_class(drawing(draw_node_map(few, "en")), "session")) == 1


def test_lines_are_bounded_where_everything_is_down_between_healthy_nodes():
    well = cluster(100, every=1000)[1:]
    every = [session(one.name, other.name, DOWN) for one in well for other in well if one.name < other.name]
    parts = choose_parts(well, every, LINES_AT_MOST, healthy=False)
    assert len(parts.lines) <= LINES_AT_MOST
    assert not parts.rays


def test_peers_that_are_not_nodes_stand_apart():
    for count in (4, 40):
        reflected = PageModel(spots=cluster(count), sessions=[session("oak-1", "192.0.2.9", DOWN)])
        picture = drawing(draw_node_map(reflected, "en"))
        assert said(picture, "name", "peer") == ["192.0.2.9"]
        assert "Peers that are not nodes" in said(picture, "heading")


def test_thousands_are_grouped_by_zone_with_the_sick_counted_and_some_named():
    markup = draw_node_map(scene(5_000, zones=4), "en", anchor)
    picture = drawing(markup)
    assert said(picture, "heading") == ["east-0", "east-2", "east-1", "east-3"]
    assert said(picture, "name")[0] == "250 unhealthy, 1,000 healthy"
    assert len(of_class(picture, "mark", SICK)) == 16
    assert "and 242 more" in said(picture, "agent")
    between = list(rows(parsed(markup)))[1:5]
    assert [row[0] for row in between] == said(picture, "heading")
    assert between[0][1] == "1,249 / 1,249"


def test_zones_are_bounded_and_the_rest_is_taken_together():
    zones = group_by_zone(cluster(300, 300), 12)
    assert len(zones) == 12
    assert zones[-1].folded == 289
    assert sum(len(zone.spots) for zone in zones) == 300
    assert zones[-1].heading("zh", alone=False) == "其他 289 个可用区"


def test_tables_are_bounded_and_say_so():
    tree = parsed(draw_node_map(scene(5_000, zones=4), "en"))
    tables = [
        table
        for table in tree.iter("table")
        if table[0].text != "Sessions between zones: not up, of all that were seen"
    ]
    assert all(len(list(table.iter("tr"))) == ROWS_AT_MOST + 1 for table in tables)
    assert "4,760 less important rows are left out." in said(tree, "drawing-note")


def test_what_all_names_share_is_left_off_and_long_names_keep_their_ends():
    domain = ".mill.example.org"
    spots = [spot(f"oak-{number}{domain}") for number in range(3)]
    picture = drawing(draw_node_map(PageModel(spots=spots), "en"))
    assert sorted(said(picture, "name")) == ["oak-0", "oak-1", "oak-2"]
    long = [spot(f"shared-prefix-of-a-machine-pool-{number}" * 2) for number in range(3)]
    names = said(drawing(draw_node_map(PageModel(spots=long), "en"), "narrow"), "name")
    assert all("…" in name for name in names)
    assert {name[-2:] for name in names} == {"-0", "-1", "-2"}


def test_the_summary_counts_in_both_languages():
    assert "Nodes: 20 (2 unhealthy, 18 healthy). BGP sessions seen: 54 (" in draw_node_map(scene(20), "en")
    assert "节点 20 个（2 个异常、18 个正常）。见到 BGP 会话 54 个（" in draw_node_map(scene(20), "zh")
    assert "No BGP session was seen." in draw_node_map(PageModel(spots=cluster(3)), "en")


@settings(max_examples=60)
@given(st.text(min_size=1), st.text(), st.sampled_from([4, 40, 300]))
def test_nothing_in_the_evidence_acts_on_the_page(name, words, count):
    spots = [spot(name, SICK, zone=words, agent=words, address=words, causes=(words,)), *cluster(count)]
    hostile = PageModel(spots=spots, sessions=[session(name, words, DOWN, words), session("oak-1", name, HALF, words)])
    tree = parsed(draw_node_map(hostile, "en", anchor))
    shown = "".join(tree.itertext())
    assert all(letter.isprintable() for letter in shown if letter not in "\n\u2068\u2069\u2002")


def test_markup_stays_text_and_long_words_are_cut():
    evil = "</title><script>alert(1)</script>" + "W" * 1_000_000
    markup = draw_node_map(
        PageModel(spots=[spot(evil, SICK, agent=evil)], sessions=[session(evil, "b", DOWN, evil)]), "en", anchor
    )
    assert "<script" not in markup
    assert len(markup) < 40_000
