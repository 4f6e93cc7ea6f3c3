"""The words that a pattern cannot match without."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.model import Scope
from calivet.search.normalize import split_alternatives
from calivet.search.required_words import find_required_words
from calivet.signs.sighting import list_observations
from tests.shipped import load_shipped_catalogue

OBSERVATIONS = [item for item in list_observations(load_shipped_catalogue()) if item.what.pattern]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("frobnicator is gone", {"frobnicator is gone"}),
        ("Frobnicator (?P<name>\\w+) vanished", {"frobnicator "}),
        ("frobnicators? lost", {"frobnicators lost", "frobnicator lost"}),
        ("the (?:big )?frobnicator", {"the big frobnicator", "the frobnicator"}),
        ("wobbler[24]x", {"wobbler2x", "wobbler4x"}),
        ("wobbler (?:zapped|gone\\d+)", {"wobbler "}),
        ("x (?:zapped|frobbed\\d+)", {"x zapped", "x frobbed"}),
        ("port {2,9}zog {1,4}", {"port  "}),
        ("zog-1[7-9]-q", {"zog-17-q", "zog-18-q", "zog-19-q"}),
        ("zogq[0-9a-f]+", {"zogq"}),
        ("frobnicator(?: is gone)?", {"frobnicator"}),
        ("(?:frobnicator|wobbler) \\d+", {"frobnicator ", "wobbler "}),
        ("(?:zap|frobnicator).{0,40}wobblers gone", {"wobblers gone"}),
        ("(?:frobnicator)+ x", {"frobnicator x"}),
        ("对端密码不一致", {"对端密码不一致"}),
    ],
)
def test_the_rarest_of_them(pattern, expected):
    assert find_required_words(pattern)[0] == expected


@pytest.mark.parametrize("pattern", ["\\d+", "(?:frobnicator)?", "a.b", "(?:frobnicator|\\d+)", "kubelet", "été"])
def test_none_where_nothing_rare_must_be_there(pattern):
    assert not find_required_words(pattern)


@pytest.mark.parametrize(
    "pattern", ["(?=frobnicator)x", "(?:(?!x)frobnicator)?", "(frobnicator)\\1", "(?<=x)frobnicator"]
)
def test_what_looks_around_or_back_is_refused(pattern):
    with pytest.raises(ValueError, match="looks around"):
        find_required_words(pattern)


def test_every_line_on_which_the_catalogue_fires_has_one():
    for item in OBSERVATIONS:
        found = [found for part in split_alternatives(str(item.what.pattern)) if (found := find_required_words(part))]
        if len(found) == len(split_alternatives(str(item.what.pattern))):
            for line in item.what.fires:
                low = line.lower()
                assert any(all(any(word in low for word in words) for words in one) for one in found), (item.key, line)


def test_nearly_all_patterns_that_logs_are_searched_for_have_some():
    searched = [str(item.what.pattern) for item in OBSERVATIONS if item.what.scope is not Scope.NOTE]
    parts = [part for pattern in searched for part in split_alternatives(pattern)]
    assert len([part for part in parts if not find_required_words(part)]) < len(parts) / 25


@given(st.from_regex(r"(?:frobnicator|wobbler (?:x|y)?z+) [a-c]{1,3}(?: gone)?", fullmatch=True))
def test_no_match_is_without_one(text):
    pattern = r"(?:frobnicator|wobbler (?:x|y)?z+) [a-c]{1,3}(?: gone)?"
    assert re.search(pattern, text)
    assert find_required_words(pattern)
    assert all(any(word in text.lower() for word in words) for words in find_required_words(pattern))
