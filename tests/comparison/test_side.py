"""Diagnoses as they were written, by this calivet or an older one, and what only looks like one."""

from __future__ import annotations

import json

import msgspec
import pytest

from calivet.comparison.side import Component, NewerDiagnosisError, NotADiagnosisError, Side, read_side
from calivet.reports.contract import Document
from calivet.reports.machine import document, to_json
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
    side = read_side(to_json(answer, language).encode())
    assert side is not None
    assert list(side.found()) == [finding.cause.id for finding in answer.findings]
    assert list(side.parts()) == [part.name.en for part in answer.components]
    assert side.nodes.sick == answer.sick_nodes


def test_what_is_compared_is_in_the_contract():
    """A field of a side that the contract does not have would never be anything but its default."""

    def missing(side, contract):
        for field in msgspec.structs.fields(side):
            wanted = {one.name for one in msgspec.structs.fields(contract)}
            if field.name not in wanted:
                yield f"{side.__name__}.{field.name}"

    written = document(made_up(), "en")
    pairs = [(Side, Document), (Component, type(written.components[0]))]
    side = read_side(to_json(made_up(), "en").encode())
    assert side is not None
    pairs += [(type(side.findings[0]), type(written.findings[0])), (type(side.nodes), type(written.nodes))]
    assert [name for pair in pairs for name in missing(*pair)] == []


def test_what_an_older_one_wrote():
    side = read_side(json.dumps(OLDEST).encode())
    assert side is not None
    assert side.findings[0].nodes == []
    assert side.components == []


@pytest.mark.parametrize(
    "text",
    ["\ufeff" + json.dumps(OLDEST), "\n " + json.dumps(OLDEST, sort_keys=True), json.dumps(OLDEST | {"more": 1})],
)
def test_however_it_is_written(text):
    assert read_side(text.encode()) is not None


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
    assert read_side(text) is None


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
        read_side(text)


def test_a_newer_one_says_so():
    with pytest.raises(NewerDiagnosisError, match=r"7\.0\.0"):
        read_side(json.dumps(OLDEST | {"schema": 2, "calivet": "7.0.0"}).encode())
