"""The benchmark works from end to end, and its page is made of its figures."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from bench.__main__ import PARTS, main
from bench.bench import Scale
from bench.figures import Machine, Part, load
from bench.logs import MANY, Wanted
from bench.page import FIGURES, PAGE, files
from bench.summary import rows, table

DOCS = Path(__file__).parents[2] / "docs"
TINY = Scale(
    logs=(1,),
    python_logs=1,
    growth=(1, 2),
    nodes=(3, 30),
    patterns=(100, 200),
    patterns_logs=1,
    single=1,
    bundles=2,
    rounds=1,
    small_rounds=1,
)
HERE = Machine("a processor", 2, 8, "Linux 6", "ext4")


@pytest.fixture
def tiny(monkeypatch, tmp_path_factory):
    """Everything small, few patterns, nothing compiled anew, and of contests that are alike only one."""
    monkeypatch.setattr("bench.__main__.QUICK", TINY)
    monkeypatch.setattr(
        "bench.peers.write_patterns", lambda path: str(path.write_text("Bad peer AS\n(?:table) full\n"))
    )
    monkeypatch.setattr("bench.peers.DECOMPRESSORS", {"tar.gz": (["gzip", "-dc"],)})
    monkeypatch.setattr("bench.parts.scan.KINDS", {"many hits": Wanted(0, MANY)})
    monkeypatch.setattr("bench.parts.scan.CORES", {"one core": int(sys.platform == "linux")})
    monkeypatch.setattr("bench.parts.small.FIRST_RUNS", 1)
    monkeypatch.setattr("bench.bench.OWN", {})
    one_file = tmp_path_factory.mktemp("dist") / "calivet-linux-amd64"
    one_file.write_text(f'#!/bin/sh\nexec {sys.executable} -m calivet "$@"\n')
    one_file.chmod(0o755)
    monkeypatch.setattr("bench.parts.small.ONE_FILE", one_file)


def test_all_parts_give_figures_and_a_page(tiny, tmp_path, capsys):
    parts = ["scan", "archives", "memory", "small", "many", "growth"]
    assert main([*parts, "--quick", "--into", str(tmp_path)]) == 0
    figures = load(tmp_path / FIGURES)
    assert list(figures) == parts
    assert [contest.name for contest in figures["small"].contests if "the one file of 0 MB" in contest.name]
    assert [curve.name for curve in figures["growth"].curves] == ["size", "nodes", "patterns"]
    for contest in (contest for part in figures.values() for contest in part.contests):
        assert contest.ours.seconds > 0
        assert contest.ours.megabytes > 10
        assert contest.ratio is None or contest.ratio > 0
    for name, text in files(figures).items():
        assert (tmp_path / name).read_text() == text
    printed = capsys.readouterr()
    assert printed.out.splitlines() == table(rows(figures)).splitlines()
    assert "1 MB, many hits, one core" in printed.err


def test_a_part_is_run_again_and_the_others_stay(tiny, tmp_path):
    kept = Part(date="2025-05-10", machine=HERE, versions={"rg": "15.0.0"}, contests=[])
    (tmp_path / FIGURES).write_bytes(msgspec.json.encode({"archives": kept}))
    assert main(["memory", "--quick", "--into", str(tmp_path)]) == 0
    figures = load(tmp_path / FIGURES)
    assert list(figures) == ["archives", "memory"]
    assert figures["archives"] == kept
    assert "| archives | 2025-05-10 | a processor | 2 | 8 GB | Linux 6 | ext4 |" in (tmp_path / PAGE).read_text()


def test_the_documentation_shows_the_figures_that_are_kept():
    figures = load(DOCS / FIGURES)
    assert [name for name in PARTS if name in figures] == list(figures)
    for name, text in files(figures).items():
        assert (DOCS / name).read_text("utf-8") == text, f"docs/{name} is not what bench/ makes of docs/{FIGURES}"


def test_too_little_room_is_one_clear_line(monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10**9))
    with pytest.raises(SystemExit, match=r"^bench: 5\.0 GB of room are needed, 1\.0 GB are free; set TMPDIR$"):
        main([])


def test_a_part_that_does_not_exist(capsys):
    with pytest.raises(SystemExit):
        main(["speed"])
    assert "no part named speed; there are scan, archives" in capsys.readouterr().err
