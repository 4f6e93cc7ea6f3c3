"""File systems that hang, mounted for real: the rest is still read, one line says so, and calivet ends."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.hostile.starting import SWAP, ended, on_hanging_disk

# As from a shell, with less patience.
IMPATIENT = """
import sys
from calivet.evidence.sources import mounts
mounts.SECONDS = 1.0
from calivet.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
NO_ANSWER = "is a file system that gave no answer within 1 s; the rest of it was not read"
CUT = "could not be read to its end: no answer within 1 s"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A log, and beside it a folder on which something that hangs can be mounted."""
    (tmp_path / "logs" / "remote").mkdir(parents=True)
    (tmp_path / "logs" / "zeder.log").write_text(SWAP)
    if not shutil.which("unshare") or ended(on_hanging_disk(tmp_path / "logs" / "remote", "reading", "true"))[0]:
        pytest.skip("no file system can be mounted here, not even in a namespace")
    return tmp_path / "logs"


def diagnosed(logs: Path, hangs: str, *paths: object, content: str = "x") -> tuple[int, list[str]]:
    """The exit code, and what is said on the terminal, a line each."""
    command = (sys.executable, "-c", IMPATIENT, "diagnose", *paths)
    code, out, err = ended(on_hanging_disk(logs / "remote", hangs, *command, content=content))
    return code, [line.strip() for line in (out + err).splitlines()]


@pytest.mark.parametrize("hangs", ["everything", "listing", "reading"])
def test_the_rest_of_the_folder_is_read(logs: Path, hangs: str) -> None:
    code, said = diagnosed(logs, hangs, logs)
    assert code == 1
    assert said.count(NO_ANSWER) == 1
    assert f"Could not be read: {logs}/remote" in " ".join(said)  # wrapped where the path is long
    assert said.count(CUT) == (hangs == "reading")
    assert not [line for line in said if "second.log" in line]  # given up with the first


def test_a_named_file_on_it_costs_only_itself(logs: Path) -> None:
    code, said = diagnosed(logs, "reading", logs / "remote" / "first.log", logs / "zeder.log")
    assert code == 1
    assert said.count(CUT) == 1


@pytest.mark.parametrize("hangs", ["everything", "listing"])
def test_nothing_else_to_read(logs: Path, hangs: str) -> None:
    assert diagnosed(logs, hangs, logs / "remote") == (3, [f"calivet: {logs}/remote: {NO_ANSWER}"])


def test_links_that_lead_to_it(logs: Path) -> None:
    (logs / "there.log").symlink_to("remote/first.log")
    (logs.parent / "outside").symlink_to(logs / "remote")
    code, said = diagnosed(logs, "everything", logs.parent / "outside", logs)
    assert code == 1
    assert said.count(NO_ANSWER) == 2  # once for each path that was named


def test_a_bare_name_that_leads_to_it(logs: Path) -> None:
    """Whether it is a file or a misspelt command cannot be told; nobody waits for ever to know."""
    (logs / "there.log").symlink_to("remote/first.log")
    command = ("env", "-C", logs, sys.executable, "-c", IMPATIENT, "there.log")
    code, _, err = ended(on_hanging_disk(logs / "remote", "everything", *command))
    assert (code, err.strip()) == (3, f"calivet: {logs}/remote: {NO_ANSWER}")


def test_one_that_answers_is_read_to_its_end(logs: Path) -> None:
    long = "".join(f"2024-05-01 10:00:00 line {number}\n" for number in range(2_000)) + SWAP
    code, said = diagnosed(logs, "nothing", logs / "remote", content=long)
    assert code == 1
    assert any("first.log:2001" in line for line in said)
    assert NO_ANSWER not in said
