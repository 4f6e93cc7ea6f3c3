"""The built-in incidents are whole, titled in both languages, and told in words, names and addresses of their own."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from calivet.cli.commands.demo import read_titles
from calivet.evaluation import load_cases

DEMOS = Path(str(files("calivet") / "demos"))
CAUSES = Path(str(files("calivet") / "causes"))
CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
CASES = load_cases(DEMOS)
TITLES = read_titles()
LABELS = {case.name: yaml.safe_load((case.folder / "expect.yaml").read_text("utf-8")) for case in CASES}

IDS = {
    "healthy-but-noisy",
    "killed-while-healthy",
    "migration-hangs",
    "overloaded-node",
    "stuck-in-init",
    "three-at-once",
}
# A describe page alone has some two hundred lines; more than one of them tires the reader of a demo.
MOST_LINES = 270
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ADDRESS = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
# The same on every machine: loopback, docker's bridge.
EVERYWHERE = {"127.0.0.1", "172.17.0.1"}

WORTH_COMPARING = 20
# What belongs to one cluster: addresses, times, versions, ids, pods, people.
OWN = re.compile(
    rf"{ADDRESS.pattern}|\d\d:\d\d|\d{{4}}-\d\d-\d\d|\bv\d+\.\d|[0-9a-f]{{12}}|-(?=[a-z]*\d)[a-z0-9]{{5}}\b|\w@\w|{CHINESE.pattern}"
)
# What programs print alike on every cluster. A sentence of somebody's note has none of these shapes.
PROGRAM = re.compile(
    r"[-+ ]+$|\|.*\|$"  # rules and rows of boxes
    r"|[A-Z()]{2,}(?:[ -][A-Z()]{2,})*$|Type (?:Status|Reason)\b"  # heads of tables
    r"|[\w-]+(?: [\w-]+){0,2}:(?: (?:\S+(?: op=Exists.*)?|<.*|\(.*|exec \[.*|(?:HostPath|Secret|Projected) \(.*))?$"  # fields
    r"|/\S+(?: from \S+ \(r[ow]\))?$|\S+:No(?:Schedule|Execute)\b|\S+(?:=| = )\S+$"  # mounts, tolerations, settings
    r"|(?:Initialized|Ready|ContainersReady|PodScheduled) (?:True|False)$|CriticalAddonsOnly\b|\S+ ConfigMap Optional:"
    r"|Calico (?:process|node) |1: lo: |inet 127\.|inet6 ::1/|valid_lft |● \S+\.service - |(?:bird6?|curl|ctr): "
)


@cache
def lines(folder: Path) -> frozenset[str]:
    """Every line of the evidence below a folder, blanks evened out."""
    documents = [path for path in folder.rglob("*") if path.is_file() and "evidence" in path.parts]
    texts = [path.read_text("utf-8", errors="replace") for path in documents]
    return frozenset(" ".join(line.split()) for text in texts for line in text.splitlines())


def is_common(line: str) -> bool:
    """Whether a line says nothing about whose cluster it comes from."""
    plain = line.replace("127.0.0.1", "loopback")
    return not OWN.search(plain) and bool(PROGRAM.match(line))


def test_all_incidents_are_there():
    assert {case.name for case in CASES} == IDS


@pytest.mark.parametrize("name", sorted(LABELS))
def test_a_title_of_one_line_in_both_languages(name):
    title = TITLES[name]
    assert title.keys() == {"en", "zh"}
    assert all(text.strip() and "\n" not in text for text in title.values())
    assert CHINESE.search(title["zh"])
    assert not CHINESE.search(title["en"])


@pytest.mark.parametrize("name", sorted(LABELS))
def test_the_label_names_known_causes(name):
    label = LABELS[name]
    named = {label["cause"], *label["also"], *label.get("all", []), *label["herrings"]} - {"healthy"}
    assert [cause for cause in sorted(named) if not list(CAUSES.glob(f"*/{cause}.yaml"))] == []
    assert label["why"].strip()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_evidence_is_there_and_short_enough_to_read(case):
    documents = [path for path in (case.folder / "evidence").rglob("*") if path.is_file()]
    assert documents
    texts = [path.read_text("utf-8") for path in documents]
    assert all(text.strip() for text in texts)
    assert sum(len(text.splitlines()) for text in texts) <= MOST_LINES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_prose_has_the_language_of_the_label(case):
    chinese = any(CHINESE.search(line) for line in lines(case.folder))
    assert LABELS[case.name]["lang"] == ("zh" if chinese else "en")


def test_two_incidents_are_told_in_chinese():
    assert sum(label["lang"] == "zh" for label in LABELS.values()) == 2


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_line_is_taken_from_the_corpus(case):
    shared = {line for line in lines(case.folder) & lines(CORPUS) if len(line) > WORTH_COMPARING}
    assert sorted(line for line in shared if not is_common(line)) == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_address_is_taken_from_the_corpus(case):
    own, theirs = (set(ADDRESS.findall("\n".join(lines(folder)))) for folder in (case.folder, CORPUS))
    assert own & theirs <= EVERYWHERE


@pytest.mark.parametrize(
    ("line", "common"),
    [
        ("/var/run/calico from var-run-calico (rw)", True),
        ("node.kubernetes.io/not-ready:NoExecute op=Exists", True),
        ("NAME READY STATUS RESTARTS AGE", True),
        ("Path: /var/lib/cni/networks", True),
        ("Node: rack-7/10.9.8.7", False),
        ("Image: calico/node:v3.19.0", False),
        ("calico-node-x2x2x 0/1 Running 3 31d", False),
        ("2022-03-04 05:06:07.890 [INFO][9] startup/startup.go 95: Datastore is ready", False),
        ("we drained the machine and rebooted it", False),
        ("Cause: the load of two machines was far too high", False),
        ("重启之后一切正常没有再出现报错的情况了", False),
    ],
)
def test_what_counts_as_common_to_all_clusters(line, common):
    assert is_common(line) is common
