"""Diagnoses as they were written, by this calivet or an older one, and what only looks like one."""

from __future__ import annotations

import json

import pytest

from calivet.contract.documents import NewerDiagnosisError, NotADiagnosisError, build_document, read_diagnosis
from calivet.reports.diagnosis.json import to_json
from tests.reports.answers import LANGUAGES, demo, made_up

OLDEST = {
    "schema": 1,
    "calivet": "0.1.0",
    "verdict": "fault",
    "findings": [{"cause": "a", "confidence": 0.9}],
    "candidates": [],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_this_calivet_writes(language):
    answer = demo("three-at-once")
    assert read_diagnosis(to_json(answer, language).encode()) == build_document(answer, language)


def test_what_an_older_one_wrote():
    document = read_diagnosis(json.dumps(OLDEST).encode())
    assert document is not None
    assert document.findings[0].nodes == []
    assert document.components == []


@pytest.mark.parametrize(
    "text",
    ["\ufeff" + json.dumps(OLDEST), "\n " + json.dumps(OLDEST, sort_keys=True), json.dumps(OLDEST | {"more": 1})],
)
def test_however_it_is_written(text):
    assert read_diagnosis(text.encode()) is not None


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"dear diary",
        b"[1, 2]",
        b'{"apiVersion": "v1", "kind": "List", "items": []}',
        b'{"calico',
        b"{",
        b'{"schema": "x"}',
    ],
)
def test_anything_else_is_evidence(text):
    assert read_diagnosis(text) is None


@pytest.mark.parametrize(
    "text",
    [
        to_json(made_up(), "en").encode()[:900],
        b'{"schema": 1, "calivet": "0.1.0", "nodes": []}',
        json.dumps(OLDEST | {"verdict": "fine"}).encode(),
        json.dumps(OLDEST | {"findings": [{}]}).encode(),
        b'{"schema": "one", "calivet": "0.1.0"}',
    ],
)
def test_a_damaged_one_is_no_evidence(text):
    with pytest.raises(NotADiagnosisError):
        read_diagnosis(text)


def test_a_newer_one_says_so():
    with pytest.raises(NewerDiagnosisError, match=r"7\.0\.0"):
        read_diagnosis(json.dumps(OLDEST | {"schema": 2, "calivet": "7.0.0"}).encode())
