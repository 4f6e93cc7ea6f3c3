"""The words of forecasts: for every code there is one, in both languages, with the same places."""

from __future__ import annotations

import re

import pytest

from calivet.catalogue.words import Words, places
from calivet.forecast import carrying, detection, outcome, sessions, starts
from calivet.reports import forecast_words as words

CHINESE = re.compile(r"[\u4e00-\u9fff]")
TABLES = {name: table for name, table in vars(words).items() if isinstance(table, dict) and name.isupper()}
ALL = [
    (name, code, spoken[0] if isinstance(spoken, tuple) else spoken)
    for name, table in TABLES.items()
    for code, spoken in table.items()
]


def codes(module, *left_out):
    """The values of a module's constants."""
    named = {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)}
    return set(named.values()) - set(left_out)


@pytest.mark.parametrize(("table", "code", "spoken"), ALL)
def test_both_languages_with_the_same_places(table, code, spoken):
    assert isinstance(spoken, Words)
    assert places(spoken.en) == places(spoken.zh)
    assert not CHINESE.search(spoken.en)
    assert CHINESE.search(spoken.zh) or code in ("colon", "calico")


def test_every_code_has_its_words():
    why = words.WHY.keys() | words.CONSIDERED.keys()
    assert codes(detection, detection.FOUND) == why
    verdicts = words.VERDICT.keys() | words.TROUBLE.keys() | words.MISSING.keys()
    assert codes(outcome) == verdicts
    assert codes(carrying) - {"Always", "CrossSubnet", "Never"} == words.POOL_TROUBLE.keys()
    assert codes(sessions) == words.STATE.keys()
    assert codes(starts) == words.FATE.keys()
