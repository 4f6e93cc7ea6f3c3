"""All cores: each path once, and what one of them does to its process costs no other."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from time import monotonic, sleep

import pytest

from calivet.engines.choose import NotInstalledError, engine
from calivet.engines.engine import CRASHED, Failure, attempt, outcomes
from calivet.engines.local import Local, _submitted
from calivet.evidence.side_by_side import cores
from tests.engines.works import behave, each_once, names


def test_a_worker_that_dies_costs_only_what_killed_it(tmp_path):
    paths = names(tmp_path, "raise", "crash")
    found = each_once(outcomes(Local(2), behave, paths), paths)
    assert found.pop(str(tmp_path / "crash")) == Failure(CRASHED, died=True)
    assert found.pop(str(tmp_path / "raise")) == Failure("RuntimeError: raise is a trap \x1b[31m")
    assert all(outcome == path.rpartition("/")[2].upper().encode() for path, outcome in found.items())


def test_a_worker_that_is_killed_costs_nothing(tmp_path):
    paths = names(tmp_path, "once")
    found = each_once(outcomes(Local(2), behave, paths), paths)
    assert not any(isinstance(outcome, Failure) for outcome in found.values())


def test_nothing_to_do():
    assert list(outcomes(Local(2), behave, [])) == []


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


def test_left_early_it_leaves_no_process_behind(tmp_path):
    before = set(multiprocessing.active_children())
    results = Local(2).run(behave, names(tmp_path))
    next(results)
    started = set(multiprocessing.active_children()) - before
    assert started
    results.close()
    assert all(_ends(process) for process in started)


def _ends(process: BaseProcess) -> bool:
    """Asked again and again: while the pool's own thread reaps it, a process that has ended may still be called alive."""
    deadline = monotonic() + 60
    while process.is_alive():
        if monotonic() > deadline:
            return False
        sleep(0.01)
    return True


WORKERS = """
import os, signal
from calivet.engines.local import Local

def name(path):
    return str(os.getpid()).encode()

if __name__ == "__main__":
    for _, worker in Local(1).run(name, ["a", "b", "c", "d", "e"]):
        print(worker.decode(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_do_not_outlive_calivet(tmp_path):
    """The pipe to the worker's output closes when the last process that holds it is gone."""
    script = tmp_path / "main.py"
    script.write_text(WORKERS)
    ended = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, timeout=120, check=False)
    assert ended.returncode == -9
    assert int(ended.stdout.split()[0]) != os.getpid()


def test_a_pool_that_broke_unseen_loses_no_path():
    class Broken(ProcessPoolExecutor):
        def submit(self, *arguments, **named):
            raise BrokenProcessPool

    future: Future = _submitted(Broken(1), behave, "a")
    with pytest.raises(BrokenProcessPool):
        future.result()


def test_a_failure_is_a_result():
    assert attempt(behave, "raise") == Failure("RuntimeError: raise is a trap \x1b[31m")
    assert attempt(behave, "a/b") == b"B"


def test_the_cores_that_may_be_used():
    assert 1 <= cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("name", ["ray", "dask"])
def test_an_extra_that_is_not_installed_is_named(name, monkeypatch):
    monkeypatch.setattr("calivet.engines.choose.find_spec", lambda _: None)
    with pytest.raises(NotInstalledError, match=name), engine(name):
        pass
