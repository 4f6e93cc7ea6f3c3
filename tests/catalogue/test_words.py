"""Text in both languages, filled in as each language writes it."""

from __future__ import annotations

import pytest

from calivet.messages.words import Words

LATE = Words("{name} was {late} late", "{name} 迟了 {late} 才启动")


@pytest.mark.parametrize(
    ("late", "chinese"),
    [("5 min", "5 分钟"), ("1,200 s", "1,200 秒"), ("2 h", "2 小时"), ("3 d", "3 天")],
)
def test_durations_have_the_units_of_their_language(late, chinese):
    filled = LATE.fill({"name": "felix", "late": late})
    assert filled == Words(f"felix was {late} late", f"felix 迟了 {chinese}才启动")


@pytest.mark.parametrize("late", ["eth0", "v3.27", "5 minutes", "10.0.0.1"])
def test_names_and_figures_stay_as_they_are(late):
    assert LATE.fill({"name": "felix", "late": late}).zh == f"felix 迟了 {late} 才启动"


def test_what_is_not_known_is_left_open():
    assert LATE.fill({}).zh == "<name> 迟了 <late> 才启动"
