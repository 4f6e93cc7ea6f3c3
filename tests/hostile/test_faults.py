"""What goes wrong around calivet: full disks, closed streams, signals, files that vanish. Every run is a real process."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.documents import read_sources
from calivet.reports.diagnosis.formats import FORMATS
from tests.evidence.archives.packing import tar
from tests.hostile.starting import PATIENCE, SWAP, ended, on_small_disk, started

FULL = Path("/dev/full")
NO_ROOM = "calivet: the answer could not be written: No space left on device\n"
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}
MANY = 20_000
"""Lines, and documents, that no pipe holds at once."""
CALIVET = f"{sys.executable} -m calivet"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "kubelet.log"
    path.write_text(SWAP)
    return path


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A folder that a process of its own can mount something on."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if ended(on_small_disk(folder, "true"))[0]:
        pytest.skip("no file system can be mounted here, not even in a namespace")
    return folder


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("output", FORMATS)
def test_a_full_disk_under_the_report(log: Path, output: str, unbuffered: str) -> None:
    environment = {"PYTHONUNBUFFERED": unbuffered}
    with FULL.open("wb") as full:
        run = ended(started("diagnose", log, "-o", output, stdout=full, environment=environment))
    assert run == (3, "", NO_ROOM)


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["causes"], ["causes", "-o", "json"], ["demo", "--list"]]
)
def test_a_full_disk_under_anything_else(arguments: list[str]) -> None:
    with FULL.open("wb") as full:
        assert ended(started(*arguments, stdout=full)) == (3, "", NO_ROOM)


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_a_complaint_that_nobody_can_hear_leaves_the_exit_code(tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        assert ended(started("diagnose", tmp_path / "absent", stderr=full))[0] == 3


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_takes_half_a_report(disk: Path, log: Path, unbuffered: str) -> None:
    script = f'PYTHONUNBUFFERED={unbuffered} {CALIVET} diagnose {log} -o html >"$0/report.html"'
    assert ended(on_small_disk(disk, script)) == (3, "", NO_ROOM)


@pytest.mark.parametrize("options", ["size=16k", "ro"], ids=["full", "read-only"])
def test_a_home_that_takes_nothing(disk: Path, log: Path, options: str) -> None:
    script = f'HOME="$0" XDG_CACHE_HOME= {CALIVET} diagnose {log}; echo "code $?"; find "$0" -type f'
    _, out, err = ended(on_small_disk(disk, script, options))
    assert "kubelet-swap-on" in out
    _, code, left = out.rpartition("code 1\n")
    assert (code, err) == ("code 1\n", "")
    # A small database may fit and is kept whole; nothing half written stays.
    assert all(re.search(r"/calivet/[a-z-]+-[0-9a-f]{32}$", name) for name in left.splitlines())


WRITING = """
import sys
from pathlib import Path
from calivet.cli.terminal.signals import heed_sigterm
from calivet.evidence.artifact import Document
from calivet.live.writing import _write

def documents():
    for number in range(100):
        yield Document(f"{number}.txt", [f"{number * 7919 ** line:x}" for line in range(100)])
        print(number, flush=True)
        if sys.argv[2:]:
            sys.stdin.read()

try:
    with heed_sigterm():
        _write(Path(sys.argv[1]) / "bundle.tar.gz", "bundle", documents(), 0.0)
except (OSError, KeyboardInterrupt) as error:
    print(type(error).__name__, *Path(sys.argv[1]).iterdir(), file=sys.stderr)
