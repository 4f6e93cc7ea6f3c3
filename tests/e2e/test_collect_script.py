"""What the script for machines with kubectl alone brings back gives the same diagnosis as `calivet collect`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from calivet.live.writing import write_script
from tests.e2e.asking import Answer
from tests.e2e.scenarios.operator import a_namespace_is_called_like_it
from tests.e2e.scenarios.places import all_is_well, the_newest_calico_stores_elsewhere
from tests.e2e.scenarios.reaching import kube_proxy_is_down, nobody_serves_typha, the_datastore_is_locked
from tests.e2e.scenarios.scenario import Scenario
from tests.e2e.scenarios.seeds import the_first_container_says_nothing, three_faults_at_once
from tests.e2e.scenarios.starting import the_image_cannot_be_pulled
from tests.e2e.test_bundle import collected, from_bundle

CHOSEN = [all_is_well, three_faults_at_once, the_newest_calico_stores_elsewhere]
MORE = [
    the_first_container_says_nothing,
    kube_proxy_is_down,
    nobody_serves_typha,
    the_datastore_is_locked,
    the_image_cannot_be_pulled,
    a_namespace_is_called_like_it,
]
"""kubectl is asked a hundred times for each, so these belong to the tests of a release."""


def run_script(bed, path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """With the tools of a bare machine, and the bed's kubectl."""
    kubectl = bed.components / "kubectl"
    if not kubectl.exists():
        pytest.skip(f"no kubectl in {bed.components}")
    script = path.with_suffix(".sh")
    script.write_text(write_script("sh"), "utf-8")
    # kubectl keeps what it learns of the server; a home of its own keeps that apart from other tests.
    surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(path.parent), "KUBECONFIG": str(bed.kubeconfig())}
    surroundings["KUBECTL"] = " ".join([str(kubectl), *options])
    command = [shutil.which("dash") or "/bin/sh", str(script), str(path)]
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False, timeout=600)


def script_bundle(bed, path: Path) -> Path:
    done = run_script(bed, path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{path}\n"
    return path


@pytest.mark.parametrize(
    "scenario", CHOSEN + (MORE if os.environ.get("CALIVET_RELEASE") else []), ids=lambda scenario: scenario.name
)
def test_its_bundle_gives_the_same_diagnosis(bed, filler, tmp_path, scenario: Scenario):
    filler.fill(scenario.build())
    full = from_bundle(collected(bed, tmp_path / "full.tar.gz"))
    plain = from_bundle(script_bundle(bed, tmp_path / "plain.tar.gz"))
    assert summary(plain) == summary(full)


def test_what_it_could_not_read_is_told(bed, tmp_path):
    done = run_script(bed, tmp_path / "bundle.tar.gz", "--as=nobody")
    assert done.returncode == 0
    assert "did not answer" in done.stderr
    answer = from_bundle(tmp_path / "bundle.tar.gz")
    assert answer.verdict == "insufficient"


def test_no_file_is_written_over(bed, tmp_path):
    (tmp_path / "bundle.tar.gz").write_text("mine")
    assert run_script(bed, tmp_path / "bundle.tar.gz").returncode == 1
    assert (tmp_path / "bundle.tar.gz").read_text() == "mine"


def summary(answer: Answer) -> tuple[str, list[tuple[str, list[str]]]]:
    return answer.verdict, [(found.cause, sorted(found.nodes)) for found in answer.findings]
