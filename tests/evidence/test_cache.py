from __future__ import annotations

import os
from pathlib import Path

import pytest

from calivet.evidence import cache


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "calivet"


def made(value=b"made"):
    return lambda: value


def never():
    raise AssertionError("it was kept and need not be made again")


def test_what_was_made_once_is_kept(own_folder):
    assert cache.kept("thing", [b"a"], made()) == b"made"
    assert cache.kept("thing", [b"a"], never) == b"made"
    assert own_folder.stat().st_mode & 0o077 == 0


def test_other_ingredients_are_another_thing():
    cache.kept("thing", [b"a", b"b"], made())
    assert cache.kept("thing", [b"ab"], made(b"other")) == b"other"


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b[:10], lambda b: b"", lambda b: b[:40] + b"X" + b[41:]]
)
def test_a_damaged_file_is_made_anew(own_folder, damage):
    cache.kept("thing", [b"a"], made(b"x" * 100))
    (path,) = own_folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert cache.kept("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_a_file_that_others_may_write_is_not_trusted(own_folder):
    cache.kept("thing", [b"a"], made())
    (path,) = own_folder.iterdir()
    path.chmod(0o666)
    assert cache.kept("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_a_link_is_not_followed(own_folder, tmp_path):
    cache.kept("thing", [b"a"], made())
    (path,) = own_folder.iterdir()
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert cache.kept("thing", [b"a"], made(b"fresh")) == b"fresh"


def test_no_place_to_keep_it(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    assert cache.kept("thing", [b"a"], made()) == b"made"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", classmethod(lambda _: (_ for _ in ()).throw(RuntimeError("no home"))))
    assert cache.kept("thing", [b"a"], made()) == b"made"


def test_nothing_is_left_beside_when_writing_fails(own_folder, monkeypatch):
    monkeypatch.setattr(os, "fdopen", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    assert cache.kept("thing", [b"a"], made()) == b"made"
    assert list(own_folder.iterdir()) == []


def test_what_is_a_month_old_is_forgotten(own_folder):
    cache.kept("thing", [b"old"], made())
    (path,) = own_folder.iterdir()
    os.utime(path, (1, 1))
    cache.kept("thing", [b"new"], made())
    assert path not in list(own_folder.iterdir())
