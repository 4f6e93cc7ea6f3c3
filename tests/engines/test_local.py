"""All cores: each path once, and what one of them does to its process costs no other."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from calivet.engines.choose import NotInstalledError, open_engine
from calivet.engines.engine import CRASHED, EngineError, Failure, Local, attempt_work, run_each_once
from calivet.evidence.long_logs.workers import count_cores
from calivet.messages.message import make_verbatim
from tests.engines.works import behave, each_once, names


def test_a_worker_that_dies_costs_only_what_killed_it(tmp_path):
    paths = names(tmp_path, "raise", "crash")
    found = each_once(run_each_once(Local(2), behave, paths), paths)
    assert found.pop(str(tmp_path / "crash")) == Failure(CRASHED, died=True)
    assert found.pop(str(tmp_path / "raise")) == Failure(make_verbatim("RuntimeError: raise is a trap \x1b[31m"))
    assert all(outcome == path.rpartition("/")[2].upper().encode() for path, outcome in found.items())


def test_a_worker_that_is_killed_costs_nothing(tmp_path):
    paths = names(tmp_path, "once")
    found = each_once(run_each_once(Local(2), behave, paths), paths)
    assert not any(isinstance(outcome, Failure) for outcome in found.values())


def test_nothing_to_do():
    assert list(run_each_once(Local(2), behave, [])) == []


def test_only_a_few_paths_are_handed_out_at_a_time(tmp_path):
    taken = []

    def endless():
        for number in range(10_000):
            taken.append(number)
            yield str(tmp_path / f"p{number}")

    results = Local(1).run(behave, endless())
    next(results)
    results.close()
    assert len(taken) < 10


def test_left_early_it_leaves_nothing_behind(tmp_path, started):
    threads = threading.active_count()
    results = Local(2).run(behave, names(tmp_path, "sleep"))
    next(results)
    assert started
    results.close()
    assert all(process.returncode is not None for process in started)
    assert threading.active_count() == threads


WORKERS = """
import os, signal
from calivet.engines.engine import Local
from tests.engines.works import name_process

for _, worker in Local(1).run(name_process, ["a", "b", "sleep", "d", "e"]):
    print(worker.decode(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_do_not_outlive_calivet():
    """Also not in the middle of something. The output's pipe ends when the last process that holds it is gone."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path}\n{WORKERS}"],
        capture_output=True,
        env=os.environ | {"CALIVET_DEBUG": "1"},  # so that the workers hold the complaints' pipe too
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (-9, b"")
    assert int(ended.stdout.split()[0]) != os.getpid()


def test_paths_that_cannot_be_listed_end_the_run():
    def broken():
        yield "a"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(Local(2).run(behave, broken()))


def test_where_no_process_can_be_started_one_line_says_so(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(EngineError, match="no process can be started: No such file"):
        list(Local(2).run(behave, ["a", "b"]))


def test_a_failure_is_a_result():
    assert attempt_work(behave, "raise") == Failure(make_verbatim("RuntimeError: raise is a trap \x1b[31m"))
    assert attempt_work(behave, "a/b") == b"B"


def test_the_cores_that_may_be_used():
    assert 1 <= count_cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("name", ["ray", "dask"])
def test_an_extra_that_is_not_installed_is_named(name, monkeypatch):
    monkeypatch.setattr("calivet.engines.choose.find_spec", lambda _: None)
    with pytest.raises(NotInstalledError, match={"dask": "distributed"}.get(name, name)), open_engine(name):
        pass
