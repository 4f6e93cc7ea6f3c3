from __future__ import annotations

import errno
import os
import runpy
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as some

from calivet.search import cache


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "calivet"


def made(value=b"made"):
    return lambda: value


def never():
    raise AssertionError("it was kept and need not be made again")


def test_what_was_made_once_is_kept(own_folder):
    assert cache.load_or_make("thing", [b"a"], made()) == b"made"
    assert cache.load_or_make("thing", [b"a"], never) == b"made"
    assert own_folder.stat().st_mode & 0o077 == 0


def test_other_ingredients_are_another_thing():
    cache.load_or_make("thing", [b"a", b"b"], made())
    assert cache.load_or_make("thing", [b"ab"], made(b"other")) == b"other"


def test_it_is_kept_too_where_not_every_hash_is_allowed(monkeypatch):
    monkeypatch.setitem(sys.modules, "_blake2", None)
    kept = runpy.run_path(cache.__file__)["load_or_make"]
    assert kept("thing", [b"a"], made()) == b"made"
    assert kept("thing", [b"a"], never) == b"made"


def test_files_are_told_by_size_and_time(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("x")
    two.write_text("y")
    before = cache.compute_fingerprint([one, two])
    assert cache.compute_fingerprint([two, one]) == before
    with os.scandir(tmp_path) as entries:
        assert cache.compute_fingerprint(entries) == before
    assert cache.compute_fingerprint([one]) != before
    os.utime(two, ns=(0, two.stat().st_mtime_ns + 1))
    later = cache.compute_fingerprint([one, two])
    assert later != before
    two.write_text("longer")
    os.utime(two, ns=(0, one.stat().st_mtime_ns))
    assert cache.compute_fingerprint([one, two]) not in (before, later)


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b[:10], lambda b: b"", lambda b: b[:40] + b"X" + b[41:]]
)
def test_a_damaged_file_is_made_anew(own_folder, damage):
    cache.load_or_make("thing", [b"a"], made(b"x" * 100))
    (path,) = own_folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert cache.load_or_make("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_a_file_that_others_may_write_is_not_trusted(own_folder):
    cache.load_or_make("thing", [b"a"], made())
    (path,) = own_folder.iterdir()
    path.chmod(0o666)
    assert cache.load_or_make("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_a_link_is_not_followed(own_folder, tmp_path):
    cache.load_or_make("thing", [b"a"], made())
    (path,) = own_folder.iterdir()
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert cache.load_or_make("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_no_place_to_keep_it(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    assert cache.load_or_make("thing", [b"a"], made()) == b"made"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", classmethod(lambda _: (_ for _ in ()).throw(RuntimeError("no home"))))
    assert cache.load_or_make("thing", [b"a"], made()) == b"made"


def test_nothing_is_left_beside_when_writing_fails(own_folder, monkeypatch):
    monkeypatch.setattr(os, "fdopen", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    assert cache.load_or_make("thing", [b"a"], made()) == b"made"
    assert list(own_folder.iterdir()) == []


def test_what_is_a_month_old_is_forgotten(own_folder):
    cache.load_or_make("thing", [b"old"], made())
    (path,) = own_folder.iterdir()
    os.utime(path, (1, 1))
    cache.load_or_make("thing", [b"new"], made())
    assert path not in list(own_folder.iterdir())


@pytest.fixture
def file(own_folder):
    """A kept file, made from b"a"."""
    cache.load_or_make("thing", [b"a"], made(b"kept"))
    (path,) = own_folder.iterdir()
    return path


def is_made_anew() -> bool:
    return cache.load_or_make("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_a_change_of_any_byte_is_noticed(file):
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.load(file) is None


def test_a_cut_at_any_byte_is_noticed(file):
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert cache.load(file) is None
    file.write_bytes(whole + b"\0")
    assert cache.load(file) is None


@given(some.binary(max_size=200))
def test_any_bytes_in_its_place_are_no_content(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "thing-0"
        path.write_bytes(content)
        assert cache.load(path) is None
        cache.store(path, content)
        assert cache.load(path) == content


def test_one_whole_file_cannot_stand_in_for_another(file):
    other = cache.find_cache_path("thing", [b"b"])
    file.rename(other)
    assert cache.load_or_make("thing", [b"b"], made(b"fresh")) == b"fresh"


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o660, 0o606, 0o777])
@pytest.mark.parametrize("whose", ["file", "folder"])
def test_what_others_may_write_is_not_trusted(file, mode, whose):
    (file if whose == "file" else file.parent).chmod(mode | 0o100)
    assert is_made_anew()


def test_a_folder_that_others_may_write_keeps_nothing(file):
    file.unlink()
    file.parent.chmod(0o777)
    assert is_made_anew()
    assert list(file.parent.iterdir()) == []


def test_what_another_user_owns_is_neither_trusted_nor_written(file, monkeypatch):
    before = file.read_bytes()
    monkeypatch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
    assert is_made_anew()
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_link_to_a_file_of_the_user_is_replaced_and_its_target_left_alone(file, tmp_path):
    target = tmp_path / "precious"
    target.write_text("mine")
    file.unlink()
    file.symlink_to(target)
    assert is_made_anew()
    assert target.read_text() == "mine"
    assert cache.load(file) == b"fresh"
    assert not file.is_symlink()


def test_a_directory_in_its_place(file):
    file.unlink()
    file.mkdir()
    assert is_made_anew()
    assert list(file.parent.iterdir()) == [file]


def test_a_pipe_in_its_place_is_not_waited_for(file):
    file.unlink()
    os.mkfifo(file)
    assert is_made_anew()


@pytest.mark.parametrize("base", ["a-file", "a-file/below", "relative/place"])
def test_a_base_that_is_no_folder(tmp_path, monkeypatch, base):
    (tmp_path / "a-file").write_text("x")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", base if base.startswith("relative") else str(tmp_path / base))
    assert is_made_anew()
    assert not (tmp_path / "relative").exists()


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space left"), KeyboardInterrupt()])
def test_nothing_is_left_beside_when_the_rename_does_not_come(own_folder, monkeypatch, error):
    monkeypatch.setattr(Path, "replace", mock.Mock(side_effect=error))
    with suppress(KeyboardInterrupt):
        assert is_made_anew()
    assert list(own_folder.iterdir()) == []


WRITER = """
import sys
from calivet.search import cache
path = cache.find_cache_path("thing", [b"a"])
content = sys.argv[1].encode() * 100_000
sys.stdin.readline()
for _ in range(30):
    cache.store(path, content)
    found = cache.load(path)
    assert found is not None and len(set(found)) == 1, "a mixture, or nothing"
"""


def test_two_processes_at_once_never_make_a_mixture(own_folder):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, letter], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for letter in "xy"
    ]
    for writer in writers:
        os.write(writer.stdin.fileno(), b"go\n")  # type: ignore[union-attr]
    assert [writer.communicate(timeout=120)[1] for writer in writers] == [b"", b""]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert len(list(own_folder.iterdir())) == 1


class TestPrepared:
    @pytest.fixture(autouse=True)
    def own_prepared(self, tmp_path, monkeypatch):
        monkeypatch.setattr(cache, "PREPARED", tmp_path / "prepared")

    def test_what_was_prepared_is_not_made_again(self):
        cache.prepare("thing", [b"a"], b"made")
        assert cache.load_prepared_or_make("thing", [b"a"], never) == b"made"

    def test_what_was_prepared_of_something_else_is_of_no_use(self):
        cache.prepare("thing", [b"a"], b"made")
        assert cache.load_prepared("thing", [b"b"]) is None
        assert cache.load_prepared_or_make("thing", [b"b"], made(b"fresh")) == b"fresh"
        assert cache.load_prepared("thing", [b"b"]) is None, "only who builds calivet prepares"

    def test_where_nothing_was_prepared_it_is_made(self):
        assert cache.load_prepared_or_make("thing", [b"a"], made()) == b"made"

    def test_who_builds_prepares_all_of_it_anew(self, monkeypatch):
        monkeypatch.setattr(cache, "_preparing", [])
        cache.prepare("old", [b"a"], b"old")
        cache.begin_to_prepare()
        cache.load_prepared_or_make("thing", [b"a"], made())
        assert [path.name for path in cache.PREPARED.iterdir()] == ["thing"]
        assert cache.load_prepared("thing", [b"a"]) == b"made"
