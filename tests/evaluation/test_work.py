"""The evaluation on all cores: the same answer, byte for byte, as on one."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import process
from tests.cli.test_own_causes import EXAMPLE, FAULT
from tests.fleet.made_up import SWAP


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("corpus")
    for number in range(9):
        (root / f"c{number}" / "evidence").mkdir(parents=True)
        (root / f"c{number}" / "evidence" / "kubelet.log").write_text(SWAP * (number + 1))
        (root / f"c{number}" / "expect.yaml").write_text("cause: kubelet-swap-on\n")
    return root


def test_as_many_workers_as_you_like_and_the_same_bytes(corpus):
    alone, together = (process("eval", corpus, "-o", "json", "--jobs", jobs) for jobs in (1, 3))
    assert alone == together
    assert alone.err == ""
    assert [case["case"] for case in json.loads(alone.out)["cases"]] == [f"c{number}" for number in range(9)]


def test_with_dask_too(corpus):
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    run = process("eval", corpus, "-o", "json", "--engine", "dask", "--jobs", 2)
    assert (run.code, run.out) == (0, process("eval", corpus, "-o", "json").out)


def test_own_causes_travel_to_the_workers(tmp_path):
    (tmp_path / "c1" / "evidence").mkdir(parents=True)
    (tmp_path / "c1" / "evidence" / "frob.log").write_text(FAULT)
    (tmp_path / "c1" / "expect.yaml").write_text("cause: example-fault\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "example-fault.yaml").write_text(EXAMPLE, encoding="utf-8")
    assert "right first      1/1" in process("eval", tmp_path, "--causes", tmp_path / "own").out
    assert "right first      0/1" in process("eval", tmp_path).out


def test_own_causes_that_are_broken_are_named_before_anything_runs(corpus, tmp_path):
    (tmp_path / "broken.yaml").write_text("id: [\n")
    run = process("eval", corpus, "--causes", tmp_path)
    assert run.code == 3
    assert "broken.yaml" in run.err
    assert len(run.err.splitlines()) == 1
