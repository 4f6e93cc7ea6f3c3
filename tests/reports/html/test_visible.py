"""What hides in evidence is seen on the page, and does nothing there."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from calivet.reports.diagnosis.html.drawing import make_visible


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("a\x00b\x1b[31m", "a␀b␛[31m"),
        ("gone\x7f", "gone␡"),
        ("\u202etxt.exe", "⟨U+202E⟩txt.exe"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("half \udc80", "half ⟨U+DC80⟩"),
        ("two\u3000words", "two words"),
        ("a\tb\nc", "a\tb\nc"),
        ("节点 שלום é", "节点 שלום é"),
    ],
)
def test_hidden_characters_get_a_symbol(hidden, shown):
    assert make_visible(hidden) == shown


@pytest.mark.parametrize("value", [7, None, Markup("<b>\x07</b>")])
def test_what_is_no_plain_text_stays(value):
    assert make_visible(value) is value


@given(st.text(st.characters()))
def test_no_control_no_direction_nothing_that_cannot_be_written(text):
    shown = str(make_visible(text))
    assert {unicodedata.category(letter) for letter in shown} & {"Cc", "Cf", "Cs", "Co", "Cn"} <= {"Cc"}
    assert not set(shown) & set(map(chr, range(32))) - {"\n", "\t"}
    shown.encode()
