"""What `collect` writes gives the same diagnosis as the cluster it came from, and is readable by people too."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.cli.running import Run, calivet
from tests.cli.test_other_systems import WITHOUT
from tests.e2e.asking import Answer, answer_of, diagnose
from tests.e2e.scenarios.operator import a_namespace_is_called_like_it
from tests.e2e.scenarios.places import all_is_well, the_newest_calico_stores_elsewhere
from tests.e2e.scenarios.reaching import kube_proxy_is_down, nobody_serves_typha
from tests.e2e.scenarios.scenario import Scenario
from tests.e2e.scenarios.seeds import the_first_container_says_nothing, three_faults_at_once

CHOSEN = [
    all_is_well,
    the_first_container_says_nothing,
    three_faults_at_once,
    kube_proxy_is_down,
    nobody_serves_typha,
    a_namespace_is_called_like_it,
    the_newest_calico_stores_elsewhere,
]


def collected(bed, path: Path, *arguments: str) -> Path:
    run = calivet("collect", "--kubeconfig", bed.kubeconfig(), "-o", path, *arguments)
    assert run.code == 0, run.err
    return path


def from_bundle(path: Path) -> Answer:
    return answer_of(calivet("diagnose", path, "-o", "json"))


@pytest.mark.parametrize("scenario", CHOSEN, ids=lambda scenario: scenario.name)
def test_a_bundle_gives_the_same_diagnosis(bed, filler, tmp_path, scenario: Scenario):
    filler.fill(scenario.build())
    live = diagnose(bed.kubeconfig())
    stored = from_bundle(collected(bed, tmp_path / "bundle.tar.gz"))
    assert stored.verdict == live.verdict
    assert stored.findings == live.findings
    assert stored.ranked() == live.ranked()


@pytest.mark.parametrize("scenario", CHOSEN, ids=lambda scenario: scenario.name)
def test_so_does_an_anonymised_one(bed, filler, tmp_path, scenario: Scenario):
    filler.fill(scenario.build())
    live = diagnose(bed.kubeconfig())
    stored = from_bundle(collected(bed, tmp_path / "bundle.tar.gz", "--anonymize"))
    assert stored.verdict == live.verdict
    assert stored.causes() == live.causes()
    assert [len(found.nodes) for found in stored.findings] == [len(found.nodes) for found in live.findings]


def test_so_does_a_system_without_what_only_posix_has(bed, filler, tmp_path):
    filler.fill(three_faults_at_once.build())
    command = [sys.executable, "-c", WITHOUT, "-o", "json", "--kubeconfig", str(bed.kubeconfig())]
    surroundings = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    ran = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False, timeout=300)
    answer = answer_of(Run(ran.returncode, ran.stdout, ran.stderr))
    assert answer.findings == diagnose(bed.kubeconfig()).findings
    assert "bug" not in ran.stderr


def test_an_anonymised_bundle_names_no_machine(bed, filler, tmp_path):
    filler.fill(kube_proxy_is_down.build())
    path = collected(bed, tmp_path / "bundle.tar.gz", "--anonymize")
    text = "\n".join(_texts(path).values())
    assert "worker-3" not in text
    assert "10.20.0.23" not in text


def test_it_is_plain_files_with_a_manifest(bed, filler, tmp_path):
    cluster = kube_proxy_is_down.build()
    filler.fill(cluster)
    texts = _texts(collected(bed, tmp_path / "bundle.tar.gz"))
    names = [name.partition("/")[2] for name in texts]
    assert any("manifest" in name for name in names)
    assert "nodes.txt" in names
    assert "pods.txt" in names
    assert any(name.endswith("install-cni.previous.log") for name in names)
    assert "worker-3" in next(text for name, text in texts.items() if name.endswith("nodes.txt"))


def _texts(path: Path) -> dict[str, str]:
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isfile()]
        return {member.name: (archive.extractfile(member) or path.open("rb")).read().decode() for member in members}
