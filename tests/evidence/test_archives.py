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

from calivet.evidence.archives import unpack
from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.stream import Stream
from tests.evidence.packing import special, tar, zipped, zstd_packed

FILES = {"logs/kubelet.log": b"kubelet says one\n", "logs/node/felix.log": b"felix says two\n"}
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd_packed,
}


def read(data: bytes, ledger: Ledger, name: str = "box") -> dict[str, bytes]:
    found = unpack(name, Stream(io.BytesIO(data).read), ledger)
    return {member: content for member, content in found if isinstance(content, bytes)}


def whys(ledger: Ledger) -> dict[str, str]:
    return {refused.what: refused.why for refused in ledger.unreadable}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_a_packed_file_keeps_its_name(packer) -> None:
    assert read(packer(b"a line\n"), Ledger()) == {"box": b"a line\n"}


@pytest.mark.parametrize("packer", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_a_tar_is_known_by_its_content(packer) -> None:
    ledger = Ledger()
    assert read(packer(tar(FILES)), ledger) == {f"box/{name}": data for name, data in FILES.items()}
    assert not ledger.unreadable


def test_a_tar_older_than_its_magic() -> None:
    data = bytearray(tar({"a.txt": b"old\n"}))
    data[257:265] = bytes(8)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert read(bytes(data), Ledger()) == {"box/a.txt": b"old\n"}


def test_a_zip_stored_and_deflated() -> None:
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        assert read(zipped(FILES, compression), Ledger()) == {f"box/{name}": data for name, data in FILES.items()}


def test_several_gzip_members_in_a_row() -> None:
    assert read(gzip.compress(b"one\n") + gzip.compress(b"two\n"), Ledger()) == {"box": b"one\ntwo\n"}
    frames = PACKERS["zstd"](b"one\n") + PACKERS["zstd"](b"two\n")
    assert read(frames, Ledger()) == {"box": b"one\ntwo\n"}


def test_archives_inside_archives() -> None:
    inner = gzip.compress(tar({"deep.log": gzip.compress(b"found\n")}))
    outer = zipped({"bundle.tgz": inner, "plain.txt": b"too\n"})
    assert read(outer, Ledger()) == {"box/bundle.tgz/deep.log": b"found\n", "box/plain.txt": b"too\n"}


def test_a_nest_deeper_than_the_limit_is_listed_and_its_siblings_read() -> None:
    nest = b"egg\n"
    for _ in range(6):
        nest = tar({"nest": nest})
    ledger = Ledger(Limits(depth=4))
    assert read(tar({"nest": nest, "other.txt": b"still read\n"}), ledger) == {"box/other.txt": b"still read\n"}
    assert [refused.why for refused in ledger.unreadable] == ["lies more than 4 archives deep and is not read"]


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
    ledger = Ledger()
    assert read(tar(traps, specials=specials), ledger) == {"box/good.txt": b"y"}
    refused = whys(ledger)
    assert refused["box/../../etc/passwd"] == "has a name that leads out of the archive and is not read"
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
    ledger = Ledger()
    assert read(tar({"root/good.txt": b"y"}, specials=(special(name, tarfile.SYMTYPE, target),)), ledger)
    assert bool(whys(ledger)) is not silent


def test_traps_and_links_in_a_zip() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../out.txt", "x")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("fine.txt", "y")
    ledger = Ledger()
    assert read(buffer.getvalue(), ledger) == {"box/fine.txt": b"y"}
    assert whys(ledger)["box/link"] == "is a link and is not followed"
    assert "leads out" in whys(ledger)["box/../out.txt"]


def test_an_encrypted_member_is_named() -> None:
    data = bytearray(zipped({"secret.txt": b"x", "open.txt": b"y"}))
    for magic, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.find(magic) + offset] |= 1
    ledger = Ledger()
    assert read(bytes(data), ledger) == {"box/open.txt": b"y"}
    assert whys(ledger) == {"box/secret.txt": "is encrypted"}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_what_came_before_the_damage_is_kept(packer) -> None:
    noise = {f"{number}.log": os.urandom(40_000).hex().encode() for number in range(8)}
    # bzip2 gives nothing of a block that is not complete, and its blocks are large.
    noise |= {f"more-{number}.log": os.urandom(400_000).hex().encode() for number in range(3)}
    packed = packer(tar(noise))
    ledger = Ledger()
    found = read(packed[: len(packed) * 3 // 4], ledger)
    assert found["box/0.log"] == noise["0.log"]
    assert 8 <= len(found) < len(noise) + 1
    assert any(refused.what.startswith("box") and "damaged" in refused.why for refused in ledger.unreadable)


def test_a_tar_cut_inside_a_member_keeps_the_part() -> None:
    data = tar({"a.log": b"first\n", "b.log": b"line\n" * 1000})
    ledger = Ledger()
    found = read(data[: 512 * 4], ledger)
    assert found["box/a.log"] == b"first\n"
    assert found["box/b.log"] == (b"line\n" * 1000)[:512]
    assert any(refused.what == "box/b.log" for refused in ledger.unreadable)


def test_behind_a_damaged_tar_header_the_next_one_is_found() -> None:
    data = bytearray(tar({"a.log": b"first\n", "b.log": b"second\n", "c.log": b"third\n"}))
    data[1024 : 1024 + 200] = b"\xff" * 200
    ledger = Ledger()
    assert read(bytes(data), ledger) == {"box/a.log": b"first\n", "box/c.log": b"third\n"}
    assert "is damaged at byte 1,024" in whys(ledger)["box"]


def test_a_zip_without_its_directory_is_salvaged() -> None:
    members = {
        "a.log": b"one\n" * 50,
        "dir/b.log": b"two\n" * 50,
        "../c.log": b"no",
        "d.log": os.urandom(50_000).hex().encode(),
    }
    data = zipped(members)
    ledger = Ledger()
    found = read(data[: len(data) - 20_000], ledger)
    assert found["box/a.log"] == members["a.log"]
    assert found["box/dir/b.log"] == members["dir/b.log"]
    assert members["d.log"].startswith(found["box/d.log"])
    assert len(found["box/d.log"]) > 20_000
    assert "damaged zip" in whys(ledger)["box"]
    assert "box/../c.log" in whys(ledger)
    assert "damaged" in whys(ledger)["box/d.log"]


def test_a_wrong_checksum_in_a_zip_costs_nothing_but_a_word() -> None:
    data = bytearray(zipped({"a.log": b"hello world\n", "b.log": b"fine\n"}, zipfile.ZIP_STORED))
    at = data.find(b"hello")
    data[at : at + 5] = b"HELLO"
    ledger = Ledger()
    found = read(bytes(data), ledger)
    assert found["box/b.log"] == b"fine\n"
    assert "CRC" in whys(ledger)["box/a.log"]


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_a_bomb_ends_where_it_has_swollen(packer) -> None:
    ledger = Ledger(Limits(ratio=50, swollen=1 << 18))
    found = read(packer(bytes(6 << 20)), ledger)
    assert len(found.get("box", b"")) < 6 << 20
    assert "more than 50 times its size" in whys(ledger)["box"]


def test_a_zip_bomb_costs_only_itself() -> None:
    ledger = Ledger(Limits(ratio=50, swollen=1 << 18))
    found = read(zipped({"bomb": bytes(6 << 20), "rest.log": b"still read\n"}), ledger)
    assert found["box/rest.log"] == b"still read\n"
    assert "more than 50 times its size" in whys(ledger)["box/bomb"]


def test_honest_logs_that_compress_well_are_no_bomb() -> None:
    ledger = Ledger(Limits(swollen=1 << 18))
    log = b"".join(b"2024-05-01 10:00:00.%06d [INFO] the same again\n" % number for number in range(60_000))
    assert read(gzip.compress(log), ledger) == {"box": log}
    assert not ledger.unreadable


def test_the_number_of_members_is_bounded() -> None:
    ledger = Ledger(Limits(members=3))
    found = read(tar({f"{number}.log": b"x\n" for number in range(6)}), ledger)
    assert sorted(found) == ["box/0.log", "box/1.log", "box/2.log"]
    assert whys(ledger) == {"box": "has more than 3 members; the rest was not read"}


def test_the_bytes_of_all_members_are_bounded() -> None:
    ledger = Ledger(Limits(total=25))
    found = read(tar({f"{number}.log": b"0123456789" for number in range(6)}), ledger)
    assert len(found) == 3
    assert whys(ledger) == {"box": "holds more than 25 bytes; the rest was not read"}


def test_one_huge_document_is_cut() -> None:
    ledger = Ledger(Limits(document=10))
    assert read(b"0123456789abc", ledger) == {"box": b"0123456789"}
    assert whys(ledger) == {"box": "is larger than 10 bytes; the rest was not read"}


def test_archives_that_are_not_read_are_named() -> None:
    ledger = Ledger()
    assert not read(b"7z\xbc\xaf\x27\x1c" + bytes(100), ledger)
    assert not read(b"Rar!\x1a\x07\x00" + bytes(100), ledger, "other")
    assert whys(ledger)["box"] == "is packed with 7z, which calivet does not read; unpack it first"
    assert "rar" in whys(ledger)["other"]


def test_empty_archives_and_clutter() -> None:
    ledger = Ledger()
    assert not read(zipped({}), ledger)
    assert whys(ledger) == {"box": "is an empty archive"}
    assert list(read(tar({"__MACOSX/._a": b"x", ".git/HEAD": b"x", "./a.txt": b"y"}), Ledger())) == ["box/a.txt"]


@given(
    st.binary(max_size=300),
    st.sampled_from([b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b""]),
)
def test_any_bytes_are_survived(data: bytes, magic: bytes) -> None:
    read(magic + data, Ledger())


@given(st.data())
def test_any_damage_to_an_archive_is_survived(data: st.DataObject) -> None:
    members = {"a.log": b"alpha\n" * 40, "b/c.log": b"beta\n" * 40}
    packed = data.draw(st.sampled_from([tar(members), gzip.compress(tar(members)), zipped(members)]))
    broken = bytearray(packed)
    for _ in range(data.draw(st.integers(1, 6))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    read(bytes(broken[: data.draw(st.integers(1, len(broken)))]), Ledger())


def test_of_many_with_one_reason_a_few_are_named() -> None:
    ledger = Ledger()
    ledger.open_source()
    for number in range(200):
        ledger.refuse(f"box/{number}.txt", "is empty")
    ledger.refuse("box/x.bin", "is not text")
    ledger.open_source()
    ledger.refuse("other.txt", "is empty")
    assert [(item.what, item.why) for item in ledger.unreadable] == [
        ("box/0.txt", "is empty"),
        ("box/1.txt", "is empty"),
        ("box/2.txt (+197)", "is empty"),
        ("box/x.bin", "is not text"),
        ("other.txt", "is empty"),
    ]
