from __future__ import annotations

import sys
import time
from pathlib import Path
from threading import Event, Timer

import pytest

from calivet.node.process import Bounds, How, run
from tests.lab.waiting import until

LONG = time.monotonic() + 10_000


def sh(script, given=b"", ends=LONG, size=1 << 20, interrupted=None):
    return run(["sh", "-c", script], given, Bounds(ends, size), interrupted or Event())


def test_what_it_reads_prints_and_says():
    ended = sh("cat; echo no >&2; exit 3", b"yes\n")
    assert (ended.how, ended.code, ended.out, ended.errors) == (How.ITSELF, 3, b"yes\n", "no\n")


def test_who_does_not_read_blocks_nobody():
    assert sh("exec <&-; echo done", b"x" * 10_000_000).out == b"done\n"


def test_an_end_is_waited_for_after_the_pipes_are_closed(tmp_path):
    ended = sh(f"exec >&- 2>&-; sleep 0.3; : >{tmp_path}/late; exit 4")
    assert ended.code == 4
    assert (tmp_path / "late").exists()


def test_pipes_that_another_keeps_open_are_not_waited_for(tmp_path):
    """As a connection that ssh leaves behind for the next login does."""
    stop = tmp_path / "stop"
    ended = sh(f"(trap '' HUP; until [ -e {stop} ]; do sleep 0.1; done) & echo done")
    stop.touch()
    assert (ended.how, ended.out) == (How.ITSELF, b"done\n")


def test_the_deadline_ends_it_and_what_it_has_started():
    ended = sh("echo $$; sleep 1000 & echo $!; wait", ends=time.monotonic() + 3)
    assert ended.how is How.DEADLINE
    assert len(ended.out.split()) == 2
    # Who was told to end needs a moment for it.
    until(lambda: not any(_runs(int(number)) for number in ended.out.split()), "the end of all")


def test_so_does_impatience():
    over = Event()
    Timer(0.1, over.set).start()
    assert sh("sleep 1000", interrupted=over).how is How.INTERRUPTED


def test_so_does_too_much_output():
    ended = sh("yes", size=100_000)
    assert (ended.how, len(ended.out)) == (How.TOO_MUCH, 100_000)


def test_errors_without_end_do_not_pile_up():
    ended = sh("yes | head -c 3000000 >&2")
    assert ended.how is How.ITSELF
    assert len(ended.errors) < 200_000


def test_one_that_does_not_want_to_end():
    deaf = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"
    ended = run([sys.executable, "-c", deaf], b"", Bounds(LONG, 0), Event())
    assert (ended.how, ended.code) == (How.TOO_MUCH, -9)


def test_no_such_program():
    with pytest.raises(FileNotFoundError):
        run(["no-such-program-anywhere"], b"", Bounds(LONG, 1), Event())


def _runs(number):
    stat = Path(f"/proc/{number}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
