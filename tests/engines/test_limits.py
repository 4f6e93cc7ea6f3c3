"""A path that takes too long or too much memory is given up with its reason, and costs no other."""

from __future__ import annotations

import os
import sys
from threading import Thread

import pytest

from calivet.engines.engine import ClusterWorker, Failure, LimitedWorker, Limits, Local, measure_memory, run_each_once
from calivet.messages.message import message
from tests.engines.works import behave, each_once, names

HASTY = Limits(seconds=5.0)
SMALL = Limits(memory=256 << 20)
TOO_LONG = Failure(message("engine.too_long", seconds="5"))
TOO_MUCH = Failure(message("engine.too_much", megabytes=256))
linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell a process's memory in a file")


def test_what_takes_too_long_is_given_up_and_the_rest_is_done(tmp_path, started):
    paths = names(tmp_path, "sleep1", "sleep2")
    found = each_once(run_each_once(Local(2, HASTY), behave, paths), paths)
    assert found.pop(str(tmp_path / "sleep1")) == found.pop(str(tmp_path / "sleep2")) == TOO_LONG
    assert not any(isinstance(outcome, Failure) for outcome in found.values())
    assert len(started) <= 4  # one for each core, and one in place of each that was ended


@linux
def test_what_takes_too_much_memory_is_given_up_and_the_rest_is_done(tmp_path, started):
    paths = names(tmp_path, "grow")
    found = each_once(run_each_once(Local(2, SMALL), behave, paths), paths)
    assert found.pop(str(tmp_path / "grow")) == TOO_MUCH
    assert not any(isinstance(outcome, Failure) for outcome in found.values())
    assert all(process.returncode is not None for process in started)


@linux
def test_memory_is_that_of_the_process_alone():
    before = measure_memory(os.getpid())
    taken = b"x" * (64 << 20)
    assert measure_memory(os.getpid()) - before >= len(taken) * 0.9
    assert measure_memory(2**22 + 1) == 0  # there is none of this number


def keep(path: str) -> bytes:
    """Leaves memory behind, as a large bundle may."""
    KEPT.append(b"x" * (200 << 20))
    return str(os.getpid()).encode()


KEPT: list[bytes] = []


@linux
def test_a_worker_that_kept_much_makes_room_for_a_fresh_one():
    worker = LimitedWorker(keep, SMALL)
    try:
        assert worker.run("a") != worker.run("b")
    finally:
        worker.close()


def test_a_worker_that_was_killed_between_two_paths_is_replaced(started):
    worker = LimitedWorker(behave, Limits())
    assert worker.run("a") == b"A"
    started[0].kill()
    started[0].wait()
    assert worker.run("b") == b"B"
    worker.close()
    assert isinstance(worker.run("c"), Failure)
    assert len(started) == 2


def test_tasks_of_a_cluster_take_turns_in_one_process(started):
    turns = ClusterWorker()
    found = []
    threads = [Thread(target=lambda: found.append(turns.run(behave, Limits(), "a"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"A"] * 4
    assert len(started) == 1
    assert turns.run(behave, HASTY, "sleep") == TOO_LONG
    turns.end()
    assert all(process.returncode is not None for process in started)
