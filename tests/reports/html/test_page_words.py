"""The words of the page: in both languages, and one for everything that it asks for."""

from __future__ import annotations

import re

import pytest

from calivet.catalogue.words import places
from calivet.reports.html.page import ASSETS
from calivet.reports.html.words import PAGE_WORDS, word
from calivet.reports.labels import LABELS

CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
ASKED = re.compile(r"""word\(\s*["']([\w.]+)["']""")
MODULES = [*ASSETS.glob("*.html"), ASSETS.parent / "claims.py", ASSETS.parent / "chain.py"]
QUOTED = re.compile(r"""["']([\w.]+)["']""")


@pytest.mark.parametrize("key", PAGE_WORDS)
def test_both_languages_and_the_same_places(key):
    words = PAGE_WORDS[key]
    assert not CHINESE.search(words.en)
    assert CHINESE.search(words.zh)
    assert places(words.en) == places(words.zh)


def test_the_page_hides_no_word_that_all_reports_share():
    assert PAGE_WORDS.keys() & LABELS.keys() == set()


def test_every_word_that_is_asked_for_is_there():
    asked = {key for path in MODULES for key in ASKED.findall(path.read_text("utf-8"))}
    assert len(asked) > 40
    assert asked <= PAGE_WORDS.keys() | LABELS.keys()


def test_no_word_is_there_for_nothing():
    quoted = {key for path in MODULES for key in QUOTED.findall(path.read_text("utf-8"))}
    parts = {f"chain.{part}" for part in ("cause", "effect", "symptom")}
    assert PAGE_WORDS.keys() - parts <= quoted


def test_numbers_have_their_thousands_apart():
    assert word("and_more", "en", count=12345) == "and 12,345 more"
