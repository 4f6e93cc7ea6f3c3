"""The newcomer's path to a new cause, walked as docs/adding-a-cause.md tells it, in a copy of the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from tests.project.guide_walk import PYTEST, Walk, list_steps
from tests.project.scripts import ROOT, run

GUIDE = (ROOT / "docs" / "adding-a-cause.md").read_text("utf-8")
(EXAMPLE,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
STEPS = list_steps(GUIDE)
ALIKE = "example-fault or graph or question or computed_sign or same_pattern"
# What the targets of make run, as far as it looks at the new cause: the whole of `make test` has no place in a test.
TARGETS = {
    "make generate": ["scripts/generate-cause-pages"],
    "make lint": ["scripts/new-cause --check", "scripts/generate-cause-pages --check"],
    "make check": [f"{PYTEST} tests/catalogue/test_conformance.py -k '{ALIKE}'"],
    "make test": [f"{PYTEST} tests/incidents/test_corpus.py -k three_cases"],
}
NEEDED = ("corpus", "docs/causes")
POD = "calico-node-7hq2m   0/1   CrashLoopBackOff   9 (2m ago)   1h   10.3.7.{last}   {node}   <none>   <none>"
LOG = "E0102 03:04:0{n}.678901 7 frob.go:12] frobnicator main not found"


def evidence(node: str, last: int) -> str:
    """What an operator of the example would have."""
    head = "NAME                READY   STATUS             RESTARTS     AGE   IP           NODE   NOMINATED NODE   READINESS GATES"
    table = f"$ kubectl get pods -n kube-system -o wide\n{head}\n{POD.format(last=last, node=node)}\n"
    log = "\n".join(LOG.format(n=n) for n in range(1, 4))
    return f"{table}\n$ ssh {node} journalctl -u frobnicator\n{log}\n"


def fill_in(walk: Walk) -> None:
    """What the author writes: the guide's example, and three cases of it."""
    (walk.root / "src/calivet/causes/host/example-fault.yaml").write_text(EXAMPLE, "utf-8")
    for number, label in enumerate(sorted(walk.root / name for name in walk.new if name.endswith("expect.yaml"))):
        text = label.read_text("utf-8").replace("nodes: []", f"nodes: [wk-{number}]")
        text = re.sub(r"FILL IN what an expert.*", "The frobnicator of this node is gone.", text)
        label.write_text(re.sub(r"  # FILL IN.*", "", text), "utf-8")
        (file,) = (label.parent / "evidence").iterdir()
        file.write_text(evidence(f"wk-{number}", number + 11), "utf-8")


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    return Walk(tmp_path_factory.mktemp("tree"), NEEDED)


def only_new_cases(walk: Walk) -> str:
    """A folder with the cases of this walk alone: the others are evaluated elsewhere."""
    for case in {name.split("/")[1] for name in walk.new if name.startswith("corpus/")}:
        shutil.copytree(walk.root / "corpus" / case, walk.root / "own" / case)
    return "own"


def test_every_step_of_the_guide_leads_on(walk):
    code, said = walk.run(STEPS[0])
    assert code == 0, said
    made = walk.new
    assert len(made) == 1 + 2 * 3 + 2, made
    assert walk.run("scripts/new-cause --check")[0] == 1
    fill_in(walk)
    targets = TARGETS | {"calivet eval corpus": [f"-m calivet eval {only_new_cases(walk)}"]}
    for step in STEPS[1:]:
        code, said = walk.take(step, targets)
        assert code == 0, f"{step}\n{said}"
        assert "eval" not in step or "3/3" in said, said
    assert "frobnicator" in (walk.root / "docs/causes/en/example-fault.md").read_text("utf-8")


def test_the_guide_has_the_steps_that_decide():
    assert STEPS[0].startswith("scripts/new-cause example-fault --layer ")
    assert {"make generate", "make lint", "make check", "make test"} <= set(STEPS)


def test_a_skeleton_loads_and_says_where_its_gaps_are(tmp_path):
    walk = Walk(tmp_path, NEEDED)
    assert walk.run("scripts/new-cause second-fault --layer bgp")[0] == 0
    assert walk.run("-m calivet explain second-fault")[0] == 0
    code, said = walk.run("scripts/new-cause --check")
    assert code == 1
    assert "src/calivet/causes/bgp/second-fault.yaml:1: " in said
    assert {line.partition(":")[0] for line in said.splitlines()} == {
        name for name in walk.new if not name.startswith("docs/")
    }


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("clock-skew", "an existing cause"),
        ("node-not-ready", "an existing effect"),
        ("Clock-Skew-2", "small letters"),
        ("clock_skew", "small letters"),
        ("../../escape-it", "small letters"),
        ("single", "small letters"),
        ("ends-", "small letters"),
    ],
)
def test_an_id_that_cannot_be_used_is_refused_and_nothing_is_made(name, why):
    before = set((ROOT / "corpus").iterdir())
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/new-cause", name, "--layer", "host"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert why in done.stderr
    assert set((ROOT / "corpus").iterdir()) == before


def test_the_catalogue_and_its_cases_have_no_gaps():
    assert run("new-cause", "--check") == (0, "no gaps in the catalogue and its cases\n")
