"""The published schemas: well formed, told in words, and kept by every answer that is known here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from calivet.contract.documents import build_schemas
from calivet.reports.diagnosis.json import to_json
from tests.corpus_answers import GROUP, diagnose_corpus
from tests.reports.answers import INCIDENTS, LANGUAGES, demo, made_up, nothing, undecided

ROOT = Path(__file__).parents[2]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(build_schemas()[f"{name}.schema.json"]))


DIAGNOSIS = validator("diagnosis-1")


def mistakes(answer, languages=LANGUAGES):
    """Where and what."""
    for language in languages:
        tree = json.loads(to_json(answer, language))
        yield from (f"{error.json_path}: {error.message}" for error in DIAGNOSIS.iter_errors(tree))


@pytest.mark.parametrize("name", build_schemas())
def test_it_is_a_schema_and_the_one_that_is_published(name):
    text = build_schemas()[name]
    Draft202012Validator.check_schema(json.loads(text))
    assert (ROOT / "docs" / "schema" / name).read_text("utf-8") == text


@pytest.mark.parametrize("name", build_schemas())
def test_every_field_is_told_in_words(name):
    for kind, record in json.loads(build_schemas()[name])["$defs"].items():
        assert record["description"], kind
        for field, shape in record["properties"].items():
            assert shape.get("description"), f"{kind}.{field}"


@pytest.mark.parametrize("name", INCIDENTS)
def test_the_incidents_keep_to_it(name):
    assert list(mistakes(demo(name))) == []


def test_made_up_answers_keep_to_it():
    for answer in (made_up(), made_up("节点 \\ \x7f \u202e"), undecided(), nothing()):
        assert list(mistakes(answer)) == []


@pytest.mark.xdist_group(GROUP)
def test_every_labelled_case_keeps_to_it():
    wrong = {
        name: found
        for place, (name, answer) in enumerate(diagnose_corpus().items())
        if (found := list(mistakes(answer, [LANGUAGES[place % 2]])))
    }
    assert wrong == {}


def test_it_would_notice():
    tree = json.loads(to_json(made_up(), "en"))
    tree["verdict"] = "fine"
    tree["findings"][0]["confidence"] = 1.5
    del tree["findings"][0]["fix"][0]["risk"]
    paths = {error.json_path for error in DIAGNOSIS.iter_errors(tree)}
    assert paths == {"$.verdict", "$.findings[0].confidence", "$.findings[0].fix[0]"}


def test_a_field_may_be_added():
    tree = json.loads(to_json(made_up(), "en"))
    tree["findings"][0]["colour"] = "red"
    assert DIAGNOSIS.is_valid(tree)
