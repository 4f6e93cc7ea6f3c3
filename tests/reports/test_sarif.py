"""SARIF as its published schema and its readers want it."""

from __future__ import annotations

import json
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, FormatChecker

from calivet.reports.diagnosis.sarif import MOST_PLACES, escape_links, to_sarif
from tests.reports.answers import DEMOS, INCIDENTS, LANGUAGES, demo, made_up, nothing, undecided
from tests.reports.sarif_schema import sarif_schema

SCHEMA = Draft7Validator(sarif_schema(), format_checker=FormatChecker())
ANSWERS = {"made up": made_up, "undecided": undecided, "nothing": nothing}


def run_of(answer, language="en"):
    log = json.loads(to_sarif(answer, language))
    assert [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(log)] == []
    (run,) = log["runs"]
    return run


def test_the_schema_is_the_one_of_the_standard():
    assert sarif_schema()["title"].endswith("Version 2.1.0 JSON Schema")
    assert not SCHEMA.is_valid({"version": "2.1.0"})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*ANSWERS, *INCIDENTS])
def test_every_answer_keeps_to_it(name, language):
    answer = ANSWERS[name]() if name in ANSWERS else demo(name)
    run = run_of(answer, language)
    assert len(run["results"]) == len(answer.findings) + len(answer.candidates)
    assert run["properties"]["verdict"] == answer.verdict


def test_every_result_has_its_rule():
    run = run_of(demo("three-at-once"))
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["help"]["markdown"] and "helpUri" not in rule for rule in rules)


@pytest.mark.parametrize("name", INCIDENTS)
def test_every_place_holds_the_line_that_is_shown(name):
    for result in run_of(demo(name))["results"]:
        for place in (*result["locations"], *result.get("relatedLocations", ())):
            where = place["physicalLocation"]
            lines = (
                (DEMOS / name / "evidence" / unquote(where["artifactLocation"]["uri"])).read_text("utf-8").splitlines()
            )
            assert where["region"]["snippet"]["text"].strip() in lines[where["region"]["startLine"] - 1]


def test_findings_are_errors_and_candidates_are_open():
    found = run_of(made_up())["results"][0]
    assert (found["kind"], found["level"]) == ("fail", "error")
    assert "frob --restart" in found["message"]["text"]
    assert found["relatedLocations"][-1]["message"]["text"].startswith("→ title of ")
    maybe = run_of(undecided())["results"][0]
    assert (maybe["kind"], maybe["level"]) == ("open", "none")


def test_a_finding_that_was_repaired_is_a_note():
    answer = made_up()
    answer.findings[0].later_healthy = True
    assert run_of(answer)["results"][0]["level"] == "note"


def test_the_fingerprint_is_that_of_cause_and_nodes():
    def fingerprint(answer):
        return run_of(answer)["results"][0]["partialFingerprints"]

    other = made_up("somebody else", file="other.txt")
    assert fingerprint(other) == fingerprint(made_up())
    other.findings[0].nodes = ["birch-2", "birch-1"]
    moved = fingerprint(other)
    assert moved != fingerprint(made_up())
    other.findings[0].nodes = ["birch-1", "birch-2"]
    assert fingerprint(other) == moved


def test_no_more_places_than_a_reader_shows():
    answer = made_up()
    answer.findings[0].explains *= 5 * MOST_PLACES
    assert len(run_of(answer)["results"][0]["relatedLocations"]) == MOST_PLACES


def test_what_could_not_be_read_is_a_notification():
    (invocation,) = run_of(made_up())["invocations"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "core.dump: is binary"


@pytest.mark.parametrize(
    "name", ["a b.log", "/var/log/x.log", "C:\\x.log", "a#b?c.log", "bundle.tar.gz/节点.log", "%41.log", "a:b"]
)
def test_a_name_is_a_relative_reference(name):
    (place,) = run_of(made_up(file=name))["results"][0]["locations"]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set(" #?:\\")
    assert not uri.startswith("/")
    assert unquote(uri) == name.lstrip("/")


@pytest.mark.parametrize("value", ["[click](http://example.org)", "{0}", "<script>", "\u202egnp\x07", "x" * 100_000])
def test_hostile_evidence(value):
    text = to_sarif(made_up(value), "en")
    assert len(text) < 100_000
    message = run_of(made_up(value))["results"][0]["locations"][0]["message"]["text"]
    assert "](" not in message or "\\[" in message
    assert "{0}" not in message.replace("{{0}}", "")


@given(text=st.text(st.sampled_from("[](){}01a\\"), max_size=30))
def test_nothing_is_left_that_a_reader_would_take_for_a_link(text):
    written = escape_links(text)
    for start in (place for place, letter in enumerate(written) if letter == "["):
        inside, end, after = written[start + 1 :].partition("]")
        if end and after.startswith("(") and "[" not in inside:
            assert written[start - 1] == "\\"


def test_commands_stay_as_they_are():
    command = "kubectl get -o jsonpath='{.items[*].x}' | sed 's/\\[a\\]/{b}/' && echo ${HOME}"
    assert escape_links(command) == command


def test_the_line_that_is_shown_is_never_cut():
    """Machines read it: what decides may stand at its end."""
    line = "x" * 5_000 + " the end"
    (result,) = [one for one in run_of(made_up(line))["results"] if one["kind"] == "fail"]
    texts = [place["physicalLocation"]["region"]["snippet"]["text"] for place in result["locations"]]
    assert any(line in text for text in texts)