"""


def test_a_full_disk_leaves_no_half_bundle(disk: Path) -> None:
    _, _, err = ended(on_small_disk(disk, f"{sys.executable} -c '{WRITING}' \"$0\""))
    assert err == "OSError\n"


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGINT, "KeyboardInterrupt"), (signal.SIGTERM, "TerminatedError")]
)
def test_a_signal_leaves_no_half_bundle(tmp_path: Path, number: signal.Signals, name: str) -> None:
    process = started(WRITING, tmp_path, "wait", command=(sys.executable, "-c"), stdin=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"0\n"  # it has begun, and waits
    process.send_signal(number)
    assert ended(process)[2] == f"{name}\n"


@pytest.mark.parametrize(
    ("closed", "code", "heard"),
    [("<&-", 1, ""), (">&-", 1, ""), ("2>&-", 1, ""), (">&- 2>&-", 1, ""), ("<&- >&- 2>&-", 1, "")],
)
def test_streams_that_were_closed_before(log: Path, closed: str, code: int, heard: str) -> None:
    run = ended(started(f'exec {CALIVET} diagnose "$0" {closed}', log, command=("sh", "-c")))
    assert (run[0], run[2]) == (code, heard)
    assert log.read_text() == SWAP


def test_nothing_is_read_from_a_closed_stream(log: Path) -> None:
    run = ended(started(f"exec {CALIVET} diagnose - <&-", command=("sh", "-c")))
    assert run == (3, "", "calivet: stdin: is empty\n")


@pytest.mark.parametrize("output", FORMATS)
def test_a_reader_that_has_left_before_the_first_word(log: Path, output: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        assert ended(started("diagnose", log, "-o", output, stdout=pipe)) == (3, "", "")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_reading(number: signal.Signals) -> None:
    process = started("diagnose", "-", stdin=subprocess.PIPE)
    assert process.stdin
    process.stdin.write(SWAP.encode() * MANY)  # more than a pipe holds: when this returns, calivet reads
    process.send_signal(number)
    assert ended(process) == (SIGNALS[number], "", "calivet: interrupted\n")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_nobody_takes_what_is_written(tmp_path: Path, number: signal.Signals) -> None:
    evidence = tmp_path / "session.txt"
    evidence.write_text("".join(f"[root@alder ~]# echo {count}\n{count}\n" for count in range(MANY // 10)))
    process = started("diagnose", evidence, "-o", "json")
    assert process.stdout
    select.select(
        [process.stdout], [], [], PATIENCE
    )  # the first words are there, and the pipe is too small for the rest
    process.send_signal(number)
    process.wait(PATIENCE)
    code, _, err = ended(process)
    assert (code, err) == (SIGNALS[number], "calivet: interrupted\n")


def test_a_pipe_that_nobody_writes_to_can_be_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    process = started("diagnose", path)
    with path.open("wb"):  # returns when calivet has opened it to read
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "", "calivet: interrupted\n")


def test_a_pipe_in_a_folder_is_not_waited_for(log: Path) -> None:
    os.mkfifo(log.with_name("pipe"))
    code, out, _ = ended(started("diagnose", log.parent))
    assert code == 1
    assert "is not a regular file" in out


def test_a_file_that_vanishes_after_it_was_listed(tmp_path: Path) -> None:
    for name in ("a.log", "b.log", "c.log"):
        (tmp_path / name).write_text(SWAP)
    budget = ReadingBudget()
    sources = read_sources([str(tmp_path)], None, budget)
    found = [next(sources)]
    (tmp_path / "b.log").unlink()
    found += sources
    assert [name for name, _ in found] == ["a.log", "c.log"]
    assert [(item.what, str(item.why)) for item in budget.unreadable] == [("b.log", "no such file")]


def test_an_archive_that_shrinks_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bundle.tar"
    path.write_bytes(tar({"a.log": SWAP.encode(), "b.log": SWAP.encode() * MANY}))
    budget = ReadingBudget()
    sources = read_sources([str(path)], None, budget)
    found = [next(sources)]
    os.truncate(path, 2048)
    found += sources
    assert found[0][1] == SWAP.encode()
    assert isinstance(found[1][1], bytes)
    assert (SWAP.encode() * MANY).startswith(found[1][1])
    assert "the archive ends inside it" in " ".join(str(item.why) for item in budget.unreadable)
