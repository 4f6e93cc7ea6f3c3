"""Archives whose work never ends: small files that list, nest or share so much that reading them would take for ever.

Time is counted and not measured: every stretch of bytes that any layer hands on.
"""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile

import pytest

from calivet.evidence.archives.unpack import unpack
from calivet.evidence.artifact import Document, Unreadable
from calivet.evidence.gather import gather
from calivet.evidence.sources.budget import LISTED, Limits, ReadingBudget
from calivet.evidence.sources.stream import Stream
from tests.evidence.archives.packing import special, tar, zipped, zstd_packed

MOST_STRETCHES = 1_500_000
MOST_BYTES = 3 << 30
SMALL = 32 << 10
REST = b"still read\n"


@pytest.fixture(autouse=True)
def _bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes on for longer than an honest archive of this size could take fails."""
    stretches = total = 0
    pull = Stream._next

    def counted(self: Stream, size: int) -> bytes:
        nonlocal stretches, total
        chunk = pull(self, size)
        stretches += 1
        total += len(chunk)
        assert stretches < MOST_STRETCHES, "too many stretches were read"
        assert total < MOST_BYTES, "too many bytes were read"
        return chunk

    monkeypatch.setattr(Stream, "_next", counted)


def opened(data: bytes, limits: Limits | None = None) -> tuple[dict[str, bytes | Document], list[Unreadable]]:
    """The documents by name, and what is said of the others."""
    budget = ReadingBudget(limits or Limits())
    found = dict(unpack("box", Stream(io.BytesIO(data).read), budget))
    return found, budget.unreadable


def nested(egg: bytes, levels: int, copies: int) -> bytes:
    """So many copies in an archive, so many of that in the next one, and so on."""
    for _ in range(levels):
        egg = zipped({f"{number}.zip": egg for number in range(copies)})
    return egg


@pytest.mark.parametrize(
    "egg",
    [zipped({}), zipped({"a.7z": b"7z\xbc\xaf\x27\x1c"}), zipped({"../out": b"x"}), zipped({"folder/": b""})],
    ids=["empty", "refused", "trap", "folder"],
)
def test_nested_zips_of_which_every_member_is_refused_end(egg: bytes) -> None:
    bomb = nested(egg, levels=9, copies=12)
    assert len(bomb) < SMALL
    found, refused = opened(zipped({"0-before.log": REST, "1-bomb.zip": bomb}))
    assert found == {"box/0-before.log": REST}
    assert 0 < len(refused) <= 4
    assert refused[-1].what == "box"
    assert "the rest was not" in str(refused[-1].why)


@pytest.mark.parametrize("packed", [gzip.compress, zstd_packed])
def test_nested_tars_end_too(packed) -> None:
    egg = b"x\n"
    for _ in range(4):
        egg = packed(tar({f"{number}.tgz": egg for number in range(40)}))
    found, refused = opened(packed(tar({"0-before.log": REST, "1-bomb.tgz": egg})))
    assert found == {"box/0-before.log": REST}
    assert len(refused) <= 20


def test_nested_zips_of_documents_end() -> None:
    found, refused = opened(nested(zipped({"a.log": b"x\n"}), levels=4, copies=40))
    assert len(found) <= Limits().members
    assert any("the rest was not" in str(item.why) for item in refused)


def test_what_all_layers_unpack_to_is_bounded_together() -> None:
    """Each stays below the size from which its own ratio counts."""
    egg = gzip.compress(bytes(60 << 20))
    found, refused = opened(nested(egg, levels=2, copies=30))
    assert sum(len(content) for content in found.values() if isinstance(content, bytes)) <= Limits().effort
    assert any("unpacks to more than 500 times its size" in str(item.why) for item in refused)


def shared_body(count: int, size: int) -> bytes:
    """A zip whose directory leads to the same packed bytes again and again."""
    data = zipped({"a.log": b"x" * size})
    end, start = data.rindex(b"PK\x05\x06"), data.index(b"PK\x01\x02")
    entry = data[start:end]
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(entry) * count, start, 0)
    return data[:start] + entry * count + tail


def test_zip_members_that_share_one_body_are_refused_but_for_the_first() -> None:
    found, refused = opened(shared_body(600, 40 << 20))
    assert list(found) == ["box/a.log"]
    assert {str(item.why) for item in refused} == {
        "shares bytes with another member (possible zip bomb) and is not read"
    }
    assert len(refused) <= 3
    assert not refused[0].why.read("zh").isascii()


def test_zip_members_that_lie_in_one_another_are_refused() -> None:
    """As in the bombs that quote one another's headers: each member's bytes go on through all that follow it."""
    members = {f"{number}.log": b"line\n" * 20 for number in range(50)}
    data = bytearray(zipped(members, zipfile.ZIP_STORED))
    place = data.index(b"PK\x01\x02")
    end = place
    while data[place : place + 4] == b"PK\x01\x02":
        name, offset = struct.unpack_from("<H", data, place + 28)[0], struct.unpack_from("<L", data, place + 42)[0]
        data[place + 20 : place + 24] = struct.pack("<L", end - offset - 30 - name)
        place += 46 + name
    found, refused = opened(bytes(data))
    assert list(found) == ["box/49.log"]
    assert sum(1 + 46 * ("+46" in item.what) for item in refused) == 49


def test_frames_of_nothing_are_counted() -> None:
    bomb = gzip.compress(gzip.compress(b"") * 3_000_000)
    _, refused = opened(bomb)
    assert any("too many frames" in str(item.why) or "times its size" in str(item.why) for item in refused)


def test_folders_and_clutter_are_counted() -> None:
    header = special("folder/", tarfile.DIRTYPE).tobuf()
    found, refused = opened(gzip.compress(header * 120_000 + tar({"late.log": b"x"})))
    assert not found
    assert [str(item.why) for item in refused] == ["has more than 100,000 members; the rest was not read"]


def test_reasons_that_all_differ_are_not_listed_by_the_thousand() -> None:
    links = tuple(special(f"link{number}", tarfile.SYMTYPE, f"/etc/{number}") for number in range(5_000))
    found, refused = opened(tar({"good.log": REST}, specials=links))
    assert found == {"box/good.log": REST}
    assert len(refused) == LISTED + 2
    assert str(refused[-2].why) == "was not read; the reasons are too many to list"
    assert "(+" in refused[-2].what


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_names_longer_than_any_disk_has_are_refused(kind: str) -> None:
    members = {"a/" * 30_000 + f"{number}.log": b"x" for number in range(20)} | {"good.log": REST}
    found, refused = opened(tar(members) if kind == "tar" else zipped(members))
    assert found == {"box/good.log": REST}
    assert {str(item.why) for item in refused} == {"has a name of more than 4,096 characters and is not read"}
    assert max(len(item.what) for item in refused) < 1_100


def described(kind: bytes, text: bytes) -> bytes:
    """An entry of a tar that describes the next one."""
    entry = tarfile.TarInfo("description")
    entry.type, entry.size = kind, len(text)
    return entry.tobuf(tarfile.GNU_FORMAT) + text + bytes(-len(text) % 512)


def test_a_header_of_digits_is_not_searched() -> None:
    """The library would look from each of them to the end of the run: a quarter of a million million steps."""
    data = described(tarfile.XHDTYPE, b"9" * (1 << 20)) + tar({"a.log": REST})
    _, refused = opened(data)
    assert str(refused[0].why) == "is a damaged tar archive: a header of absurd length"


def test_a_map_of_holes_without_end_takes_no_memory() -> None:
    sparse = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "9", "GNU.sparse.name": "x"}
    entry = tarfile.TarInfo("holes")
    entry.size, entry.pax_headers = 64 << 20, sparse
    data = entry.tobuf(tarfile.PAX_FORMAT) + b"99999999\n" + b"0\n" * (16 << 20)
    _, refused = opened(data)
    assert str(refused[0].why) == "is a damaged tar archive: a header of absurd length"


def test_a_bomb_in_a_folder_costs_its_neighbours_nothing(tmp_path) -> None:
    (tmp_path / "a-bomb.zip").write_bytes(nested(zipped({"a.7z": b"7z\xbc\xaf\x27\x1c"}), levels=9, copies=12))
    (tmp_path / "b-swollen.gz").write_bytes(gzip.compress(gzip.compress(bytes(60 << 20)) * 6))
    (tmp_path / "c.log").write_bytes(b"kubelet says one\n")
    evidence = gather([str(tmp_path)])
    assert [artifact.name for artifact in evidence.artifacts] == ["c.log"]
    assert len(evidence.unreadable) <= 12
