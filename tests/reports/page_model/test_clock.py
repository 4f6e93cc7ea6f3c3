"""One axis for dates, dates without their year, and ages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.reports.page_model.seeing import at, happenings, scene_of

LOG = "[root@oak-1 ~]# journalctl\n"
GONE = "frobnicator main is gone"
EVENTS = """
    $ kubectl get events
    LAST SEEN   TYPE      REASON      OBJECT       MESSAGE
    5m          Warning   Unhealthy   pod/web-1    Readiness probe failed
"""


def test_ages_alone_count_back_from_when_the_evidence_was_taken():
    found = scene_of(EVENTS).timeline
    assert (found.clock, found.assumed, found.happenings[0].end) == (False, False, -300.0)


@pytest.mark.parametrize(
    "says",
    [
        "[root@oak-1 ~]# date -u\nTue May  6 12:00:00 UTC 2025\n",
        "# calivet-probe 1 host=oak-1 user=root time=2025-05-06T12:00:00Z\n# calivet-probe end sections=0\n",
    ],
    ids=["date", "probe"],
)
def test_a_clock_that_was_asked(says):
    found = scene_of({"events.txt": EVENTS, "clock.txt": says}).timeline
    assert (found.clock, found.assumed) == (True, False)
    assert found.happenings[0].end == at("2025-05-06T11:55:00Z")


def test_events_as_objects_tell_their_times():
    text = """
        apiVersion: v1
        count: 40
        firstTimestamp: "2025-05-06T08:00:00Z"
        involvedObject:
          kind: Pod
          name: web-1
        kind: Event
        lastTimestamp: "2025-05-06T09:00:00Z"
        message: Readiness probe failed
        reason: Unhealthy
        type: Warning
    """
    (found,) = happenings(text)
    assert (found.start, found.end, found.count) == (at("2025-05-06T08:00:00Z"), at("2025-05-06T09:00:00Z"), 40)


def test_who_brings_the_evidence_knows_best():
    taken = datetime(2025, 5, 6, 13, tzinfo=UTC)
    clock = "[root@oak-1 ~]# date -u\nTue May  6 12:00:00 UTC 2025\n"
    (found,) = happenings({"events.txt": EVENTS, "clock.txt": clock}, taken=taken)
    assert found.end == at("2025-05-06T12:55:00Z")


def test_a_document_with_a_clock_of_its_own_counts_from_that():
    earlier = EVENTS.strip("\n") + "\n    $ date -u\n    Mon May  5 10:00:00 UTC 2025\n"
    clock = "[root@oak-1 ~]# date -u\nTue May  6 12:00:00 UTC 2025\n"
    (found,) = happenings({"yesterday.txt": earlier, "today.txt": clock})
    assert found.end == at("2025-05-05T09:55:00Z")


def test_else_the_latest_time_that_was_seen_is_assumed():
    log = f"{LOG}2025-05-06 09:00:00.000 [ERROR][4] felix/x.go 1: {GONE}\n2025-05-06 09:10:00.000 [INFO][4] felix/x.go 1: hello\n"
    found = scene_of({"events.txt": EVENTS, "felix.log": log}).timeline
    assert (found.clock, found.assumed) == (True, True)
    assert {one.kind: one.end for one in found.happenings} == {
        "sign": at("2025-05-06T09:00:00Z"),
        "event": at("2025-05-06T09:05:00Z"),
    }


def test_nothing_is_assumed_where_no_age_was_told():
    assert not scene_of(f"{LOG}2025-05-06 09:00:00.000 [ERROR][4] felix/x.go 1: {GONE}\n").timeline.assumed


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("Jan  2 03:04:05", "2025-01-02T03:04:05Z"),
        ("Dec 31 03:04:05", "2024-12-31T03:04:05Z"),
        ("Feb 29 03:04:05", "2024-02-29T03:04:05Z"),
    ],
)
def test_a_line_without_a_year_gets_the_last_that_fits(line, time):
    taken = datetime(2025, 1, 3, tzinfo=UTC)
    (found,) = happenings(f"{LOG}{line} oak-1 kubelet[7]: {GONE}\n", taken=taken)
    assert found.start == at(time)


def test_where_nothing_tells_the_year_it_says_so():
    found = scene_of(f"{LOG}May 06 03:04:05 oak-1 kubelet[7]: {GONE}\n").timeline
    assert (found.clock, found.year) == (True, False)
    assert found.happenings[0].start == at("2000-05-06T03:04:05Z")


def test_machines_write_by_the_zone_that_other_lines_tell():
    log = f"{LOG}2025-05-06T17:00:00+08:00 oak-1 kubelet[7]: {GONE}\nMay 06 18:00:00 oak-1 kubelet[7]: {GONE}\n"
    found = scene_of(log).timeline
    (one,) = found.happenings
    assert (one.start, one.end, found.zone) == (at("2025-05-06T09:00:00Z"), at("2025-05-06T10:00:00Z"), 480)


@pytest.mark.parametrize(
    "time", ["1970-01-01 00:00:09", "2031-01-01 00:00:00", "9999-12-31 23:59:59", "0001-01-01 00:00:00"]
)
def test_a_clock_that_is_plainly_wrong_is_left_out(time):
    taken = datetime(2025, 5, 6, 12, tzinfo=UTC)
    found = scene_of(f"{LOG}{time}.000 [ERROR][4] felix/x.go 1: {GONE}\n", taken=taken).timeline
    assert (found.happenings, found.left_out) == ([], 1)


def test_an_age_beyond_reckoning():
    (found,) = happenings(EVENTS.replace("5m ", "99999999999999999999d "))
    assert found.end < -1e9
