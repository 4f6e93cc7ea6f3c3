"""A disk without room, for real: what is not there is not called diagnosed, and what is written is for its owner alone."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from calivet.fleet.store import IncompleteError, Store
from calivet.fleet.tables import BUNDLES, BundleRow
from tests.fleet.made_up import folder, text
from tests.hostile.starting import ended, on_small_disk

duckdb = pytest.importorskip("duckdb", reason="the extra 'fleet' is not installed")
FLEET = f'{sys.executable} -m calivet fleet "$0/../shelf" --jobs 1 -o "$0/$1" 2>&1; echo "code $?"; ls "$0"'
"""In a shell; said where there is room, so that nothing but the tables is in want of it."""
BUNDLES_HERE = 9


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A folder to mount a small file system on; bundles lie beside it."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    for number in range(BUNDLES_HERE):
        folder(tmp_path / "shelf", f"f{number}", text(f"node{number}", number + 1, sick=True))
    if ended(on_small_disk(mounted, "true"))[0]:
        pytest.skip("no file system can be mounted here, not even in a namespace")
    return mounted


@pytest.mark.parametrize("name", ["f.duckdb", "f.parquet"])
@pytest.mark.parametrize("size", ["16k", "300k", "700k", "1100k", "1500k"])
def test_no_room_is_said_and_nothing_has_the_name_that_was_asked_for(disk: Path, name: str, size: str) -> None:
    script = f"set -- {name}; {FLEET}"
    _, said, _ = ended(on_small_disk(disk, script, f"size={size}"))
    lines = said.splitlines()
    assert "code 3" in lines, said
    assert "diagnosed" not in said
    assert "No space left on device" in said
    assert name not in lines[lines.index("code 3") :]


@pytest.mark.parametrize("name", ["f.duckdb", "f.parquet"])
def test_the_same_command_goes_on_when_there_is_room_again(disk: Path, name: str) -> None:
    script = f'set -- {name}; {FLEET}; mount -o remount,size=20m "$0"; {FLEET}'
    _, said, _ = ended(on_small_disk(disk, script, "size=1100k"))
    first, second = said.split("code 3\n")
    assert "the same command continues from there" in first
    assert f"0 bundles diagnosed, {BUNDLES_HERE} known already, 0 failed" in second
    assert second.splitlines()[-2:] == ["code 0", name]


@pytest.mark.parametrize("name", ["f.duckdb", "f.parquet"])
def test_tables_that_could_not_even_be_begun_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(_database: object) -> None:
        raise duckdb.IOException("No space left on device")

    monkeypatch.setattr("calivet.fleet.store.create_tables", fail)
    with pytest.raises(duckdb.IOException):
        Store(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["f.duckdb", "f.parquet"])
def test_rows_that_the_disk_lost_are_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever is wrong with the disk: what was written is counted where it was written."""
    store = Store(tmp_path / name)
    store.add(BundleRow(bundle="a"), {})
    monkeypatch.setattr("calivet.fleet.store.count_table_rows", lambda *_: 2)
    with pytest.raises(IncompleteError, match=f"{BUNDLES}: 1 of 2"):
        store.finish()
    store.close()
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["f.duckdb", "f.parquet"])
def test_every_file_is_private_while_tables_grow_and_after(tmp_path: Path, name: str) -> None:
    before = os.umask(0o022)
    try:
        store = Store(tmp_path / name)
        store.add(BundleRow(bundle="a", failed="no reason"), {})
        store.flush()
        growing = open_to_others(tmp_path)
        files = {path.name for path in tmp_path.iterdir()}
        store.finish()
        assert (growing, open_to_others(tmp_path)) == ([], [])
        assert files == {f"{name}.unfinished", f"{name}.unfinished.wal"}
        assert os.umask(0o022) == 0o022  # as it was before
    finally:
        os.umask(before)


def open_to_others(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_a_log_that_somebody_else_left_is_not_taken_for_ours(tmp_path: Path) -> None:
    """Of a run whose tables are gone: DuckDB would take its rows for those of the new tables."""
    lost = Store(tmp_path / "f.duckdb")
    lost.add(BundleRow(bundle="lost"), {})
    lost.flush()
    log = (tmp_path / "f.duckdb.unfinished.wal").read_bytes()
    lost.finish()
    (tmp_path / "f.duckdb").unlink()
    (tmp_path / "f.duckdb.unfinished.wal").write_bytes(log)
    store = Store(tmp_path / "f.duckdb")
    store.add(BundleRow(bundle="found"), {})
    store.finish()
    with duckdb.connect(str(tmp_path / "f.duckdb"), read_only=True) as database:
        assert database.execute("SELECT bundle FROM bundles").fetchall() == [("found",)]
