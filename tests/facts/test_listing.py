"""A few names instead of thousands."""

from __future__ import annotations

from calivet.facts.listing import listed, listed_others


def test_long_lists_are_cut_and_counted():
    assert listed(["a", "b", "a", "c", "d", "e", "f"]) == "a, b, c, d (+2)"
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == ""


def test_each_of_many_is_told_of_the_others():
    names = list("abcdef")
    assert listed_others(names, "a") == "b, c, d, e (+1)"
    assert listed_others(names, "f") == "a, b, c, d (+1)"
    assert listed_others(["a", "b"], "b") == "a"
    assert listed_others(["a"], "a") == ""
