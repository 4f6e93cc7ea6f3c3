"""Patterns taken apart at their outermost bars."""

from __future__ import annotations

import pytest

from calivet.search.normalize import extend_gaps, split_alternatives


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", ["abc"]),
        ("a|b(?:c|d)|e", ["a", "b(?:c|d)", "e"]),
        (r"a\|b|c", [r"a\|b", "c"]),
        (r"a[|(]b|c", ["a[|(]b", "c"]),
        (r"a[]|]b|c[^]|]d", ["a[]|]b", "c[^]|]d"]),
        (r"[\]|]x|y", [r"[\]|]x", "y"]),
        ("|a", ["", "a"]),
        ("(?s)a|b", ["(?s)a|b"]),
        ("(?:a|b)", ["(?:a|b)"]),
    ],
)
def test_where_it_comes_apart(pattern, expected):
    assert split_alternatives(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"a.{0,40}b.{1,9}c{3}", r"a.*b.+c{3}"),
        (r"a\{1,2\}", r"a\{1,2\}"),
        (r"a\s+[\s,]", r"a[ \t\r\f\v]+[ \t\r\f\v,]"),
        (r"[^\s]\\s", r"[^\s]\\s"),
    ],
)
def test_gaps_have_no_bounds_and_blanks_end_with_the_line(pattern, expected):
    assert extend_gaps(pattern) == expected
