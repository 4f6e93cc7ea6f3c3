from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.facts.times import count_seconds_between, parse_age, parse_time


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("6d21h", 594_000),
        ("3m ago", 180),
        ("2m4s", 124),
        ("57m", 3_420),
        ("1y", 31_536_000),
        ("350ms", 0.35),
        ("About an hour ago", 3_600),
        ("Up 2 days", 172_800),
        ("About a minute ago", 60),
        ("3 weeks ago", 1_814_400),
    ],
)
def test_ages(text, seconds):
    assert parse_age(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["<unknown>", "<invalid>", "", "Running", "calico-node"])
def test_what_is_no_age(text):
    assert parse_age(text) is None


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Tue, 14 Mar 2023 15:09:26 +0800", datetime(2023, 3, 14, 15, 9, 26, tzinfo=timezone(timedelta(hours=8)))),
        ("2020-12-30 13:41:27.250 [INFO][10]", datetime(2020, 12, 30, 13, 41, 27, 250_000)),
        ("2023-11-09T08:21:33.415926535Z stdout F", datetime(2023, 11, 9, 8, 21, 33, 415_926, tzinfo=UTC)),
        ("I0229 06:44:12.016739  4711 server.go:1]", datetime(2000, 2, 29, 6, 44, 12, 16_739)),
        ("May  6 05:33:01 node-1 kubelet[1]: x", datetime(2000, 5, 6, 5, 33, 1)),
        ("since Thu 2020-06-18 11:48:45 CST; 3s ago", datetime(2020, 6, 18, 11, 48, 45)),
    ],
)
def test_times(text, time):
    assert parse_time(text) == time


def test_times_of_unlike_zone_knowledge_are_compared_by_clock_face():
    assert count_seconds_between(datetime(2024, 1, 1, 10), datetime(2024, 1, 1, 10, 1, tzinfo=UTC)) == 60
    assert count_seconds_between(None, datetime(2024, 1, 1)) is None


@given(st.text())
def test_any_text_is_survived(text):
    parse_age(text)
    parse_time(text)
