"""The catalogue is parsed once, and anew as soon as a file of it is another."""

from __future__ import annotations

import os
import shutil

import pytest

from calivet.catalogue import load
from calivet.catalogue.load import SHIPPED, CatalogueError, load_catalogue

SWAP = "kubelet/kubelet-swap-on.yaml"


@pytest.fixture(autouse=True)
def shipped(tmp_path, monkeypatch):
    """A copy of the shipped files that may be changed; not quite that which was checked when calivet was built."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(load, "SHIPPED", tmp_path / "causes")
    shutil.copytree(SHIPPED, load.SHIPPED)
    with (load.SHIPPED / SWAP).open("a", encoding="utf-8") as file:
        file.write("# a copy\n")
    return load.SHIPPED


@pytest.fixture
def parsed(monkeypatch):
    """Grows with each time that the files are parsed."""
    times = []

    def counting(sources):
        times.append(sources)
        return load_catalogue(sources)

    monkeypatch.setattr(load, "load_catalogue", counting)
    return times


def test_it_is_parsed_once(parsed):
    first = load.load_ready_catalogue()
    assert load.load_ready_catalogue() == first
    assert len(parsed) == 1


def test_a_file_of_another_size_is_noticed(shipped):
    before = load.load_ready_catalogue()
    text = (shipped / SWAP).read_text("utf-8")
    (shipped / SWAP).write_text(text.replace("layer: kubelet", "layer: host"), "utf-8")
    after = load.load_ready_catalogue()
    assert [known.causes["kubelet-swap-on"].layer for known in (before, after)] == ["kubelet", "host"]


def test_so_is_one_of_the_same_size_and_another_time(shipped, parsed):
    load.load_ready_catalogue()
    os.utime(shipped / SWAP, ns=(0, (shipped / SWAP).stat().st_mtime_ns + 1))
    load.load_ready_catalogue()
    assert len(parsed) == 2


def test_and_one_that_is_gone(shipped):
    load.load_ready_catalogue()
    (shipped / SWAP).unlink()
    with pytest.raises(CatalogueError, match="kubelet-swap-on, which is not in the catalogue"):
        load.load_ready_catalogue()


def test_a_users_own_file_is_told_by_its_content(shipped, parsed):
    name, own = (shipped / SWAP).name, (shipped / SWAP).read_bytes()
    load.load_ready_catalogue({name: own})
    load.load_ready_catalogue({name: own})
    assert len(parsed) == 1
    changed = load.load_ready_catalogue({name: own.replace(b"layer: kubelet", b"layer: runtime")})
    assert changed.causes["kubelet-swap-on"].layer == "runtime"
