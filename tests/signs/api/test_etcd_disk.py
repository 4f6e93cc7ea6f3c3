"""etcd's histograms."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings


def metrics(in_time, total, what="wal_fsync", labels=""):
    name = f"etcd_disk_{what}_duration_seconds"
    return f"""
[root@alder-1 ~]# curl -s http://127.0.0.1:2381/metrics | grep {name}
{name}_bucket{{{labels}le="0.001"}} 0
{name}_bucket{{{labels}le="0.064"}} {in_time}
{name}_bucket{{{labels}le="0.256"}} {total}
{name}_bucket{{{labels}le="+Inf"}} {total}
{name}_count {total}
"""


@pytest.mark.parametrize("what", ["wal_fsync", "backend_commit"])
def test_a_third_of_the_writes_comes_late(what):
    (seen,) = sightings("etcd-waits-for-disk", metrics("2.3e+06", "3.4e+06", what, 'job="etcd",'))
    assert seen.values == {"what": what.replace("_", " "), "share": "32%", "limit": "0.064 s"}


@pytest.mark.parametrize(("in_time", "total"), [("3399000", "3.4e+06"), ("2", "900"), ("0", "0"), ("1.2.3", "4.5.6")])
def test_hardly_any_or_too_few_to_tell(in_time, total):
    assert sightings("etcd-waits-for-disk", metrics(in_time, total)) == []
