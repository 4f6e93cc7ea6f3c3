from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.archives.unpack import unpack
from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.stream import Stream
from calivet.messages.message import message
from tests.evidence.archives.packing import special, tar, zipped, zstd_packed

FILES = {"logs/kubelet.log": b"kubelet says one\n", "logs/node/felix.log": b"felix says two\n"}
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd_packed,
}


def read(data: bytes, budget: ReadingBudget, name: str = "box") -> dict[str, bytes]:
    found = unpack(name, Stream(io.BytesIO(data).read), budget)
    return {member: content for member, content in found if isinstance(content, bytes)}


def whys(budget: ReadingBudget) -> dict[str, str]:
    return {refused.what: str(refused.why) for refused in budget.unreadable}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_a_packed_file_keeps_its_name(packer) -> None:
    assert read(packer(b"a line\n"), ReadingBudget()) == {"box": b"a line\n"}


@pytest.mark.parametrize("packer", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_a_tar_is_known_by_its_content(packer) -> None:
    budget = ReadingBudget()
    assert read(packer(tar(FILES)), budget) == {f"box/{name}": data for name, data in FILES.items()}
    assert not budget.unreadable


def test_a_tar_older_than_its_magic() -> None:
    data = bytearray(tar({"a.txt": b"old\n"}))
    data[257:265] = bytes(8)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert read(bytes(data), ReadingBudget()) == {"box/a.txt": b"old\n"}


def test_a_zip_stored_and_deflated() -> None:
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        assert read(zipped(FILES, compression), ReadingBudget()) == {
            f"box/{name}": data for name, data in FILES.items()
        }


def test_several_gzip_members_in_a_row() -> None:
    assert read(gzip.compress(b"one\n") + gzip.compress(b"two\n"), ReadingBudget()) == {"box": b"one\ntwo\n"}
    frames = PACKERS["zstd"](b"one\n") + PACKERS["zstd"](b"two\n")
    assert read(frames, ReadingBudget()) == {"box": b"one\ntwo\n"}


def test_archives_inside_archives() -> None:
    inner = gzip.compress(tar({"deep.log": gzip.compress(b"found\n")}))
    outer = zipped({"bundle.tgz": inner, "plain.txt": b"too\n"})
    assert read(outer, ReadingBudget()) == {"box/bundle.tgz/deep.log": b"found\n", "box/plain.txt": b"too\n"}


def test_a_nest_deeper_than_the_limit_is_listed_and_its_siblings_read() -> None:
    nest = b"egg\n"
    for _ in range(6):
        nest = tar({"nest": nest})
    budget = ReadingBudget(Limits(depth=4))
    assert read(tar({"nest": nest, "other.txt": b"still read\n"}), budget) == {"box/other.txt": b"still read\n"}
    assert [str(refused.why) for refused in budget.unreadable] == [
        "is nested more than 4 archives deep and is not read"
    ]


def test_traps_links_and_devices_are_listed_and_never_read() -> None:
    traps = {"../../etc/passwd": b"x", "/etc/shadow": b"x", "a/../../b": b"x", "C:\\boot.ini": b"x", "good.txt": b"y"}
    specials = (
        special("link", tarfile.SYMTYPE, "/etc/passwd"),
        special("hard", tarfile.LNKTYPE, "good.txt"),
        special("tty", tarfile.CHRTYPE),
        special("disk", tarfile.BLKTYPE),
        special("pipe", tarfile.FIFOTYPE),
        special("folder", tarfile.DIRTYPE),
    )
    budget = ReadingBudget()
    assert read(tar(traps, specials=specials), budget) == {"box/good.txt": b"y"}
    refused = whys(budget)
    assert refused["box/../../etc/passwd"] == "has a path outside the archive and is not read"
    assert refused["box//etc/shadow"] == "has an absolute name and is not read"
    assert refused["box/link"] == "is a link to /etc/passwd and is not followed"
    assert refused["box/tty"] == "is not a regular file and is not read"
    assert len(refused) == 8
    assert not {"box/folder", "box/hard"} & refused.keys()


@pytest.mark.parametrize(
    ("name", "target", "silent"),
    [
        ("root/hostname", "sos_commands/host/hostname", True),
        ("root/etc/resolv.conf", "../run/resolv.conf", True),
        ("root/a/b", "../../root/c", True),
        ("root/out", "../../etc/passwd", False),
        ("root/etc/localtime", "/usr/share/zoneinfo/UTC", False),
    ],
)
def test_a_link_that_stays_in_the_archive_is_not_worth_a_word(name: str, target: str, silent: bool) -> None:
    budget = ReadingBudget()
    assert read(tar({"root/good.txt": b"y"}, specials=(special(name, tarfile.SYMTYPE, target),)), budget)
    assert bool(whys(budget)) is not silent


def test_traps_and_links_in_a_zip() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../out.txt", "x")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("fine.txt", "y")
    budget = ReadingBudget()
    assert read(buffer.getvalue(), budget) == {"box/fine.txt": b"y"}
    assert whys(budget)["box/link"] == "is a link and is not followed"
    assert "outside the archive" in whys(budget)["box/../out.txt"]


def test_an_encrypted_member_is_named() -> None:
    data = bytearray(zipped({"secret.txt": b"x", "open.txt": b"y"}))
    for magic, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.find(magic) + offset] |= 1
    budget = ReadingBudget()
    assert read(bytes(data), budget) == {"box/open.txt": b"y"}
    assert whys(budget) == {"box/secret.txt": "is encrypted"}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_what_came_before_the_damage_is_kept(packer) -> None:
    noise = {f"{number}.log": os.urandom(40_000).hex().encode() for number in range(8)}
    # bzip2 gives nothing of a block that is not complete, and its blocks are large.
    noise |= {f"more-{number}.log": os.urandom(400_000).hex().encode() for number in range(3)}
    packed = packer(tar(noise))
    budget = ReadingBudget()
    found = read(packed[: len(packed) * 3 // 4], budget)
    assert found["box/0.log"] == noise["0.log"]
    assert 8 <= len(found) < len(noise) + 1
    assert any(refused.what.startswith("box") and "damaged" in str(refused.why) for refused in budget.unreadable)


def test_a_tar_cut_inside_a_member_keeps_the_part() -> None:
    data = tar({"a.log": b"first\n", "b.log": b"line\n" * 1000})
    budget = ReadingBudget()
    found = read(data[: 512 * 4], budget)
    assert found["box/a.log"] == b"first\n"
    assert found["box/b.log"] == (b"line\n" * 1000)[:512]
    assert any(refused.what == "box/b.log" for refused in budget.unreadable)


def test_behind_a_damaged_tar_header_the_next_one_is_found() -> None:
    data = bytearray(tar({"a.log": b"first\n", "b.log": b"second\n", "c.log": b"third\n"}))
    data[1024 : 1024 + 200] = b"\xff" * 200
    budget = ReadingBudget()
    assert read(bytes(data), budget) == {"box/a.log": b"first\n", "box/c.log": b"third\n"}
    assert "is damaged at byte 1,024" in whys(budget)["box"]


def test_a_zip_without_its_directory_is_salvaged() -> None:
    members = {
        "a.log": b"one\n" * 50,
        "dir/b.log": b"two\n" * 50,
        "../c.log": b"no",
        "d.log": os.urandom(50_000).hex().encode(),
    }
    data = zipped(members)
    budget = ReadingBudget()
    found = read(data[: len(data) - 20_000], budget)
    assert found["box/a.log"] == members["a.log"]
    assert found["box/dir/b.log"] == members["dir/b.log"]
    assert members["d.log"].startswith(found["box/d.log"])
    assert len(found["box/d.log"]) > 20_000
    assert "damaged zip" in whys(budget)["box"]
    assert "box/../c.log" in whys(budget)
    assert "damaged" in whys(budget)["box/d.log"]


def test_a_wrong_checksum_in_a_zip_costs_nothing_but_a_word() -> None:
    data = bytearray(zipped({"a.log": b"hello world\n", "b.log": b"fine\n"}, zipfile.ZIP_STORED))
    at = data.find(b"hello")
    data[at : at + 5] = b"HELLO"
    budget = ReadingBudget()
    found = read(bytes(data), budget)
    assert found["box/b.log"] == b"fine\n"
    assert "CRC" in whys(budget)["box/a.log"]


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_a_bomb_ends_where_it_has_swollen(packer) -> None:
    budget = ReadingBudget(Limits(ratio=50, swollen=1 << 18))
    found = read(packer(bytes(6 << 20)), budget)
    assert len(found.get("box", b"")) < 6 << 20
    assert "more than 50 times its size" in whys(budget)["box"]


def test_a_zip_bomb_costs_only_itself() -> None:
    budget = ReadingBudget(Limits(ratio=50, swollen=1 << 18))
    found = read(zipped({"bomb": bytes(6 << 20), "rest.log": b"still read\n"}), budget)
    assert found["box/rest.log"] == b"still read\n"
    assert "more than 50 times its size" in whys(budget)["box/bomb"]


def test_honest_logs_that_compress_well_are_no_bomb() -> None:
    budget = ReadingBudget(Limits(swollen=1 << 18))
    log = b"".join(b"2024-05-01 10:00:00.%06d [INFO] the same again\n" % number for number in range(60_000))
    assert read(gzip.compress(log), budget) == {"box": log}
    assert not budget.unreadable


def test_the_number_of_members_is_bounded() -> None:
    budget = ReadingBudget(Limits(members=3))
    found = read(tar({f"{number}.log": b"x\n" for number in range(6)}), budget)
    assert sorted(found) == ["box/0.log", "box/1.log", "box/2.log"]
    assert whys(budget) == {"box": "has more than 3 members; the rest was not read"}


def test_the_bytes_of_all_members_are_bounded() -> None:
    budget = ReadingBudget(Limits(total=25))
    found = read(tar({f"{number}.log": b"0123456789" for number in range(6)}), budget)
    assert len(found) == 3
    assert whys(budget) == {"box": "holds more than 25 bytes; the rest was not read"}


def test_one_huge_document_is_cut() -> None:
    budget = ReadingBudget(Limits(document=10))
    assert read(b"0123456789abc", budget) == {"box": b"0123456789"}
    assert whys(budget) == {"box": "is larger than 10 bytes; the rest was not read"}


def test_archives_that_are_not_read_are_named() -> None:
    budget = ReadingBudget()
    assert not read(b"7z\xbc\xaf\x27\x1c" + bytes(100), budget)
    assert not read(b"Rar!\x1a\x07\x00" + bytes(100), budget, "other")
    assert whys(budget)["box"] == "is compressed with 7z, which calivet cannot read; unpack it first"
    assert "rar" in whys(budget)["other"]


def test_empty_archives_and_clutter() -> None:
    budget = ReadingBudget()
    assert not read(zipped({}), budget)
    assert whys(budget) == {"box": "is an empty archive"}
    assert list(read(tar({"__MACOSX/._a": b"x", ".git/HEAD": b"x", "./a.txt": b"y"}), ReadingBudget())) == ["box/a.txt"]


@given(
    st.binary(max_size=300),
    st.sampled_from([b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b""]),
)
def test_any_bytes_are_survived(data: bytes, magic: bytes) -> None:
    read(magic + data, ReadingBudget())


@given(st.data())
def test_any_damage_to_an_archive_is_survived(data: st.DataObject) -> None:
    members = {"a.log": b"alpha\n" * 40, "b/c.log": b"beta\n" * 40}
    packed = data.draw(st.sampled_from([tar(members), gzip.compress(tar(members)), zipped(members)]))
    broken = bytearray(packed)
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    read(bytes(broken[: data.draw(st.integers(1, len(broken)))]), ReadingBudget())


def test_of_many_with_one_reason_a_few_are_named() -> None:
    budget = ReadingBudget()
    budget.open_source()
    for number in range(200):
        budget.refuse(f"box/{number}.txt", message("evidence.empty"))
    budget.refuse("box/x.bin", message("evidence.not_text"))
    budget.open_source()
    budget.refuse("other.txt", message("evidence.empty"))
    assert [(item.what, str(item.why)) for item in budget.unreadable] == [
        ("box/0.txt", "is empty"),
        ("box/1.txt", "is empty"),
        ("box/2.txt (+197)", "is empty"),
        ("box/x.bin", "is not text"),
        ("other.txt", "is empty"),
    ]
