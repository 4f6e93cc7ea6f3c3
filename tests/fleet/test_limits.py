"""Bundles that are slow or huge for real: each is given up with its reason, and the others are diagnosed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, calivet, process
from tests.fleet.made_up import SWAP, folder, text

pytest.importorskip("duckdb", reason="the extra 'fleet' is not installed")
ROOT = Path(__file__).parents[2]
HASTY = ("--bundle-timeout", "10s", "--jobs", "2")
PODS = """\
$ kubectl get pods -A -o wide
NAMESPACE     NAME                   READY   STATUS    RESTARTS   AGE   IP          NODE          NOMINATED NODE   READINESS GATES
"""
POD = "kube-system   calico-node-{number:08d}   {ready}/1     Running   0          9d    10.0.0.11   node-{number:06d}   <none>           <none>\n"


def slow(place: Path) -> Path:
    """A log of 200 GB that takes no room: even its zeros cannot be read in a few seconds."""
    place.mkdir(parents=True)
    with (place / "kubelet.log").open("w") as log:
        log.write(SWAP)
        log.truncate(200 << 30)
    return place


def huge(place: Path) -> Path:
    """A hundred thousand pods: five times the memory of an ordinary bundle."""
    place.mkdir(parents=True)
    for number in range(14):
        rows = (POD.format(number=row, ready=row % 2) for row in range(number * 8000, number * 8000 + 8000))
        (place / f"pods{number}.txt").write_text(PODS + "".join(rows))
    return place


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    root = tmp_path_factory.mktemp("limits")
    for number in range(6):
        folder(root / "shelf", f"good{number}", text(f"ash{number}", number + 1, sick=True))
    slow(root / "shelf" / "slow")
    return root, process("fleet", root / "shelf", "-o", root / "f.duckdb", *HASTY)


def test_the_others_are_diagnosed(fleet):
    root, run = fleet
    assert run.code == 0
    assert run.out == f"{root}/f.duckdb: 6 bundles diagnosed, 0 known already, 1 failed\n"


def test_the_reason_is_said_and_kept(fleet):
    root, run = fleet
    assert "shelf/slow: was abandoned: it took longer than 10 s (--bundle-timeout)\n" in run.err
    report = json.loads(calivet("fleet", "report", root / "f.duckdb", "-o", "json").out)
    assert {Path(one["bundle"]).name for one in report["fleet"]["failed"]} >= {"slow"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell a process's memory in a file")
def test_memory_is_limited_too(tmp_path):
    for number in range(3):
        folder(tmp_path / "shelf", f"good{number}", text(f"ash{number}", number + 1, sick=True))
    huge(tmp_path / "shelf" / "huge")
    run = process("fleet", tmp_path / "shelf", "-o", tmp_path / "f.duckdb", "--bundle-memory", "80M", "--jobs", "2")
    assert "shelf/huge: was abandoned: it took more than 80 MB of memory (--bundle-memory)\n" in run.err
    assert (run.code, run.out) == (0, f"{tmp_path}/f.duckdb: 3 bundles diagnosed, 0 known already, 1 failed\n")


def test_the_reason_in_chinese(fleet, tmp_path):
    run = process(
        "fleet", fleet[0] / "shelf" / "slow", "-o", tmp_path / "f.duckdb", "--bundle-timeout", "1s", "--lang", "zh"
    )
    assert "已放弃：用时超过 1 秒（--bundle-timeout）" in run.err
    assert run.code == 3


def test_cases_are_limited_like_bundles(tmp_path):
    shutil.copytree(ROOT / "corpus" / "a001", tmp_path / "good")
    shutil.copytree(ROOT / "corpus" / "a001", tmp_path / "slow", ignore=shutil.ignore_patterns("evidence"))
    slow(tmp_path / "slow" / "evidence")
    run = process("eval", tmp_path, "--bundle-timeout", "5s", "--jobs", "2", "-o", "json")
    cases = {case["case"]: case for case in json.loads(run.out)["cases"]}
    assert cases["good"]["right"]
    assert cases["slow"]["failed"] == "was abandoned: it took longer than 5 s (--bundle-timeout)"


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--bundle-timeout", "soon", "'soon' is not a time"),
        ("--bundle-memory", "2", "'2' is not an amount of memory of at least 64M"),
        ("--bundle-memory", "63M", "'63M' is not an amount of memory of at least 64M"),
    ],
)
def test_limits_that_are_none(tmp_path, option, value, says):
    run = calivet("fleet", tmp_path, "-o", tmp_path / "f.duckdb", option, value)
    assert run.code == 64
    assert says in run.err
