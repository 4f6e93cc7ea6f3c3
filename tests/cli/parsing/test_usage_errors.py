"""Wrong usage in Chinese: whatever this Python's argparse and our own types say."""

from __future__ import annotations

import re

import pytest

from calivet.cli.parsing.parser import recognise_usage_error
from tests.cli.running import calivet

WRONG = [
    ("demo", "--no-such-option"),
    ("demo", "-o", "paper"),
    ("demo", "--width"),
    ("demo", "--width", "wide"),
    ("demo", "--color", "sometimes"),
    ("demo", "--no-color=1"),
    ("diagnose", "--ssh"),
    ("diagnose", "--ssh", "a b"),
    ("diagnose", "--ssh-parallel", "0"),
    ("diagnose", "--ssh-user", "a b"),
    ("diagnose", "--since", "soon"),
    ("diagnose", "--since", "0s"),
    ("diagnose", "--ssh-", "x"),
    ("explain",),
    ("completion", "tcsh"),
    ("no-such-command",),
]


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_every_kind(arguments):
    run = calivet(*arguments, "--lang", "zh") if arguments[0] != "completion" else calivet(*arguments, LANG="zh_CN")
    assert run.code == 64
    assert run.err.count("\n") == 1
    said = run.err.split("（参见")[0]
    assert re.search(r"[\u4e00-\u9fff]", said)
    assert not re.search(r"\b(argument|arguments|invalid|expected|unrecognized|not|is|of)\b", said), said


def test_english_stays_english():
    assert calivet("demo", "-o", "paper").err.isascii()


def test_what_is_not_known_stays_as_it_is():
    assert recognise_usage_error("the moon is full").read("zh") == "the moon is full"
