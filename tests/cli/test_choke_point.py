"""Whatever calivet says, and about whatever, a secret in it is replaced."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.layouts.own_bundle import MANIFEST
from calivet.live.collecting import Collected
from calivet.live.writing import write_bundle
from calivet.redaction.redactor import Redactor
from calivet.reports.diagnosis.formats import FORMATS
from tests.cli.running import calivet
from tests.hostile.starting import SWAP

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
PASSWORD = "Tr0ubad0r-Xk29-qqw"


def silent(run: object) -> None:
    """Neither on standard output nor on standard error."""
    said = f"{run.out}{run.err}"  # type: ignore[attr-defined]
    assert TOKEN not in said
    assert PASSWORD not in said
    assert "redacted-" in said


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["diagnose", f"--password={PASSWORD}", "x"],
        ["diagnose", "x", "--token", TOKEN],
        ["diagnose", "x", "-o", TOKEN],
        ["diagnose", "x", "--since", f"token={TOKEN}"],
        ["demo", "--width", TOKEN],
        ["collect", f"--api=https://admin:{PASSWORD}@10.1.2.3"],
        [f"x-{TOKEN}", "y"],
    ],
)
def test_usage_errors(arguments: list[str], language: str) -> None:
    run = calivet(*arguments, "--lang", language)
    assert run.code == 64
    silent(run)


@pytest.mark.parametrize(
    "arguments",
    [
        ["diagnose", f"/no/such/{TOKEN}.tar.gz"],
        ["diff", f"/no/such/{TOKEN}", "x"],
        ["diagnose", "/dev/null", "--causes", f"/no/such/{TOKEN}"],
        ["causes", "--causes", f"/no/such/{TOKEN}"],
        ["explain", TOKEN],
        ["demo", TOKEN],
        ["eval", f"/no/such/{TOKEN}"],
        ["preflight", f"/no/such/{TOKEN}"],
        ["fleet", f"/no/such/{TOKEN}", "-o", "/no/such/f.duckdb"],
        ["diagnose", "--kubeconfig", f"/no/such/{TOKEN}"],
    ],
)
def test_complaints(arguments: list[str]) -> None:
    run = calivet(*arguments)
    assert run.code in (3, 64)
    silent(run)


def test_errors_of_ones_own_causes(tmp_path: Path) -> None:
    (tmp_path / f"{TOKEN}.yaml").write_text(f"id: x\npassword: {PASSWORD}\n")
    silent(calivet("causes", "--causes", tmp_path))


def test_the_name_of_a_file(tmp_path: Path) -> None:
    log = tmp_path / f"{TOKEN}.log"
    log.write_text(SWAP)
    for output in FORMATS:
        run = calivet("diagnose", log, "-o", output)
        assert run.code == 1
        assert TOKEN not in run.out + run.err


def test_what_a_manifest_says_was_replaced(tmp_path: Path) -> None:
    told = {"kind": f"token={TOKEN}", "artifact": f"logs/{TOKEN}.log", "line": 1, "count": 1}
    manifest = {"calivet": "1", "server": "", "collected": "2024-05-06T07:08:09Z", "seconds": 1.0, "replaced": [told]}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    (tmp_path / "kubelet.log").write_text(SWAP)
    for output in ("text", "json", "md", "html"):
        silent(calivet("diagnose", tmp_path, "-o", output))


def test_diagnoses_that_are_compared(tmp_path: Path) -> None:
    log = tmp_path / "kubelet.log"
    log.write_text(SWAP)
    tree = json.loads(calivet("diagnose", log, "-o", "json").out)
    tree["findings"][0] |= {"title": f"token={TOKEN}", "nodes": [f"n-{TOKEN}"], "cause": f"password={PASSWORD}"}
    tree["components"] = [{"name": f"x password={PASSWORD}", "good": False, "state": f"token: {TOKEN}"}]
    (tmp_path / "new.json").write_text(json.dumps(tree))
    (tmp_path / "old.json").write_text(calivet("diagnose", log, "-o", "json").out)
    for output in ("text", "json", "md"):
        silent(calivet("diff", tmp_path / "old.json", tmp_path / "new.json", "-o", output))
        silent(calivet("diff", tmp_path / "new.json", tmp_path / "old.json", "-o", output))


def test_the_name_of_a_bundle_does_not_go_along_inside_of_it(tmp_path: Path) -> None:
    path = tmp_path / f"acme-{TOKEN}.tar.gz"
    write_bundle(path, Collected(documents=[Document("nodes.txt", ["x"])]), Redactor())
    with tarfile.open(path) as bundle:
        assert not [name for name in bundle.getnames() if TOKEN in name or "<" in name]


def test_the_names_of_cases_and_bundles(tmp_path: Path) -> None:
    case = tmp_path / "corpus" / TOKEN
    case.mkdir(parents=True)
    (case / "kubelet.log").write_text(SWAP)
    (case / "expect.yaml").write_text("cause: swap-enabled\nsufficient: true\n")
    silent(calivet("eval", tmp_path / "corpus"))
    silent(calivet("eval", tmp_path / "corpus", "-o", "json"))


def test_the_names_of_a_fleets_bundles(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    for number in range(2):
        (tmp_path / f"{number}-{TOKEN}.log").write_text(f"{number} {SWAP}")
    silent(calivet("fleet", tmp_path, "-o", tmp_path / f"{TOKEN}.duckdb"))
    assert calivet("fleet", tmp_path, "-o", tmp_path / "fleet.duckdb").code == 0
    run = calivet("fleet", "report", tmp_path / "fleet.duckdb", "-o", "json")
    assert run.code == 0
    assert TOKEN not in run.out
    assert TOKEN.encode() not in (tmp_path / "fleet.duckdb").read_bytes()
