"""Archives made to hurt: whatever is in them, the right word is said and nothing that could be read is lost.

What each kind of archive does in ordinary trouble is tested in tests/evidence/archives/test_unpack.py.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from typing import cast

import pytest

from calivet.evidence.archives.unpack import unpack
from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.stream import Stream
from tests.evidence.archives.packing import tar, zipped, zstd_packed

Found = list[tuple[str, bytes]]
MEMBERS = {"alder.log": b"kubelet says one\n" * 3, "birch.log": bytes(range(32, 127)) * 2}
KINDS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "tar": tar,
    "tar.gz": lambda members: gzip.compress(tar(members), mtime=0),
    "tar.bz2": lambda members: bz2.compress(tar(members)),
    "tar.xz": lambda members: lzma.compress(tar(members)),
    "tar.zst": lambda members: zstd_packed(tar(members)),
    "zip": zipped,
    "stored zip": lambda members: zipped(members, zipfile.ZIP_STORED),
}
TIGHT = Limits(ratio=50, swollen=1 << 18, total=1 << 20)
REST = {"rest.log": b"still read\n"}


def opened(data: bytes, limits: Limits | None = None) -> tuple[Found, dict[str, str]]:
    """The documents, and why others are none."""
    budget = ReadingBudget(limits or Limits())
    found = cast("Found", list(unpack("box", Stream(io.BytesIO(data).read), budget)))
    return found, {refused.what: str(refused.why) for refused in budget.unreadable}


@pytest.mark.parametrize("kind", KINDS)
def test_cut_at_every_byte_what_came_before_is_kept_and_the_cut_is_told(kind: str) -> None:
    data = KINDS[kind](MEMBERS)
    whole, _ = opened(data)
    for length in range(1, len(data)):
        found, refused = opened(data[:length])
        if [name for name, _ in found] == ["box"]:  # too little to tell what it is
            assert len(found[0][1]) < 512
            continue
        assert found == whole or refused, f"cut at byte {length:,} of {len(data):,}, and not a word"
        for name, content in found:
            assert MEMBERS[name.removeprefix("box/")].startswith(content), f"byte {length:,}"


@pytest.mark.parametrize("length", [1024, 262_756, 300_000, 600_001])
def test_of_a_long_member_nothing_is_lost_before_the_cut(length: int) -> None:
    log = b"".join(b"line %09d\n" % number for number in range(60_000))
    found, refused = opened(tar({"long.log": log})[:length])
    assert found == [("box/long.log", log[: length - 512])]
    assert refused["box/long.log"] == "is damaged: the archive ends inside it"


@pytest.mark.parametrize("kind", KINDS)
def test_one_wrong_byte_anywhere(kind: str) -> None:
    data = KINDS[kind](MEMBERS)
    for at in range(len(data)):
        broken = bytearray(data)
        broken[at] ^= 0x55
        found, refused = opened(bytes(broken))
        assert found or refused, f"byte {at:,}: nothing is read and nobody says why"


@pytest.mark.parametrize("kind", ["tar", "tar.gz", "zip"])
def test_members_of_one_name_are_all_read(kind: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(zipfile.ZipFile, "_writecheck", lambda *_: None)  # it would warn
        members = _Twice([("a.log", b"one\n"), ("a.log", b"two\n"), ("A.LOG", b"three\n")])
        found, refused = opened(KINDS[kind](members))
    assert found == [("box/a.log", b"one\n"), ("box/a.log", b"two\n"), ("box/A.LOG", b"three\n")]
    assert not refused


class _Twice(dict):
    """Names and contents, in which a name may come more than once."""

    def __init__(self, pairs: list[tuple[str, bytes]]) -> None:
        super().__init__()
        self.pairs = pairs

    def items(self):
        return self.pairs


def test_a_bomb_in_a_bomb_costs_only_itself() -> None:
    bomb = gzip.compress(gzip.compress(bytes(8 << 20)))
    found, refused = opened(tar({"bomb.gz": bomb, **REST}), TIGHT)
    assert found[-1] == ("box/rest.log", b"still read\n")
    assert "more than 50 times its size" in refused["box/bomb.gz"]


def test_a_bomb_is_told_in_both_languages() -> None:
    budget = ReadingBudget(TIGHT)
    list(unpack("box", Stream(io.BytesIO(tar({"bomb.gz": gzip.compress(bytes(8 << 20))})).read), budget))
    (why,) = (item.why for item in budget.unreadable if item.what == "box/bomb.gz")
    assert str(why) == "is damaged: unpacks to more than 50 times its size; the rest was not read"
    assert why.read("zh").startswith("已损坏：解压后超过压缩前的 50 倍")


def test_many_small_bombs_end_at_the_total() -> None:
    egg = gzip.compress(b"x" * 200_000)  # each below the size at which a ratio counts
    found, refused = opened(tar({f"{number}.gz": egg for number in range(40)}), TIGHT)
    assert sum(len(content) for _, content in found) <= TIGHT.total + 200_000
    assert refused["box"] == "holds more than 1,048,576 bytes; the rest was not read"


def test_a_file_of_nothing_but_holes_takes_no_memory() -> None:
    entry = tarfile.TarInfo("holes.log")
    entry.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(1 << 40)}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(entry)
        rest = tarfile.TarInfo("rest.log")
        rest.size = 11
        archive.addfile(rest, io.BytesIO(b"still read\n"))
    found, refused = opened(buffer.getvalue())
    assert found == [("box/rest.log", b"still read\n")]
    assert refused == {"box/holes.log": "unpacks to more than 500 times its size and is not read"}


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_a_size_that_no_disk_has_ends_with_the_archive(kind: bytes) -> None:
    entry = tarfile.TarInfo("huge")
    entry.size, entry.type = 1 << 62, kind
    found, refused = opened(entry.tobuf(tarfile.GNU_FORMAT) + b"text\n" * 200_000)
    assert refused
    assert kind != tarfile.REGTYPE or found == [("box/huge", b"text\n" * 200_000)]


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE])
def test_headers_that_only_announce_the_next_one(kind: bytes) -> None:
    entry = tarfile.TarInfo("next")
    entry.size, entry.type = 512, kind
    chain = (entry.tobuf(tarfile.GNU_FORMAT) + b"12 path=abc\n".ljust(512, b"\0")) * 5000
    found, refused = opened(tar(REST)[:1024] + chain)
    assert found == [("box/rest.log", b"still read\n")]
    assert "damaged" in refused["box"]


def test_an_archive_that_is_encrypted_whole_is_named() -> None:
    data = bytearray(zipped({"a.log": b"secret\n", "b.log": b"secret\n"}))
    for magic, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = data.find(magic)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(magic, at + 1)
    encrypted = {"box/a.log": "is encrypted", "box/b.log": "is encrypted"}
    assert opened(bytes(data)) == ([], encrypted)
    without_directory = bytes(data[: data.index(b"PK\x01\x02")])
    found, refused = opened(without_directory)
    assert not found
    assert encrypted.items() <= refused.items()


@pytest.mark.parametrize("kind", ["tar.gz", "tar.bz2", "tar.xz", "tar.zst"])
def test_a_wrong_checksum_is_told_and_the_content_kept(kind: str) -> None:
    data = bytearray(KINDS[kind](MEMBERS))
    at = {"tar.gz": -8, "tar.bz2": 10, "tar.xz": -30, "tar.zst": -4}[kind]
    data[at] ^= 0xFF
    found, refused = opened(bytes(data))
    assert "box" in refused
    # The others check a block before they give anything of it.
    assert kind != "tar.gz" or found == [(f"box/{name}", text) for name, text in MEMBERS.items()]


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\x1b[2Jx", "x\u202egol.txt", "", ".", "a" * 5000, "\\\\host\\share"])
def test_a_name_can_be_shown(name: str) -> None:
    _, refused = opened(tar({name: b"7z\xbc\xaf\x27\x1c" + bytes(100), **REST}))
    assert all(shown.isprintable() for shown in refused)
