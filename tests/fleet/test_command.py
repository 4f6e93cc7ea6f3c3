"""`calivet fleet` and `calivet fleet report`, as a person types them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.cli.running import calivet, process
from tests.fleet.made_up import folder, shelf
from tests.interrupts import hear_interrupts

pytest.importorskip("duckdb", reason="the extra 'fleet' is not installed")


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    root = tmp_path_factory.mktemp("fleet")
    run = process("fleet", shelf(root / "shelf"), "-o", root / "f.duckdb", "--jobs", 2)
    assert (run.code, run.out) == (0, f"{root}/f.duckdb: 5 bundles diagnosed, 1 known already, 0 failed\n")
    assert run.err.splitlines()[-1] == f"next: calivet fleet report {root}/f.duckdb"
    return root / "f.duckdb"


def test_the_same_with_dask(fleet, tmp_path):
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    run = process("fleet", fleet.parent / "shelf", "-o", tmp_path / "f.duckdb", "--engine", "dask", "--jobs", 2)
    assert (run.code, run.out.partition(": ")[2]) == (0, "5 bundles diagnosed, 1 known already, 0 failed\n")
    assert calivet("fleet", "report", tmp_path / "f.duckdb").out == calivet("fleet", "report", fleet).out


class TestReport:
    def test_in_two_words_or_one(self, fleet):
        run = calivet("fleet", "report", fleet)
        assert run.code == 0
        assert "(kubelet-swap-on): 3 clusters, 3 bundles" in run.out
        assert run.out == calivet("fleet-report", fleet).out

    def test_formats_and_languages(self, fleet):
        assert json.loads(calivet("fleet", "report", fleet, "-o", "json").out)["fleet"]["clusters"] == 4
        assert calivet("fleet", "report", fleet, "-o", "md").out.startswith("## calivet: 4 clusters, 5 bundles")
        assert "故障原因" in calivet("fleet", "report", fleet, "--lang", "zh").out

    @pytest.mark.parametrize("content", [None, b"", b"not a database at all" * 100])
    def test_what_is_no_fleet_is_named_in_one_line(self, tmp_path, content):
        path = tmp_path / "f.duckdb"
        if content is not None:
            path.write_bytes(content)
        run = calivet("fleet", "report", path)
        assert (run.code, run.out) == (3, "")
        assert len(run.err.splitlines()) == 1
        assert "f.duckdb" in run.err

    def test_a_folder_that_holds_no_tables(self, tmp_path):
        assert calivet("fleet", "report", tmp_path).code == 3


class TestUsage:
    @pytest.mark.parametrize("output", ["f.txt", "duckdb", ""])
    def test_the_kind_of_file_is_told_by_its_name(self, tmp_path, output):
        run = calivet("fleet", tmp_path, "-o", output)
        assert (run.code, run.out) == (64, "")
        assert "fleet.parquet" in run.err

    def test_nothing_there(self, tmp_path):
        run = calivet("fleet", tmp_path / "absent", "-o", tmp_path / "f.duckdb")
        assert (run.code, run.err) == (3, f"calivet: {tmp_path}/absent: no such file or directory\n")

    def test_an_address_without_an_engine(self, tmp_path):
        run = calivet("fleet", folder(tmp_path, "a", "x"), "-o", tmp_path / "f.duckdb", "--address", "tcp://x:1")
        assert run.code == 3
        assert "--engine" in run.err
        assert [path.name for path in tmp_path.iterdir()] == ["a"]

    @pytest.mark.parametrize("missing", ["duckdb", "ray"])
    def test_an_extra_that_is_missing_is_named_with_the_command(self, tmp_path, missing, monkeypatch):
        monkeypatch.setattr("calivet.cli.commands.fleet.find_spec", lambda name: None if name == missing else True)
        monkeypatch.setattr("calivet.engines.choose.find_spec", lambda name: None if name == missing else True)
        run = calivet("fleet", folder(tmp_path, "a", "x"), "-o", tmp_path / "f.duckdb", "--engine", "ray")
        assert run.code == 3
        assert f"{sys.executable} -m pip install {missing}" in run.err

    def test_a_place_that_cannot_be_written(self, tmp_path):
        run = calivet("fleet", folder(tmp_path, "a", "x"), "-o", tmp_path / "absent" / "f.duckdb")
        assert (run.code, run.out) == (3, "")
        assert "Traceback" not in run.err

    def test_nothing_but_failures(self, tmp_path):
        (tmp_path / "a.tar.gz").write_bytes(b"")
        run = process("fleet", tmp_path, "-o", tmp_path / "f.duckdb")
        assert run.code == 3
        assert "a.tar.gz" in run.err
        assert "0 bundles diagnosed, 0 known already, 1 failed" in run.out


def test_ctrl_c_keeps_what_is_done_and_leaves_no_half_file(tmp_path):
    for number in range(300):
        folder(tmp_path / "shelf", f"b{number:03d}", f"kernel: line {number}\n")
    command = [sys.executable, "-m", "calivet", "fleet", tmp_path / "shelf", "-o", tmp_path / "f.duckdb", "--jobs", "1"]
    running = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "LANG": "C.UTF-8"},
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - it sets a signal and nothing else
    )
    assert running.stderr is not None
    for line in running.stderr:
        if b"diagnosing bundles" in line:
            running.send_signal(signal.SIGINT)
            break
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert b"Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.duckdb.unfinished", "shelf"]
    assert process("fleet", tmp_path / "shelf", "-o", tmp_path / "f.duckdb").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.duckdb", "shelf"]
