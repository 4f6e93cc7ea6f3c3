"""Zip archives as files, through pipes and without their directory: the same members by every way."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import cast

import pytest

from calivet.evidence.archives import zips
from calivet.evidence.archives.unpack import unpack
from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.documents import read_sources
from calivet.evidence.sources.stream import Stream
from tests.evidence.archives.packing import zipped

MEMBERS = {
    "a.log": b"one\n" * 5000,
    "dir/b.log": bytes(range(256)) * 400,
    "empty": b"",
    "c.log": b"this PK\x03\x04 is no header\n",
}


class OneWay(io.RawIOBase):
    """A file that can only be written forwards, as a pipe is: sizes then stand behind each member."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        self.data += data
        return len(data)


def piped(members: dict[str, bytes], method: int) -> bytes:
    file = OneWay()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return bytes(file.data)


def opened(data: bytes) -> tuple[dict[str, bytes], dict[str, str]]:
    budget = ReadingBudget()
    found = cast("dict[str, bytes]", dict(unpack("box", Stream(io.BytesIO(data).read), budget)))
    return found, {refused.what: str(refused.why) for refused in budget.unreadable}


EXPECTED = {f"box/{name}": data for name, data in MEMBERS.items()}
METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pack", [zipped, piped])
def test_by_its_directory(pack: Callable[[dict[str, bytes], int], bytes], method: int) -> None:
    assert opened(pack(MEMBERS, method)) == (EXPECTED, {})


@pytest.mark.parametrize("method", METHODS)
def test_too_long_to_hold_it_is_read_as_it_comes(method: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "HELD", 100)
    assert opened(zipped(MEMBERS, method)) == (EXPECTED, {})


@pytest.mark.parametrize("cut", [0, 1, 40])
def test_without_sizes_and_directory_deflated_members_still_have_an_end(cut: int) -> None:
    data = piped(MEMBERS, zipfile.ZIP_DEFLATED)
    found, refused = opened(data[: data.index(b"PK\x01\x02") + cut])
    assert found == EXPECTED
    assert list(refused) == ["box"]


def test_stored_members_without_sizes_go_on_to_the_next_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "HELD", 100)
    members = {"a.log": b"one\n" * 50_000, "b.log": b"two\n"}
    assert opened(piped(members, zipfile.ZIP_STORED)) == ({f"box/{name}": data for name, data in members.items()}, {})


def test_a_file_is_not_read_whole(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "_hold_whole", lambda _: pytest.fail("held in memory"))
    path = tmp_path / "box.zip"
    path.write_bytes(zipped(MEMBERS))
    found = dict(read_sources([str(path)], None, ReadingBudget()))
    assert {name.rpartition("box.zip/")[2]: data for name, data in found.items()} == MEMBERS


def test_with_something_put_before_it_and_a_comment_behind_it() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.log", b"one\n")
        archive.comment = b"made by hand"
    start = b"PK\x03\x04"  # what it is known by, and nothing else
    assert opened(start + b"#!/bin/sh\n" + buffer.getvalue())[0] == {"box/a.log": b"one\n"}


def test_numbers_too_wide_for_their_fields() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("a.log", "w", force_zip64=True) as member:
        member.write(b"one\n" * 100)
    data = buffer.getvalue()
    assert opened(data) == ({"box/a.log": b"one\n" * 100}, {})
    assert opened(data[: data.index(b"PK\x01\x02")])[0] == {"box/a.log": b"one\n" * 100}


def test_a_directory_that_is_damaged_in_its_middle_gives_no_member_twice() -> None:
    data = bytearray(zipped(MEMBERS))
    data[data.rindex(b"PK\x01\x02")] = 0
    budget = ReadingBudget()
    found = [name for name, _ in unpack("box", Stream(io.BytesIO(bytes(data)).read), budget)]
    assert found == list(EXPECTED)
    assert [str(refused.why) for refused in budget.unreadable] == ["is a damaged zip archive: its directory is damaged"]


def test_names_in_old_alphabets() -> None:
    data = zipped({"x.log": b"one\n"}).replace(b"x.log", b"\x81.log")
    assert list(opened(data)[0]) == ["box/ü.log"]


@pytest.mark.parametrize(("system", "name"), [(0, "box/logs/kube-system/a.log"), (3, r"box/logs\kube-system\a.log")])
def test_only_where_windows_made_it_a_backslash_parts_folders(system: int, name: str) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        member = zipfile.ZipInfo(r"logs\kube-system\a.log")
        member.create_system = system
        archive.writestr(member, b"one\n")
    assert opened(file.getvalue())[0] == {name: b"one\n"}
