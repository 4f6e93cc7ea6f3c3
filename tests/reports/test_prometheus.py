"""Metrics that Prometheus' own parser takes, whatever the evidence calls its nodes."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from prometheus_client.parser import text_string_to_metric_families

from calivet.messages.message import load_table
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Component
from calivet.reports.diagnosis.prometheus import to_prometheus
from tests.reports.answers import INCIDENTS, LANGUAGES, demo, made_up, nothing, undecided

BASE = made_up()


def parsed(text):
    """Samples by metric, each as its labels and its value."""
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert all(family.type == "gauge" and family.documentation for family in families.values())
    return {name: [(sample.labels, sample.value) for sample in family.samples] for name, family in families.items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", INCIDENTS)
def test_the_parser_takes_every_incident(name, language):
    answer = demo(name)
    metrics = parsed(to_prometheus(answer, language))
    assert list(metrics) == [name for name in load_table("prometheus") if not name.startswith("calivet_fleet_")]
    assert ({"verdict": answer.verdict}, 1.0) in metrics["calivet_verdict"]
    assert sum(value for _, value in metrics["calivet_verdict"]) == 1
    assert {labels["cause"] for labels, _ in metrics["calivet_finding"]} == {one.cause.id for one in answer.findings}
    assert all(0 <= value <= 1 for _, value in metrics["calivet_finding"] + metrics["calivet_candidate"])


def test_a_line_for_each_node_and_one_for_a_cause_of_the_cluster():
    answer = made_up()
    answer.findings[0].nodes = ["ash-1", "ash-2"]
    nodes = [labels["node"] for labels, _ in parsed(to_prometheus(answer, "en"))["calivet_finding"]]
    assert nodes == ["ash-1", "ash-2"]
    answer.findings[0].nodes = []
    nodes = [labels["node"] for labels, _ in parsed(to_prometheus(answer, "en"))["calivet_finding"]]
    assert nodes == [""]


def test_a_part_that_was_not_seen_is_neither_well_nor_ill():
    answer = nothing()
    name, state = Words("typha", "typha"), Words("x", "x")
    answer.components = [Component(name, good, state) for good in (True, False, None)]
    values = [value for _, value in parsed(to_prometheus(answer, "en"))["calivet_component_ok"]]
    assert values == [1, 0]


def test_candidates_and_what_was_not_seen():
    metrics = parsed(to_prometheus(undecided(), "en"))
    assert [labels for labels, _ in metrics["calivet_candidate"]] == [{"cause": "other"}]
    assert parsed(to_prometheus(made_up(), "en"))["calivet_not_seen"][0][1] >= 1


@given(node=st.text(st.characters(codec="utf-8"), min_size=1))
def test_no_name_breaks_out_of_its_label(node):
    named = structs.replace(BASE.findings[0], nodes=[node])
    text = to_prometheus(structs.replace(BASE, findings=[named]), "en")
    ((labels, _),) = parsed(text)["calivet_finding"]
    assert labels.keys() == {"cause", "node"}
    if node.isprintable():
        assert labels["node"] == node
    assert len(text.splitlines()) == len(to_prometheus(BASE, "en").splitlines())


def test_the_numbers_are_the_same_in_both_languages():
    answer = demo("three-at-once")
    assert parsed(to_prometheus(answer, "en")) == parsed(to_prometheus(answer, "zh"))


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_promtool_takes_it_too():
    text = to_prometheus(demo("three-at-once"), "en").encode()
    run = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, check=False)
    assert run.returncode in (0, 3), run.stderr  # 3 is a matter of taste in names
