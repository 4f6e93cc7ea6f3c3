"""`calivet whatif`: what it prints in both languages, its exit codes, and how it takes a wrong word.

`CALIVET_GOLDEN=write` writes the expected outputs anew.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from msgspec import structs

from calivet.messages.message import make_verbatim
from tests.cli.running import calivet
from tests.forecast.cluster import HERONS, Machine, evidence, resource
from tests.forecast.test_starts import cluster, log

GOLDEN = Path(__file__).parent / "golden"
DEMOS = Path(__file__).parents[2] / "src" / "calivet" / "demos"
SEED = Path(__file__).parents[3] / "shared" / "corpus" / "seed-004-raw" / "evidence"
METHOD = "IP_AUTODETECTION_METHOD="
POOL = resource("IPPool", "cidr: 10.200.0.0/16\nipipMode: CrossSubnet\nvxlanMode: Never")
STORKS = [Machine(f"stork-{n}", f"10.{n}.0.7", f"10.{n}.0.7/24", (f"eth0 10.{n}.0.7/24",)) for n in (1, 2, 3)]

CASES = {
    "repaired": (0, [METHOD + "kubernetes-internal-ip"], evidence(*HERONS)),
    "unclear": (
        2,
        [METHOD + "interface=^eth0$"],
        evidence(*HERONS[:2], structs.replace(HERONS[2], stored="", cards=())),
    ),
    "broken": (1, [METHOD + "interface=eth1"], evidence(*HERONS, version="")),
    "too-old": (1, [METHOD + "cidr=10.44.0.0/23"], evidence(*HERONS, version="v3.13.1")),
    "mesh-off": (1, ["nodeToNodeMeshEnabled=false"], evidence(*HERONS)),
    "no-encapsulation": (1, ["ipipMode=Never"], evidence(*STORKS, more=POOL)),
    "more-time": (2, ["livenessProbe.failureThreshold=12"], cluster(log("heron-1", 95), log("heron-2", last=66))),
}


@pytest.fixture
def transcript(tmp_path):
    def write(text):
        path = tmp_path / "session.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name, language, transcript):
    code, changes, text = CASES[name]
    run = calivet("whatif", *changes, transcript(text), "--lang", language, "--width", 100)
    assert (run.code, run.err) == (code, "")
    path = GOLDEN / f"{name}.{language}.txt"
    if os.environ.get("CALIVET_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(run.out, encoding="utf-8")
    assert run.out.splitlines() == path.read_text("utf-8").splitlines()


def test_no_expected_output_is_left_over():
    assert {path.name for path in GOLDEN.iterdir()} == {f"{name}.{one}.txt" for name in CASES for one in ("en", "zh")}


@pytest.mark.parametrize("name", CASES)
def test_json_says_the_same(name, transcript):
    code, changes, text = CASES[name]
    run = calivet("whatif", "-o", "json", *changes, transcript(text))
    tree = json.loads(run.out)
    assert run.code == code
    assert tree["verdict"] == {0: "fine", 1: "broken", 2: "unclear"}[code]
    assert [f"{one['key']}={one['value']}" for one in tree["changes"]] == changes
    assert all(one["run"] and one["says"] for one in tree["missing"])


def test_json_has_every_card_that_was_considered(transcript):
    run = calivet("whatif", "-o", "json", METHOD + "skip-interface=eth1", transcript(evidence(*HERONS)))
    second = json.loads(run.out)["families"][0]["nodes"][1]
    assert (second["before"], second["after"], second["interface"]) == ("172.29.7.12/24", "10.44.0.12/23", "eth0")
    assert [(one["name"], one["verdict"]) for one in second["considered"]] == [
        ("eth1", "excluded"), ("eth0", "taken"), ("lo", "excluded")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["CALICO_AS=64512"], "IP_AUTODETECTION_METHOD, IP6_AUTODETECTION_METHOD, IP, IP6, ipipMode"),
        ([METHOD + "eth0"], "first-found, kubernetes-internal-ip, cidr=RANGE"),
        ([METHOD + "interface=(?!docker)"], "(?!docker)"),
        ([METHOD + "cidr=10.44.0.300/24"], "10.44.0.300/24"),
        (["ipipMode=Perhaps"], "Always, CrossSubnet, Never"),
        (["livenessProbe.failureThreshold=0"], "NUMBER"),
        (["session.txt"], "IP_AUTODETECTION_METHOD=kubernetes-internal-ip"),
        ([], "KEY=VALUE|PATH"),
    ],
)
def test_what_cannot_be_tried_is_wrong_usage(words, said):
    run = calivet("whatif", *words)
    assert (run.code, run.out) == (64, "")
    assert said in run.err


def test_a_file_that_is_not_there():
    run = calivet("whatif", METHOD + "first-found", "no-such-file.txt")
    assert (run.code, run.out) == (3, "")
    assert "no-such-file.txt" in run.err


def test_a_file_may_have_a_sign_of_equality_in_its_name(tmp_path):
    path = tmp_path / "a=b.txt"
    path.write_text(evidence(*HERONS), encoding="utf-8")
    assert calivet("whatif", METHOD + "kubernetes-internal-ip", path).code == 0


def test_nothing_but_the_changed_nodes_of_a_large_cluster(transcript):
    many = [Machine(f"n{n:02}", f"10.44.0.{n}", f"10.44.0.{n}/23", (f"eth0 10.44.0.{n}/23",)) for n in range(1, 60)]
    many[6].stored, many[6].cards = "172.29.7.7/24", ("eth0 10.44.0.7/23", "eth1 172.29.7.7/24")
    run = calivet("whatif", METHOD + "kubernetes-internal-ip", transcript(evidence(*many)))
    assert run.code == 0
    assert "58 more stay as they are" in run.out
    assert "come up 58" in run.out


class TestSecondCard:
    """The incident that calivet began with: a second card on one master, as embedded, and as it was written down."""

    EVIDENCE = DEMOS / "three-at-once" / "evidence"

    def test_the_method_that_the_release_knows_repairs_what_was_seen(self):
        run = calivet("whatif", METHOD + "interface=ens160", self.EVIDENCE, "--lang", "en")
        assert re.search(r"\+ loom-m2 +192\.168\.250\.22/24 \(ens192\) +10\.31\.8\.22/24 \(ens160\)", run.out)
        assert "+ loom-m1 – loom-m2" in run.out
        assert "ssh loom-disk 'ip addr; ip route'" in run.out
        assert run.code == 2

    def test_with_the_third_machine_it_is_fine(self, tmp_path):
        third = tmp_path / "loom-disk.txt"
        third.write_text(Machine("loom-disk", "", cards=("ens160 10.31.8.30/24",)).listing(), encoding="utf-8")
        assert calivet("whatif", METHOD + "interface=ens160", self.EVIDENCE, third).code == 0

    def test_the_range_would_have_stopped_every_node(self):
        run = calivet("whatif", METHOD + "cidr=10.31.8.0/24", self.EVIDENCE, "--lang", "en")
        assert (run.code, run.out.count("calico-node exits at startup")) == (1, 3)

    @pytest.mark.skipif(not SEED.is_dir(), reason="the shared corpus is not beside the project")
    def test_the_note_itself_shows_too_little_and_says_what_is_missing(self):
        run = calivet("whatif", METHOD + "interface=ens18", SEED, "--lang", "en")
        assert run.code == 2
        assert run.out.count("'ip addr; ip route'") == 3


def test_without_files_the_cluster_is_asked(monkeypatch):
    from calivet.evidence.artifact import Document, Unreadable
    from calivet.live.collecting import Collected

    asked = []

    def collect(options, *, ask_cluster):
        asked.append((options.context, ask_cluster))
        told = Document("session.txt", evidence(*HERONS).split("\n"))
        return Collected(documents=[told], failed=[Unreadable("logs", make_verbatim("forbidden"))])

    monkeypatch.setattr("calivet.cli.inputs.ssh_nodes.collect_with_nodes", collect)
    run = calivet("whatif", METHOD + "kubernetes-internal-ip", "--context", "lab")
    assert (run.code, asked) == (0, [("lab", True)])
    assert "logs" in run.err


def test_the_internal_address_is_computed_without_a_look_at_the_machines(transcript):
    """A live cluster shows no cards; how large the nodes' network is stands in the records of those that are right."""
    unseen = [structs.replace(one, cards=(), routes=()) for one in HERONS]
    run = calivet("whatif", METHOD + "kubernetes-internal-ip", transcript(evidence(*unseen)), "-o", "json")
    assert run.code == 0
    (family,) = json.loads(run.out)["families"]
    assert {node["name"]: node["after"] for node in family["nodes"]} == {
        one.name: f"{one.internal}/23" for one in HERONS
    }
