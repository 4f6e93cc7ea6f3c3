"""The fixed words: both languages, the same places, and a word for everything that is asked for."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from calivet.catalogue.model import Strength
from calivet.catalogue.words import places
from calivet.reasoning.diagnosis import FAULT, HEALTHY, INSUFFICIENT
from calivet.reports.labels import LABELS, label

CHINESE = re.compile(r"[\u4e00-\u9fff]")
SOURCES = [path.read_text("utf-8") for path in Path(str(files("calivet.reports"))).glob("*.py")]
ASKED = re.compile(r"""(?:word|label|section|heading|_heading)\(\s*["']([\w.]+)["']""")


@pytest.mark.parametrize("key", LABELS)
def test_both_languages_and_the_same_places(key):
    words = LABELS[key]
    assert words.en.strip()
    assert words.zh.strip()
    assert not CHINESE.search(words.en)
    assert CHINESE.search(words.zh)
    assert places(words.en) == places(words.zh)


def test_every_word_that_a_report_asks_for_is_there():
    asked = {key for source in SOURCES for key in ASKED.findall(source)}
    assert len(asked) > 20
    assert asked - LABELS.keys() == set()


@pytest.mark.parametrize(
    "key",
    [
        *Strength,
        "against",
        "safe",
        "disruptive",
        "dangerous",
        "cluster",
        "node",
        "manual",
        FAULT,
        HEALTHY,
        INSUFFICIENT,
    ],
)
def test_every_value_that_is_shown_has_a_word(key):
    assert str(key) in LABELS


def test_places_are_filled():
    assert label("fault.many", "en", count=3) == "3 independent root causes found"
    assert label("fault.many", "zh", count=3) == "找到 3 个相互独立的根因"
    assert label("confidence", "en", percent=97) == "confidence 97%"
    assert label("times", "en", count=51234) == "51,234 times"
    assert label("times", "zh", count=51234) == "51,234 次"


def test_no_word_is_left_unfilled():
    for key, words in LABELS.items():
        values = dict.fromkeys(places(words.en), "7")
        assert "<" not in label(key, "en", **values) + label(key, "zh", **values)
