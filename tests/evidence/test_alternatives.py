"""Patterns taken apart at their outermost bars."""

from __future__ import annotations

import pytest

from calivet.evidence.alternatives import alternatives


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
    assert alternatives(pattern) == expected
