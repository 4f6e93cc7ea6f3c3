"""Processes that help with many hits change nothing but the time it takes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from calivet.evidence.long_logs import sieve as module
from calivet.evidence.long_logs.sieve import Workers, look
from calivet.search.scanner import Scanner
from tests.hostile.starting import SWAP
from tests.interrupts import hear_interrupts

SCANNER = Scanner.build(["frobnicator gone", "wobbler \\d+", "对端密码"])
BLOCKS = [
    b"ordinary\nthe Frobnicator gone\nwobbler 7\n" * 50,
    "wobbler 8\n对端密码不一致\n".encode() * 30,
    b"\x1b[31mwobbler 9\x1b[0m\nlast line without an end",
]
MOST = 5


@pytest.fixture
def workers(monkeypatch):
    monkeypatch.setattr(module, "count_cores", lambda: 2)
    monkeypatch.setattr(module, "MANY", 1)
    found = Workers(SCANNER)
    yield found
    for helper in found._helpers:
        helper.worker.end()


def test_helpers_find_the_same(workers):
    assert [workers.look(block, MOST) for block in BLOCKS * 3] == [look(SCANNER, block, MOST) for block in BLOCKS * 3]
    assert workers._helpers


def test_nobody_is_asked_for_a_few_hits(workers, monkeypatch):
    monkeypatch.setattr(module, "MANY", 1_000_000)
    assert [workers.look(block, MOST) for block in BLOCKS] == [look(SCANNER, block, MOST) for block in BLOCKS]
    assert not workers._helpers


def test_where_a_helper_dies_the_work_is_done_alone(workers):
    workers.look(BLOCKS[0], MOST)
    workers.look(BLOCKS[0], MOST)
    for helper in workers._helpers:
        helper.worker.process.kill()
        helper.worker.process.wait()
    assert [workers.look(block, MOST) for block in BLOCKS] == [look(SCANNER, block, MOST) for block in BLOCKS]
    assert workers._is_alone


def test_where_there_are_no_processes_the_work_is_done_alone(workers, monkeypatch):
    def none(*_: object) -> None:
        raise OSError("no processes here")

    monkeypatch.setattr("calivet.evidence.long_logs.sieve.Helper", none)
    assert [workers.look(block, MOST) for block in BLOCKS] == [look(SCANNER, block, MOST) for block in BLOCKS]


def test_a_helper_does_not_hear_ctrl_c(tmp_path: Path):
    """Not even the first one of a process, and not while it is being loaded."""
    script = tmp_path / "program.py"
    script.write_text(
        "import os, signal\n"
        "from calivet.evidence.long_logs.sieve import Helper\n"
        "from calivet.search.scanner import Scanner\n"
        "if __name__ == '__main__':\n"
        "    helper = Helper(Scanner.build(['frobnicator gone']))\n"
        "    for _ in range(3):\n"
        "        os.kill(helper.worker.process.pid, signal.SIGINT)\n"
        "        print(helper.look(b'frobnicator gone\\n', 5).hits)\n",
        "utf-8",
    )
    ran = subprocess.run(
        [sys.executable, str(script)], capture_output=True, timeout=300, check=False, preexec_fn=hear_interrupts
    )
    assert (ran.stdout, ran.stderr) == (b"1\n" * 3, b"")


def test_a_helper_ends_when_nobody_is_there_any_more(workers):
    workers.look(BLOCKS[0], MOST)
    workers.look(BLOCKS[0], MOST)
    for helper in workers._helpers:
        helper.worker.process.stdin.close()
        assert helper.worker.process.wait(60) == 0


def test_a_scanner_travels():
    again = pickle.loads(pickle.dumps(SCANNER))
    assert [list(again.find(block)) for block in BLOCKS] == [list(SCANNER.find(block)) for block in BLOCKS]


def test_calivet_ends_with_its_helpers(tmp_path: Path):
    """As a program, on two cores: it asks for help, gives the same answer as without, and comes to an end."""
    log = tmp_path / "calico-node.log"
    log.write_text(SWAP * 40_000, "utf-8")
    code = (
        "import sys; from calivet.evidence.long_logs import sieve; from calivet.cli.main import console\n"
        "if __name__ == '__main__':\n"
        "    sieve.MANY, sieve.count_cores = int(sys.argv.pop()), lambda: 2\n"
        "    sys.addaudithook(lambda event, _: event == 'subprocess.Popen' and sys.stderr.write('helper '))\n"
        "    console()\n"
    )
    script = tmp_path / "program.py"
    script.write_text(code, "utf-8")
    command = [sys.executable, str(script), "diagnose", str(log), "-o", "json"]
    answers = [
        subprocess.run([*command, many], capture_output=True, timeout=300, check=False) for many in ("1", "100000000")
    ]
    assert (answers[0].stderr, answers[1].stderr) == (b"helper " * 2, b"")
    assert answers[0].returncode == answers[1].returncode
    assert answers[0].stdout == answers[1].stdout
