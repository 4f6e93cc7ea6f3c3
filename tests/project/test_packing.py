"""What the building scripts share: the same bytes from the same content, and only what a platform needs."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

import pytest

from tests.project.scripts import ROOT, shared

SUM = re.compile(r"[0-9a-f]{64}")


def make(folder: Path, mask: int, time: int) -> Path:
    before = os.umask(mask)
    try:
        (folder / "bin").mkdir(parents=True)
        for name in ("b", "a"):
            (folder / "bin" / name).write_text(name)
            os.utime(folder / "bin" / name, (time, time))
        (folder / "bin" / "a").chmod(0o700)
        (folder / "link").symlink_to("bin/a")
    finally:
        os.umask(before)
    return folder


def test_the_same_content_gives_the_same_archive(tmp_path):
    packing = shared("packing")
    sums = set()
    for number, (mask, time) in enumerate([(0o022, 1_000_000), (0o077, 2_000_000)]):
        archive = tmp_path / f"{number}.tar.gz"
        packing.write_archive(make(tmp_path / str(number), mask, time), archive)
        sums.add(packing.compute_sum(archive))
    assert len(sums) == 1


def test_the_lock_is_cut_to_what_a_python_needs():
    wheels = shared("wheels")
    older, newer = (wheels.choose_requirements(wheels.LOCK, "linux-amd64", python) for python in ("3.13", "3.14"))
    assert "backports-zstd==" in older
    assert "backports-zstd==" not in newer
    assert older.count("\n") == newer.count("\n") + 1
    assert all(" --hash=sha256:" in line and ";" not in line for line in older.splitlines())


@pytest.mark.parametrize("is_this_machine", [True, False])
def test_of_what_is_prepared_a_machine_gets_what_serves_it(tmp_path, monkeypatch, is_this_machine):
    wheels = shared("wheels")

    def build_wheel(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "calivet.whl", "w") as wheel:
            for name in ("calivet/__init__.py", "calivet/prepared/catalogue", "calivet/prepared/output", "calivet-1/X"):
                wheel.writestr(name, name)
        return folder / "calivet.whl"

    monkeypatch.setattr(wheels, "build_wheel", build_wheel)
    here = shared("packing").name_platform()
    wheels.install_calivet(here if is_this_machine else "plan9-vax", tmp_path)
    prepared = {"catalogue", "output"} if is_this_machine else {"catalogue"}
    assert {path.name for path in (tmp_path / "calivet/prepared").iterdir()} == prepared
    assert {path.name for path in tmp_path.iterdir()} == {"calivet"}


def test_the_lock_of_debian_packages_is_whole_for_each_architecture():
    debian = shared("debian_packages")
    amd64, arm64 = map(debian.read_lock, debian.ARCHITECTURES)
    assert [package.name for package in amd64] == [package.name for package in arm64]
    assert {package.name for package in amd64} >= {"libc6", "libssl3t64", f"python{shared('runtime').PYTHON}-minimal"}
    for package in (*amd64, *arm64):
        assert package.version
        assert SUM.fullmatch(package.sha256)


def test_the_mirror_may_be_named(monkeypatch):
    monkeypatch.setenv("DEBIAN_MIRROR", "file:/srv/debian/")
    assert shared("debian_packages").find_mirrors("trixie") == [
        ("file:/srv/debian/", "trixie"),
        ("file:/srv/debian-security", "trixie-security"),
    ]


def test_the_bill_names_all_that_is_inside(tmp_path):
    text = shared("materials").write_bill("amd64", tmp_path / "bill").read_text("utf-8")
    for part in ("pkg:pypi/hyperscan@", "pkg:deb/debian/libc6@", "pkg:golang/github.com/klauspost/compress@"):
        assert part in text
    assert "pkg:pypi/setuptools@" not in text


def test_libraries_keep_the_names_that_programs_ask_for(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    for name in ("libz.so.1.3.1", "libssl.so.3", "libmvec.so.1", "libc.a", "ld-linux-x86-64.so.2"):
        (source / name).write_text(name)
    (source / "libz.so.1").symlink_to("libz.so.1.3.1")
    shared("runtime").copy_libraries(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["ld-linux-x86-64.so.2", "libssl.so.3", "libz.so.1"]
    assert (target / "libz.so.1").read_text() == "libz.so.1.3.1"


def test_the_python_inside_is_one_that_calivet_supports():
    supported = re.findall(r":: Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert shared("runtime").PYTHON in supported
