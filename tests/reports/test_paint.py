"""Colour, where the reader's terminal has it and the reader wants it."""

from __future__ import annotations

import io

import pytest

from calivet.reports.layout import terminal
from calivet.reports.layout.terminal import Paint, is_colour_wanted


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"TERM": "xterm-256color"}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {"CLICOLOR": "0"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"CLICOLOR_FORCE": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "3", "TERM": "dumb"}, True),
        (io.StringIO(), {"FORCE_COLOR": "0"}, False),
        (io.StringIO(), {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_when_to_colour(stream, environment, expected):
    assert is_colour_wanted(stream, environment=environment) is expected


def test_what_the_reader_says_counts_most():
    assert is_colour_wanted(io.StringIO(), "always", {"NO_COLOR": "1", "TERM": "dumb"})
    assert not is_colour_wanted(Terminal(), "never", {"FORCE_COLOR": "1"})


def test_painting():
    assert Paint(colour=True)("x", "bold", "red") == "\x1b[1;31mx\x1b[0m"
    assert Paint(colour=True)("", "red") == ""
    assert Paint(colour=True)("x") == "x"
    assert Paint(colour=False)("x", "bold") == "x"


def test_every_style_has_a_code():
    for styles in (terminal.STRENGTH, terminal.RISK, terminal.VERDICT):
        for style in styles.values():
            assert Paint(colour=True)("x", style) != "x"
