"""The launcher of the binary: built for real, with a payload whose loader only tells how it was called."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project.scripts import shared

LOADER = """#!/bin/sh
echo "$0" "$@"
"""


@pytest.fixture(scope="module")
def launcher(tmp_path_factory) -> Path:
    if not shutil.which("go"):
        pytest.skip("Go builds the launcher, and it is not installed")
    file: Path = tmp_path_factory.mktemp("launcher") / "calivet"
    shared("runtime").build_launcher(shared("packing").name_architecture(), file)
    return file


@pytest.fixture
def tree(launcher: Path, tmp_path: Path) -> Path:
    """As little as the launcher needs."""
    folder = tmp_path / "tree"
    for name in ("bin", "lib"):
        (folder / name).mkdir(parents=True)
    shutil.copy(launcher, folder / "bin/calivet")
    (folder / "bin/python3").symlink_to("calivet")
    for name in ("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"):
        (folder / "lib" / name).write_text(LOADER)
        (folder / "lib" / name).chmod(0o755)
    return folder


@pytest.fixture
def binary(launcher: Path, tree: Path, tmp_path: Path) -> Path:
    file = tmp_path / "calivet-linux"
    shared("payload").attach(launcher, tree, file)
    return file


def run(program: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = {"PATH": "/usr/bin:/bin", **environment}
    return subprocess.run(
        [str(program), *arguments], env=surroundings, capture_output=True, text=True, check=False, timeout=60
    )


def unpacked(cache: Path) -> list[str]:
    return [path.name for path in (cache / "calivet").iterdir()]


def test_it_unpacks_once_and_starts_what_is_inside(binary, tmp_path):
    cache = tmp_path / "cache"
    shown = run(binary, "explain", "a cause", XDG_CACHE_HOME=str(cache)).stdout
    (root,) = (cache / "calivet").iterdir()
    called = f"--inhibit-cache --library-path {root}/lib --argv0 {root}/bin/python3 {root}/libexec/python3"
    assert shown.partition(" ")[2] == f"{called} -I {root}/lib/packages/start.py {binary} explain a cause\n"
    before = (root / "lib").stat()
    run(binary, XDG_CACHE_HOME=str(cache))
    assert unpacked(cache) == [root.name]
    assert (root / "lib").stat().st_ino == before.st_ino


def test_times_are_those_of_the_archive(binary, tmp_path):
    run(binary, XDG_CACHE_HOME=str(tmp_path))
    assert {path.stat().st_mtime for path in tmp_path.glob("calivet/runtime-*/lib/*")} == {0}


def test_called_python3_it_is_only_the_interpreter(tree):
    shown = run(tree / "bin/python3", "-I", "-c", "pass").stdout
    assert shown.endswith(f"{tree}/libexec/python3 -I -c pass\n")


def test_in_a_package_nothing_is_unpacked(tree, tmp_path):
    (tmp_path / "calivet").symlink_to(tree / "bin/calivet")
    home = tmp_path / "home"
    home.mkdir()
    shown = run(tmp_path / "calivet", "demo", HOME=str(home)).stdout
    assert shown.endswith(f"{tree}/lib/packages/start.py {tmp_path / 'calivet'} demo\n")
    assert list(home.iterdir()) == []


def test_another_folder_is_taken_where_the_cache_cannot_be_written(binary, tmp_path):
    (tmp_path / "file").write_text("")
    shown = run(binary, XDG_CACHE_HOME=str(tmp_path / "file"), HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert f"{tmp_path}/calivet-{os.geteuid()}/runtime-" in shown.stdout


def test_a_folder_that_others_may_write_is_not_trusted(binary, tmp_path):
    open_to_all = tmp_path / "cache" / "calivet"
    open_to_all.mkdir(parents=True)
    open_to_all.chmod(0o777)
    shown = run(binary, XDG_CACHE_HOME=str(tmp_path / "cache"), HOME="", TMPDIR=str(tmp_path))
    assert f"{tmp_path}/calivet-{os.geteuid()}/runtime-" in shown.stdout
    assert list(open_to_all.iterdir()) == []


def test_what_nobody_has_used_for_a_month_is_removed(binary, tmp_path):
    old, used, other = (tmp_path / "calivet" / name for name in ("runtime-old", "runtime-used", "catalogue-1"))
    for folder in (old, used, other):
        folder.mkdir(parents=True)
    for folder in (old, other):
        os.utime(folder, (0, 0))
    (tmp_path / "calivet").chmod(0o700)
    run(binary, XDG_CACHE_HOME=str(tmp_path))
    assert not old.exists()
    assert used.exists()
    assert other.exists()


def test_use_is_noted(binary, tmp_path):
    run(binary, XDG_CACHE_HOME=str(tmp_path))
    (root,) = tmp_path.glob("calivet/runtime-*")
    os.utime(root, (0, 0))
    run(binary, XDG_CACHE_HOME=str(tmp_path))
    assert root.stat().st_mtime > 0


@pytest.mark.parametrize(
    ("language", "words"),
    [("C.UTF-8", "no folder to unpack its parts to"), ("zh_CN.UTF-8", "没有可用于解包的目录")],
)
def test_where_nothing_can_be_run_it_says_so(launcher, tree, tmp_path, language, words):
    for loader in (tree / "lib").iterdir():
        loader.unlink()
    file = tmp_path / "calivet-linux"
    shared("payload").attach(launcher, tree, file)
    shown = run(file, XDG_CACHE_HOME=str(tmp_path / "cache"), HOME="", TMPDIR=str(tmp_path), LANG=language)
    assert shown.returncode == 3
    assert shown.stderr.startswith(f"calivet: {words} (")


def test_half_a_payload_leaves_nothing(binary, tmp_path):
    content = bytearray(binary.read_bytes())
    length = int.from_bytes(content[-16:-8])
    middle = len(content) - 48 - length // 2
    content[middle : middle + 64] = bytes(64)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(content)
    damaged.chmod(0o755)
    shown = run(damaged, XDG_CACHE_HOME=str(tmp_path / "cache"), HOME="", TMPDIR=str(tmp_path))
    assert shown.returncode == 3
    assert unpacked(tmp_path / "cache") == []
