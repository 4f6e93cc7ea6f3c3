"""The picture of a chain."""

from __future__ import annotations

import re

import pytest

from calivet.reports.diagnosis.html.chain import Link, draw_chain
from tests.reports.html.reading import taken_apart


def links(count: int, title: str = "BGP is down") -> list[Link]:
    parts = ["cause", *["effect"] * (count - 2), "symptom"]
    return [
        Link(f"{title} {number}", part, number != 1, "#line-1-1" if number == 2 else None)
        for number, part in enumerate(parts)
    ]


def boxes(picture: str, kind: str) -> list[tuple[int, int, int, int]]:
    (drawing,) = re.findall(rf'<svg class="chain chain-{kind}".*?</svg>', picture)
    found = re.findall(r'<rect class="chain-box" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', drawing)
    return [(int(x), int(y), int(width), int(height)) for x, y, width, height in found]


def test_one_link_is_no_chain():
    assert draw_chain([Link("alone", "cause", True)], "chain-1", "en") == ""


@pytest.mark.parametrize("count", range(2, 13))
def test_boxes_never_touch_and_no_row_has_a_single_one(count):
    wide = boxes(draw_chain(links(count), "chain-1", "en"), "wide")
    assert len(wide) == count
    for number, (x, y, width, height) in enumerate(wide):
        for x2, y2, _, _ in wide[number + 1 :]:
            assert x2 >= x + width or y2 >= y + height
    rows = [y for _, y, _, _ in wide]
    assert all(rows.count(y) > 1 for y in rows)
    assert max(x + width for x, _, width, _ in wide) <= 912


def test_a_narrow_page_has_them_one_below_the_other():
    narrow = boxes(draw_chain(links(5), "chain-1", "zh"), "narrow")
    assert len({x for x, *_ in narrow}) == 1
    assert max(x + width for x, _, width, _ in narrow) <= 330


def test_its_words_tell_what_it_shows_and_what_was_seen():
    picture = taken_apart(draw_chain(links(3), "chain-1", "en"))
    assert picture.texts["desc"] == ["BGP is down 0 → BGP is down 1 → BGP is down 2"] * 2
    labels = [text for text in picture.texts["text"] if "·" in text or text == "root cause"]
    assert labels == ["root cause", "effect · follows from it", "symptom · seen"] * 2
    assert len(set(picture.every("id"))) == len(picture.every("id"))


def test_hostile_titles_stay_text():
    picture = taken_apart(draw_chain(links(2, '<a href="x" onload=alert(1)>\u202e'), "chain-1", "en"))
    assert picture.every("onload") == []
    assert picture.every("style") == []
    assert "⟨U+202E⟩" in picture.texts["desc"][0]
