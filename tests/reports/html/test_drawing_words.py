"""Both languages say the same, and every word is used."""

from __future__ import annotations

from pathlib import Path

from calivet.catalogue.words import places
from calivet.reports.html import drawing_words
from calivet.reports.html.drawing_words import WORDS, word


def test_both_languages_have_the_same_places():
    assert not [key for key, words in WORDS.items() if places(words.en) != places(words.zh)]
    assert all(words.en and words.zh for words in WORDS.values())


def test_no_word_is_left_over():
    code = "".join(
        file.read_text("utf-8")
        for file in Path(drawing_words.__file__).parent.glob("*.py")
        if file.name != "drawing_words.py"
    )
    states = {
        "sick",
        "well",
        "unseen",
        "up",
        "down",
        "half",
        "sick.count",
        "well.count",
        "unseen.count",
        "up.count",
        "down.count",
        "half.count",
    }
    kinds = {"event", "restart", "sign", "harmless", "condition"}
    assert not [key for key in WORDS if f'"{key}"' not in code and key not in states | kinds]


def test_numbers_have_their_thousands_apart():
    assert word("more", "en", count=12_345) == "and 12,345 more"
