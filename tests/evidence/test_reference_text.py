"""What is no evidence of a cluster is recognised and named; what operators write about one never is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calivet.cli.main import main
from calivet.evaluation.run import load_cases
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather
from calivet.evidence.reference_text import blank_definitions, recognize_reference
from calivet.reports.diagnosis.formats import FORMATS

PROJECT = Path(__file__).parents[2]
CORPORA = [PROJECT / "corpus", PROJECT.parent / "shared" / "corpus"]
GO = """package felix

import (
\t"fmt"
)

func check(err error) error {
\tif err != nil {
\t\tlog.WithError(err).Fatal("running with swap on is not supported")
\t\treturn err
\t}
\treturn nil
}
"""
RUNBOOK = """# Calico node not ready

## When to use this runbook
Use it when you are paged for calico-node.

## Steps
Check that the pod runs: `kubectl logs <pod-name>`.
If you see `BIRD is not ready: BGP not established with <peer ip>`, verify that TCP 179 is open.
Make sure that swap is off: "running with swap on is not supported".

## Escalate
See also the network team's page for more information.
"""
CHANGES = """## v3.27.1
- Fix felix panic on startup [calico #8123] (@someone)
- Fixed BIRD crash when the config is empty [calico #8124]
- Add retries to the datastore client #8125
- Fix ipset protocol mismatch #8126
- Support nftables #8127
"""
PLAYBOOK = """- hosts: k8s
  tasks:
  - name: refuse swap
    fail: {msg: "running with swap on is not supported"}
"""
ALERTS = """groups:
- name: calico
  rules:
  - alert: CalicoNodeNotReady
    expr: kube_daemonset_status_number_unavailable > 0
    annotations:
      summary: "BIRD is not ready: BGP not established"
"""
# What operators paste is like it and is not it.
POLICY = """apiVersion: projectcalico.org/v3
kind: GlobalNetworkPolicy
metadata: {name: deny}
spec:
  rules:
  - action: Deny
"""


def kind_of(text, name="text.md"):
    reference = recognize_reference(Document(name, text.split("\n")))
    return reference and reference.kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (GO, "source"),
        (RUNBOOK, "manual"),
        (CHANGES, "release-notes"),
        (PLAYBOOK, "source"),
        (ALERTS, "source"),
        (POLICY, None),
    ],
)
def test_texts_of_others(text, kind):
    assert kind_of(text) == kind


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_our_own_reports_in_every_form(form, language, capsys):
    main(["demo", "three-at-once", "-o", form, "--lang", language])
    assert kind_of(capsys.readouterr().out) == "report"


@pytest.mark.parametrize("path", sorted((PROJECT / "src/calivet/causes").rglob("*.yaml")), ids=lambda path: path.name)
def test_every_file_of_the_catalogue(path):
    assert kind_of(path.read_text()) == "catalogue"


def test_every_label_of_the_corpus():
    assert {kind_of(path.read_text()) for path in (PROJECT / "corpus").glob("*/expect.yaml")} == {"label"}


@pytest.mark.parametrize("corpus", [each for each in CORPORA if each.exists()], ids=lambda path: path.parent.name)
def test_no_evidence_of_a_case_is_taken_for_one(corpus):
    documents = {case.name for case in load_cases(corpus) if case.expect.cause == "none"}
    taken = [one.line.artifact for one in gather([str(corpus)]).references if "/evidence/" in one.line.artifact]
    assert [name for name in taken if not documents & set(name.split("/"))] == []


DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: felixconfigurations.crd.projectcalico.org}
spec:
  description: running with swap on is not supported
"""
POOL = """apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: default}
"""


def test_definitions_are_blanked_and_all_other_lines_keep_their_numbers():
    lines = f"{POOL}---\n{DEFINITION}---\n{POOL}".split("\n")
    kept = blank_definitions(lines)
    assert [line for line in kept if line] == [*POOL.strip().split("\n"), "---", "---", *POOL.strip().split("\n")]
    assert kept.index("---", 4) == lines.index("---", 4)


def test_lines_without_definitions_are_left_alone():
    lines = POOL.split("\n")
    assert blank_definitions(lines) is lines


def test_the_documentation_the_catalogue_and_the_labels_are_no_evidence(capsys):
    labels = [str(path) for path in sorted((PROJECT / "corpus").glob("a*/expect.yaml"))]
    main(["diagnose", str(PROJECT / "docs"), str(PROJECT / "src/calivet/causes"), *labels, "-o", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["findings"], answer["candidates"]) == ([], [])


def test_a_short_file_of_code_is_known_by_its_name():
    code = ["import pytest", "", "MESSAGES = [", "    'BGP not established with',", "]", "def test_them():", "    pass"]
    assert recognize_reference(Document("test_cni.py", code))
    assert recognize_reference(Document("notes.txt", code)) is None
    assert recognize_reference(Document("session.py", ["$ kubectl get nodes", "n1 Ready"])) is None
