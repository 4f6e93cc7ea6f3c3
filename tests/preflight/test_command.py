"""`calivet preflight`: where the probes come from, what is printed, and what the exit code says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from calivet.evidence.artifact import Document, Unreadable
from calivet.messages.message import make_verbatim
from calivet.node import running
from calivet.preflight.examine import REQUIREMENTS
from calivet.preflight.requirement import Outcome
from calivet.search.cache import find_cache_folder
from tests.cli.running import calivet
from tests.preflight.evidence import CATALOGUE, DEBIAN, HOSTS, ROCKY, UBUNTU, Probe, cluster

SENTENCE = re.compile(r"(?:\b[A-Za-z][a-z']+ ){3,}[a-z]+\b")
SSH = """#!/bin/sh
case "$*" in
-G*) exit 1 ;;
*'gone '*) echo 'ssh: connect to host gone port 22: No route to host' >&2; exit 255 ;;
*'oak-2 '*) cat '{hosts}/ubuntu-22.04-docker.txt' ;;
*'kit-1 '*) cat '{hosts}/debian-12-containerd.txt' ;;
esac
"""


@pytest.fixture
def home(tmp_path):
    """Nobody's home: no kubeconfig is there. What is kept is: it takes seconds to make."""
    return {"HOME": str(tmp_path), "KUBECONFIG": "", "XDG_CACHE_HOME": str(find_cache_folder().parent)}


def written(folder: Path, *probes: Probe) -> Path:
    for number, probe in enumerate(probes):
        (folder / f"probe-{number}.txt").write_text("\n".join(probe.lines) + "\n", "utf-8")
    return folder


def swapping() -> Probe:
    return Probe(DEBIAN).edit("Priority\n", "Priority\n/dev/sda3 partition 2097148 0 -2\n")


class TestFiles:
    def test_all_is_well(self):
        run = calivet("preflight", HOSTS / f"{UBUNTU}.txt")
        assert run.code == 0
        assert run.err == ""
        assert run.out.startswith("oak-2: 0 fail, ")
        assert "not checked, the cluster gave no information: " in run.out

    def test_what_fails_comes_first_with_its_line_and_its_fix(self, tmp_path):
        run = calivet("preflight", written(tmp_path, swapping()))
        assert run.code == 1
        first = run.out.index("✗ Swap: swap is on: /dev/sda3")
        assert first < run.out.index("│ /dev/sda3 partition") < run.out.index("swapoff -a") < run.out.index("✓ ")

    def test_passes_are_one_line_unless_asked_for(self):
        folded = calivet("preflight", HOSTS / f"{ROCKY}.txt").out
        shown = calivet("preflight", HOSTS / f"{ROCKY}.txt", "-v").out
        assert folded.count("✓") == 1
        assert shown.count("✓") == int(folded.split(" pass")[0].split()[-1])

    def test_several_machines_and_a_cluster_in_one_folder(self, tmp_path):
        written(tmp_path, swapping(), Probe(UBUNTU))
        for document in cluster():
            path = tmp_path / document.name
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(document.lines) + "\n", "utf-8")
        tree = json.loads(calivet("preflight", tmp_path, "-o", "json").out)
        checks = {node["node"]: {check["id"]: check for check in node["checks"]} for node in tree["nodes"]}
        assert checks.keys() == {"kit-1", "oak-2"}
        assert checks["kit-1"]["swap"]["outcome"] == "fail"
        assert checks["kit-1"]["swap"]["fix"][0]["run"] == "ssh kit-1 sudo swapoff -a"
        assert checks["oak-2"]["name-free"]["outcome"] == "pass"
        assert set(checks["oak-2"]) == {one.id for one in REQUIREMENTS}

    def test_evidence_without_a_probe(self, tmp_path):
        (tmp_path / "kubelet.log").write_text("kubelet started\n", "utf-8")
        run = calivet("preflight", tmp_path)
        assert run.code == 2
        assert "no probe" in run.out

    def test_a_file_that_is_not_there(self, tmp_path):
        run = calivet("preflight", tmp_path / "nothing.txt")
        assert run.code == 3
        assert "no such file" in run.err


class TestThisMachine:
    def test_the_probe_runs_here(self, home, monkeypatch):
        document = Document("probes/kit-1.txt", Probe(DEBIAN).lines)
        monkeypatch.setattr(running, "probe_here", lambda _: running.Probed("kit-1", document, None, 1.0))
        run = calivet("preflight", **home)
        # The made-up machine was looked at long ago, so that its clock is off by as much.
        assert run.code == 1
        assert "✗ Clock" in run.out
        assert run.out.count("✗") == 1
        assert "no kubeconfig" in run.out

    def test_nothing_could_be_looked_at(self, home, monkeypatch):
        failed = Unreadable("probes/kit-1.txt", make_verbatim("the probe printed nothing: no shell"))
        monkeypatch.setattr(running, "probe_here", lambda _: running.Probed("kit-1", None, failed, 0.0))
        run = calivet("preflight", **home)
        assert run.code == 2
        assert "the probe printed nothing" in run.out

    def test_a_kubeconfig_that_was_named_must_be_there(self, home):
        run = calivet("preflight", "--kubeconfig", "/nowhere/config", **home)
        assert run.code == 3
        assert "/nowhere/config" in run.err


class TestOverSsh:
    @pytest.fixture
    def ssh(self, tmp_path, home):
        """A program named ssh that knows two machines, and one that is gone."""
        program = tmp_path / "bin" / "ssh"
        program.parent.mkdir()
        program.write_text(SSH.format(hosts=HOSTS), "utf-8")
        program.chmod(0o755)
        return home | {"PATH": f"{program.parent}:/usr/bin:/bin"}

    def test_the_machines_that_are_named(self, ssh):
        run = calivet("preflight", "--ssh", "root@kit-1", "oak-2", **ssh)
        assert [line for line in run.out.splitlines() if re.match(r"\S+: \d+ fail", line)]
        assert run.out.index("kit-1: ") < run.out.index("oak-2: ")

    def test_one_that_is_gone_is_told_and_counts(self, ssh):
        run = calivet("preflight", "--ssh", "gone", **ssh)
        assert run.code == 2
        assert "gone" in run.out
        assert "no route" in run.out


class TestWords:
    def test_every_requirement_leads_to_a_cause(self):
        assert [one.id for one in REQUIREMENTS if one.cause not in CATALOGUE.causes] == []
        assert len({one.id for one in REQUIREMENTS}) == len(REQUIREMENTS)

    def test_in_chinese_no_sentence_is_english(self, tmp_path):
        for name in (DEBIAN, UBUNTU, ROCKY):
            out = calivet("preflight", HOSTS / f"{name}.txt", "--lang", "zh").out
            assert [line for line in out.splitlines() if SENTENCE.search(line)] == []
            assert not re.search(r"[\u4e00-\u9fff], |[\u4e00-\u9fff]: ", out)
        out = calivet("preflight", written(tmp_path, swapping()), "--lang", "zh").out
        assert "swap 已打开：/dev/sda3" in out

    def test_no_line_is_wider_than_asked(self):
        out = calivet("preflight", HOSTS / f"{DEBIAN}.txt", "--width", "60", "-v").out
        assert max(map(len, out.splitlines())) <= 60

    def test_json_says_the_outcome_in_fixed_words(self):
        tree = json.loads(calivet("preflight", HOSTS / f"{DEBIAN}.txt", "-o", "json", "--lang", "zh").out)
        outcomes = {check["outcome"] for check in tree["nodes"][0]["checks"]}
        assert outcomes <= {str(outcome) for outcome in Outcome}
