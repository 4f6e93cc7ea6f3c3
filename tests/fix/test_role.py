"""The role for fixing holds what the steps need, and nothing that no step asks for."""

from __future__ import annotations

import re

import yaml

from calivet.fix.plan import Kind
from calivet.fix.role import collect_rules, write_fix_role
from tests.cli.running import calivet
from tests.fix.test_plan import plan_for
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
NAMED = re.compile(r"kubectl (?:-n \S+ )?(?:patch|delete|annotate|label) (?:--\S+ )*(?:-n \S+ )?([a-z]+)")
SHORT = {"ns": "namespaces", "cm": "configmaps"}


def test_a_single_cause_needs_little():
    rules = collect_rules([CATALOGUE.causes["datastore-not-ready-flag"]])
    calico = {resource for group, resource in rules if "projectcalico" in group}
    assert calico == {"clusterinformations"} | {resource for resource in calico if "migration" in resource}
    assert ("", "secrets") not in rules


def test_a_cause_that_only_nodes_can_cure_needs_the_lock_alone():
    rules = collect_rules([CATALOGUE.causes["sysctl-ip-forward-off"]])
    assert set(rules) == {("coordination.k8s.io", "leases"), ("", "events"), ("", "nodes")}


def test_every_kind_that_a_step_names_is_in_it():
    """Whatever calivet would change itself, on the two usual kinds of cluster."""
    rules = collect_rules(CATALOGUE.causes.values())
    known = {resource for _, resource in rules}
    for cause in CATALOGUE.causes:
        for step in (*plan_for(cause, "manifest").steps, *plan_for(cause, "operator").steps):
            for found in NAMED.findall(step.step.run) if step.kind is Kind.CHANGE else ():
                # A sample stands for a name that the evidence gives.
                assert {found, f"{found}s", SHORT.get(found, "")} & known or found == "the", found


def test_nothing_is_a_wildcard_and_the_yaml_is_sound():
    tree = yaml.safe_load(write_fix_role(CATALOGUE))
    for rule in tree["rules"]:
        assert "*" not in [*rule["apiGroups"], *rule["resources"], *rule["verbs"]]
        assert set(rule["verbs"]) <= {"get", "list", "create", "patch", "delete"}


def test_the_command_prints_either_role():
    assert "calivet-reader" in calivet("access", "--role").out
    assert "calivet-fixer" in calivet("access", "--role", "fix", "bgp-config-wrong").out
    wrong = calivet("access", "--role", "fix", "no-such-cause")
    assert (wrong.code, "no-such-cause" in wrong.err) == (3, True)
