"""Dask and Ray on a small cluster here: two workers, of which one is killed in the middle."""

from __future__ import annotations

import warnings

import pytest

from calivet.engines.choose import open_engine
from calivet.engines.engine import CRASHED, EngineError, Failure, Limits, run_each_once
from calivet.messages.message import message
from tests.engines.works import behave, each_once, names

pytestmark = pytest.mark.filterwarnings("ignore")  # what these libraries warn of is theirs


@pytest.fixture(params=["dask", "ray"])
def cluster(request, monkeypatch):
    package = {"dask": "distributed", "ray": "ray"}[request.param]
    pytest.importorskip(package, reason=f"the extra '{request.param}' is not installed")
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1")
    if request.param == "dask":
        import dask

        dask.config.refresh()
    with warnings.catch_warnings(action="ignore"), open_engine(request.param, jobs=2) as opened:
        yield opened


def test_a_worker_is_killed_and_every_result_comes_once(cluster, tmp_path):
    paths = names(tmp_path, "once")
    found = each_once(run_each_once(cluster, behave, paths), paths)
    assert (tmp_path / "once.mark").exists()
    assert all(outcome == path.rpartition("/")[2].upper().encode() for path, outcome in found.items())


def test_what_kills_every_worker_is_listed_and_costs_no_other(cluster, tmp_path):
    paths = names(tmp_path, "crash", "raise")
    found = each_once(run_each_once(cluster, behave, paths), paths)
    assert found.pop(str(tmp_path / "crash")) == Failure(CRASHED, died=True)
    assert isinstance(found.pop(str(tmp_path / "raise")), Failure)
    assert not any(isinstance(outcome, Failure) for outcome in found.values())


def test_limits_hold_there_too(tmp_path):
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    paths = names(tmp_path, "sleep")
    with warnings.catch_warnings(action="ignore"), open_engine("dask", jobs=2, limits=Limits(seconds=5.0)) as opened:
        found = each_once(run_each_once(opened, behave, paths), paths)
    assert found.pop(str(tmp_path / "sleep")) == Failure(message("engine.too_long", seconds="5"))
    assert not any(isinstance(outcome, Failure) for outcome in found.values())


def test_an_existing_cluster_is_found_by_its_address_and_left_as_it_was(tmp_path, started):
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    paths = names(tmp_path)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=3, processes=False, dashboard_address=None
    ) as existing:
        for _ in range(2):
            with open_engine("dask", address=existing.scheduler_address) as opened:
                each_once(run_each_once(opened, behave, paths), paths)
            assert all(process.returncode is not None for process in started)
        assert existing.status.name == "running"
        assert len(started) == 2


def test_no_cluster_at_that_address():
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    with pytest.raises(EngineError, match="no Dask cluster"), open_engine("dask", address="nowhere://x"):
        pass
