"""`calivet fix` as it is typed, against a real API server, by somebody who has no more than the two roles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from calivet.fix.lock import LEASE
from tests.cli.running import ENVIRONMENT, Run, calivet, process
from tests.e2e.bed.bed import Bed
from tests.e2e.bed.users import NOBODY, RBAC
from tests.e2e.scenarios.all import SCENARIOS
from tests.e2e.scenarios.places import all_is_well

CAUSE = "datastore-not-ready-flag"
LOCKED = next(scenario for scenario in SCENARIOS if scenario.name == "the-datastore-is-locked")
READER = "reader"
"""Somebody who may read all that a diagnosis needs, and nothing else."""
FLAG = "/apis/crd.projectcalico.org/v1/clusterinformations/default"


@pytest.fixture(scope="module")
def fixer(bed: Bed) -> Iterator[Path]:
    """The kubeconfig of a user who may read as a diagnosis does, and change what this cause needs."""
    made = []
    reads, changes = calivet("access", "--role").out, calivet("access", "--role", "fix", CAUSE).out
    for text, names in ((reads, (NOBODY.name, READER)), (changes, (NOBODY.name,))):
        role = yaml.safe_load(text)
        binding = {
            "apiVersion": f"{RBAC}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": role["metadata"]["name"]},
            "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role["metadata"]["name"]},
            "subjects": [{"kind": "User", "name": name, "apiGroup": RBAC} for name in names],
        }
        for kind, tree in (("clusterroles", role), ("clusterrolebindings", binding)):
            bed.client.send("POST", f"/apis/{RBAC}/v1/{kind}", tree)
            made.append(f"/apis/{RBAC}/v1/{kind}/{role['metadata']['name']}")
    yield bed.kubeconfig(NOBODY)
    for path in made:
        bed.client.send("DELETE", path, None)


@pytest.fixture
def locked(bed, filler, tmp_path):
    filler.fill(LOCKED.build())
    return {"XDG_STATE_HOME": str(tmp_path)}


def fix(kubeconfig: Path, state: dict[str, str], *arguments: str, answers: str = "") -> Run:
    command = ("fix", "--kubeconfig", kubeconfig, "-o", "json", "--step-timeout", "60", *arguments)
    return process(*command, stdin=answers.encode(), environment=state)


def is_ready(bed: Bed) -> bool:
    ready: bool = bed.client.get(FLAG)["spec"]["datastoreReady"]
    return ready


def test_cured_and_taken_back(bed, filler, fixer, locked):
    command = [sys.executable, "-m", "calivet", "fix", CAUSE, "--kubeconfig", str(fixer), "-o", "json", "--step", "2"]
    running = subprocess.Popen(
        [*command, "--likely", "--wait", "120"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **ENVIRONMENT, **locked},
    )  # fmt: skip
    assert running.stdin
    running.stdin.write(b"y\n")
    running.stdin.flush()
    while not is_ready(bed) and running.poll() is None:
        time.sleep(0.2)
    if running.poll() is None:
        changed = bed.client.get(FLAG)
        assert any(one["manager"] == "calivet" for one in changed["metadata"]["managedFields"])
        assert bed.client.get(LEASE.path)["spec"]["holderIdentity"]
        filler.fill(all_is_well.build())  # what Calico does once it is let to
    out, errors = running.communicate(timeout=300)
    journal = json.loads(out)
    assert (journal["state"], running.returncode) == ("cured", 0), errors.decode()
    assert bed.client.request("GET", LEASE.path)[0] == 404
    undone = fix(fixer, locked, "--undo", journal["id"])
    assert undone.code == 0, undone.err
    assert json.loads(undone.out)["state"] == "as-before"
    assert not is_ready(bed)


@pytest.mark.parametrize("way", ["--resume", "--undo"])
def test_killed_between_change_and_check(bed, filler, fixer, locked, way):
    """Its lock stays behind, and does not keep who left it from going on."""
    command = [sys.executable, "-m", "calivet", "fix", CAUSE, "--kubeconfig", str(fixer), "--step", "2", "--likely"]
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, **ENVIRONMENT, **locked},
    )  # fmt: skip
    assert running.stdin
    running.stdin.write(b"y\n")
    running.stdin.flush()
    while not is_ready(bed) and running.poll() is None:
        time.sleep(0.05)
    running.kill()
    running.communicate()
    assert is_ready(bed)
    assert bed.client.get(LEASE.path)["spec"]["holderIdentity"]
    if way == "--resume":
        filler.fill(all_is_well.build())
    (name,) = (path.name for path in (Path(locked["XDG_STATE_HOME"]) / "calivet" / "fixes").iterdir() if path.is_dir())
    ended = fix(fixer, locked, way, name, "--likely")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["state"] == ("cured" if way == "--resume" else "as-before")
    assert is_ready(bed) is (way == "--resume")


def test_no_answer_changes_nothing(bed, fixer, locked):
    run = fix(fixer, locked, CAUSE, "--likely")
    assert not is_ready(bed)
    assert (json.loads(run.out)["state"], run.code) == ("as-before", 0)


def test_a_dry_run_shows_and_changes_nothing(bed, fixer, locked):
    run = fix(fixer, locked, CAUSE, "--likely", "--dry-run", "--step", "2")
    assert not is_ready(bed)
    assert "+ spec.datastoreReady: true" in run.err
    assert json.loads(run.out)["plans"][0]["cause"] == CAUSE


def test_whoever_may_only_read_is_refused_before_anything_is_changed(bed, fixer, locked):
    run = fix(bed.kubeconfig(), locked, CAUSE, "--likely", "--as", READER, answers="y\n")
    assert run.code == 3
    assert "leases.coordination.k8s.io" in run.err
    assert not is_ready(bed)


def test_two_people_do_not_fix_at_once(bed, fixer, locked):
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
    head = {"name": LEASE.name, "namespace": LEASE.namespace}
    spec = {"holderIdentity": "ada@desk", "leaseDurationSeconds": 60, "renewTime": now}
    bed.client.send("POST", LEASE.folder, {"apiVersion": LEASE.api, "kind": "Lease", "metadata": head, "spec": spec})
    try:
        run = fix(fixer, locked, CAUSE, "--likely", answers="y\n")
        assert (run.code, is_ready(bed)) == (3, False)
        assert "ada@desk" in run.err
    finally:
        bed.client.send("DELETE", LEASE.path, None)
