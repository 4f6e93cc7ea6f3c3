"""The decisive words of a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.reports.diagnosis.html.claims import mark_words


def decisive(line: str, *words: str) -> list[str]:
    return [piece.text for piece in mark_words(line, words) if piece.decisive]


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [
        ("peer 10.0.0.2 is down", ["10.0.0.2"], ["10.0.0.2"]),
        ("BackOff 18m (x8 over 2h)", ["8"], ["8"]),
        ("on 10.31.8.21 only", ["2"], []),
        ("load average: 243.80, 238.16", ["243.8"], ["243.80"]),
        ("one two three", ["one two", "two three"], ["one two three"]),
        ("one two three", ["three", "one"], ["one", "three"]),
        ("one", ["absent", ""], []),
        ("", ["x"], []),
    ],
)
def test_words_are_found_where_they_are_meant(line, words, expected):
    assert decisive(line, *words) == expected


def test_the_8_of_x8_is_not_that_of_18():
    pieces = mark_words("BackOff 18m (x8 over 2h)", ["8"])
    assert pieces[0].text == "BackOff 18m (x"


@given(st.text("ab1 ", max_size=40), st.lists(st.text("ab1 ", max_size=4), max_size=4))
def test_the_pieces_are_the_line(line, words):
    assert "".join(piece.text for piece in mark_words(line, words)) == line


def test_words_that_a_line_was_cut_in_are_marked_as_far_as_they_show():
    words = "a very long sentence that goes on and on"
    assert decisive("… says a very long sentence that …", words) == ["a very long sentence that "]
