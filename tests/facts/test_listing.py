"""A few names instead of thousands."""

from __future__ import annotations

from calivet.facts.names import list_names, list_others


def test_long_lists_are_cut_and_counted():
    assert list_names(["a", "b", "a", "c", "d", "e", "f"]) == "a, b, c, d (+2)"
    assert list_names(["a", "b"]) == "a, b"
    assert list_names([]) == ""


def test_each_of_many_is_told_of_the_others():
    names = list("abcdef")
    assert list_others(names, "a") == "b, c, d, e (+1)"
    assert list_others(names, "f") == "a, b, c, d (+1)"
    assert list_others(["a", "b"], "b") == "a"
    assert list_others(["a"], "a") == ""
