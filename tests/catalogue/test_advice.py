"""What a finding tells to do, as it is printed, for each fault whose advice was wrong once."""

from __future__ import annotations

import re
from functools import cache

import pytest

from calivet.catalogue.model import Step
from calivet.evidence.artifact import Evidence
from calivet.messages.command_line import fill_command
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis, Finding
from calivet.signs.sign_detector import prepare_detector
from tests.catalogue.advice_rows import ROWS
from tests.facts.drawing import artifacts_of
from tests.shipped import load_shipped_catalogue

KNOWN = load_shipped_catalogue()


@cache
def diagnose_text(text: str) -> Diagnosis:
    """By the shipped catalogue."""
    return diagnose(Evidence(artifacts_of(text)), *prepare_detector())


def find_finding(cause: str, text: str) -> Finding:
    """The finding of this cause."""
    found = {finding.cause.id: finding for finding in diagnose_text(text).findings}
    assert cause in found, f"{cause} is not among {list(found)}"
    return found[cause]


def print_advice(finding: Finding) -> str:
    """All that is to be read and pasted, a line each."""
    parts = [text for step in finding.fix for text in list_texts(step)]
    parts += [text for check in finding.verify for text in (check.run, check.expect.en, check.expect.zh)]
    return "\n".join(filter(None, parts))


def list_texts(step: Step) -> list[str]:
    """In the order in which they are needed."""
    words = [one for one in (step.do, step.why, step.interrupts) if one]
    before = [step.precheck.run, step.precheck.expect.en, step.precheck.expect.zh] if step.precheck else []
    return [*before, step.save, step.run, *(text for one in words for text in (one.en, one.zh)), step.undo]


@pytest.mark.parametrize("name", ROWS)
def test_advice(name):
    row = ROWS[name]
    text = print_advice(find_finding(row.cause, row.text))
    # What goes through ssh is escaped for the shell here; it is looked at as the node gets it, too.
    views = (text, text.replace("\\$", "$").replace('\\"', '"'))
    missing = [wanted for wanted in row.has if not any(re.search(wanted, view) for view in views)]
    present = [unwanted for unwanted in row.lacks if any(re.search(unwanted, view) for view in views)]
    assert (missing, present) == ([], []), text


def test_the_end_of_a_range_is_no_place_to_fill():
    runs: list[str] = [step.run for cause in KNOWN.causes.values() for step in cause.fix]
    runs += [check.run for cause in KNOWN.causes.values() for check in cause.verify]
    runs += [question.run for question in KNOWN.questions.values()]
    assert any("{end}" in run for run in runs)
    assert [run for run in runs if "<end>" in fill_command(run, {})] == []


MIGRATED = """
$ kubectl get clusterinformations.{group} default -o yaml
apiVersion: {group}/{version}
kind: ClusterInformation
metadata:
  name: default
spec:
  datastoreReady: {ready}
"""


def test_the_old_flag_of_a_finished_migration_is_no_fault():
    old = MIGRATED.format(group="crd.projectcalico.org", version="v1", ready="false")
    new = MIGRATED.format(group="projectcalico.org", version="v3", ready="true")
    assert "datastore-not-ready-flag" in {one.cause.id for one in diagnose_text(old).findings}
    assert diagnose_text(old + new).findings == []


LONG = "IPPool 10.77.0.0/16 is not within the platform's configured pod network CIDR(s) [10.66.0.0/16]"


def test_the_operators_message_is_whole():
    text = f"""
$ kubectl get tigerastatus calico -o yaml
apiVersion: operator.tigera.io/v1
kind: TigeraStatus
metadata:
  name: calico
status:
  conditions:
  - type: Degraded
    status: "True"
    reason: InvalidConfigurationError
    message: "Could not resolve CalicoNetwork IPPool and kubeadm configuration: {LONG}"
"""
    said = [item.says.en for item in find_finding("operator-misconfigured", text).evidence]
    assert any(one.startswith("TigeraStatus calico is degraded") and "[10.66.0.0/16]" in one for one in said)


def test_a_path_below_another_brings_no_driver_into_the_chain():
    row = ROWS["read-only below /var/lib"]
    assert "flexvol-install-failed" not in find_finding(row.cause, row.text).chain
