"""The number of etcd members."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings


def members(*names):
    return pods(*(f"etcd-{name} 1/1 Running 0 90d 10.71.0.{number} {name}" for number, name in enumerate(names, 11)))


@pytest.mark.parametrize(("count", "fires"), [(1, False), (2, True), (3, False), (4, True), (5, False)])
def test_even_numbers(count, fires):
    assert bool(sightings("even-etcd-members", members(*(f"birch-{number}" for number in range(count))))) is fires


def test_what_it_says():
    (seen,) = sightings("even-etcd-members", members("birch-1", "birch-2"))
    assert seen.values == {"count": "2", "members": "etcd-birch-1, etcd-birch-2"}
    assert seen.node is None


def test_a_member_seen_twice_is_one():
    assert sightings("even-etcd-members", members("birch-1") + members("birch-1")) == []


def test_no_member_is_not_an_even_number():
    assert sightings("even-etcd-members", pods("kube-proxy-c2wxb 1/1 Running 0 90d 10.71.0.11 birch-1")) == []


def test_a_backup_job_is_no_member():
    text = members("birch-1", "birch-2", "birch-3") + pods(
        "etcd-backup-27912360-x2k4j 0/1 Completed 0 5h 10.244.0.9 birch-3"
    )
    assert sightings("even-etcd-members", text) == []
