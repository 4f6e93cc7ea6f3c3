from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.documents import read_sources
from tests.evidence.archives.packing import tar


def names(*paths: str | Path, budget: ReadingBudget | None = None, stdin: bytes | None = None) -> list[str]:
    stream = io.BytesIO(stdin) if stdin is not None else None
    return [name for name, _ in read_sources([str(path) for path in paths], stream, budget or ReadingBudget())]


def test_a_file_keeps_the_name_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("hello\n")
    assert names(tmp_path / "note.md") == [str(tmp_path / "note.md")]


def test_a_directory_is_walked_in_order_and_names_are_relative(tmp_path: Path) -> None:
    for name in ("b.log", "a.log", "sub/c.log", "sub/deep/d.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    assert names(tmp_path) == ["a.log", "b.log", "sub/c.log", "sub/deep/d.log"]


def test_names_of_several_directories_stay_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pods.txt").write_text("x\n")
    found = names(tmp_path / "one", tmp_path / "two")
    assert found == [f"{tmp_path}/one/pods.txt", f"{tmp_path}/two/pods.txt"]


def test_clutter_is_passed_over_in_silence(tmp_path: Path) -> None:
    for name in (".git/config", "__pycache__/x.pyc", "node_modules/y.js", ".DS_Store", "real.txt", ".hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    budget = ReadingBudget()
    assert names(tmp_path, budget=budget) == [".hidden", "real.txt"]
    assert not budget.unreadable


def test_links_never_lead_out_and_what_they_lead_to_inside_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("secret\n")
    inside = tmp_path / "inside"
    (inside / "real").mkdir(parents=True)
    (inside / "real" / "a.txt").write_text("x\n")
    (inside / "out").symlink_to(tmp_path / "outside.txt")
    (inside / "up").symlink_to(tmp_path)
    (inside / "same").symlink_to(inside / "real" / "a.txt")
    (inside / "loop").symlink_to(inside)
    (inside / "broken").symlink_to(inside / "nothing")
    budget = ReadingBudget()
    assert names(inside, budget=budget) == ["real/a.txt"]
    whys = {Path(refused.what).name: str(refused.why) for refused in budget.unreadable}
    assert whys == {
        "out": "is a link out of the directory and is not followed",
        "up": "is a link out of the directory and is not followed",
        "broken": "is a broken link",
    }


def test_pipes_in_a_directory_are_not_waited_for_but_a_named_one_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    budget = ReadingBudget()
    assert names(tmp_path, budget=budget) == []
    assert str(budget.unreadable[0].why) == "is not a regular file and is not read"
    writer = threading.Thread(target=pipe.write_text, args=("from a process\n",))
    writer.start()
    assert dict(read_sources([str(pipe)], None, ReadingBudget())) == {str(pipe): b"from a process\n"}
    writer.join()


def denied(monkeypatch: pytest.MonkeyPatch, *closed: str) -> None:
    """Only tests of a user with few rights could really be refused."""
    really = os.open

    def guarded(path: str, *details: int) -> int:
        if path.endswith(closed):
            raise PermissionError(13, "Permission denied")
        return really(path, *details)

    monkeypatch.setattr(os, "open", guarded)


def test_what_cannot_be_opened_is_listed_and_the_rest_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("closed.log", "open.log"):
        (tmp_path / name).write_text("x\n")
    denied(monkeypatch, "closed.log")
    budget = ReadingBudget()
    found = names(tmp_path / "missing.log", tmp_path / "closed.log", tmp_path / "open.log", budget=budget)
    assert found == [f"{tmp_path}/open.log"]
    assert [(Path(refused.what).name, str(refused.why)) for refused in budget.unreadable] == [
        ("missing.log", "no such file"),
        ("closed.log", "cannot be read: permission denied"),
    ]


def test_a_directory_that_may_be_listed_but_not_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.log").write_text("x\n")
    denied(monkeypatch, "a.log")
    budget = ReadingBudget()
    assert names(tmp_path, budget=budget) == []
    assert [str(refused.why) for refused in budget.unreadable] == ["cannot be read: permission denied"]


def test_a_directory_that_may_not_even_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: str) -> None:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr(os, "scandir", refuse)
    budget = ReadingBudget()
    assert names(tmp_path, budget=budget) == []
    assert [str(refused.why) for refused in budget.unreadable] == ["cannot be read: permission denied"]


def test_a_disk_that_fails_half_way_keeps_the_first_half() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() >= 512:
                raise OSError(5, "Input/output error")
            return super().read(size)

    budget = ReadingBudget()
    assert dict(read_sources(["-"], Failing(b"x" * 4096), budget)) == {"stdin": b"x" * 512}
    assert "Input/output error" in str(budget.unreadable[0].why)


def test_names_that_cannot_be_paths_are_listed() -> None:
    budget = ReadingBudget()
    assert names("a\0b", "", budget=budget) == []
    assert len(budget.unreadable) == 2


def test_standard_input_may_be_an_archive() -> None:
    assert names("-", stdin=tar({"a.log": b"x\n"})) == ["stdin/a.log"]


def test_an_empty_directory_is_said(tmp_path: Path) -> None:
    budget = ReadingBudget()
    assert names(tmp_path, budget=budget) == []
    assert str(budget.unreadable[0].why) == "is a directory without files"


def test_each_path_has_its_own_allowance(tmp_path: Path) -> None:
    (tmp_path / "many.tar").write_bytes(tar({f"{number}.log": b"x\n" for number in range(9)}))
    (tmp_path / "few.tar").write_bytes(tar({"a.log": b"x\n"}))
    budget = ReadingBudget(Limits(members=4))
    found = names(tmp_path / "many.tar", tmp_path / "few.tar", budget=budget)
    assert len(found) == 5
    assert found[-1].endswith("few.tar/a.log")
