"""Few short words for many long ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.cover import cover
from calivet.evidence.rarity import WINDOW, rarity


def test_words_that_share_a_rare_part_share_it():
    found = cover(["left frobnicator", "right frobnicator", "wobbler"])
    assert sorted(map(len, found.values())) == [1, 2]
    assert all(len(part) <= WINDOW for part in found)


def test_what_ordinary_lines_are_full_of_is_not_shared():
    """Both words hold it, and it would be found in every line."""
    assert len(cover(["kubernetes frobnicator", "kubernetes wobblerish"])) == 2


def test_of_two_parts_the_one_that_healthy_logs_do_not_hold_is_the_rarer():
    assert rarity("sandbox") < rarity("zapboxq")
    assert rarity("port 4711") == rarity("port 5812")


@given(st.lists(st.text("abc xyz界", min_size=1, max_size=20), unique=True))
def test_each_word_holds_the_part_that_stands_for_it_and_is_there_once(words):
    found = cover(words)
    assert sorted(word for held in found.values() for word in held) == sorted(words)
    assert all(part in word for part, held in found.items() for word in held)
