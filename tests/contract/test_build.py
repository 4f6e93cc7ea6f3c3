"""The JSON that scripts rely on: every field of the contract, of the right type, pointing at real lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from calivet.contract.documents import build_document
from calivet.evidence.artifact import Unreadable
from calivet.messages.command_line import Command
from calivet.messages.message import make_verbatim
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.diagnosis.json import to_json
from tests.reports.answers import DEMOS, INCIDENTS, LANGUAGES, demo, made_up, nothing, undecided

# The contract: a type, a tuple of allowed words, a list of what its items look like, or a record.
PLACE: dict[str, Any] = {"artifact": str, "line": int}
FINDING: dict[str, Any] = {
    "cause": str,
    "confidence": float,
    "nodes": [str],
    "title": str,
    "summary": str,
    "evidence": [PLACE | {"text": str, "says": str, "strength": ("proof", "strong", "fair", "weak", "against")}],
    "explains": [PLACE | {"effect": str, "subject": (str, None)}],
    "chain": [str],
    "fix": [
        {
            "run": str,
            "why": str,
            "where": ("cluster", "node", "manual"),
            "risk": ("safe", "disruptive", "dangerous"),
            "undo": str,
        }
    ],
    "verify": [{"run": str, "expect": str}],
    "later_healthy": bool,
}
CONTRACT: dict[str, Any] = {
    "schema": int,
    "calivet": str,
    "verdict": ("fault", "healthy", "insufficient"),
    "findings": [FINDING],
    "candidates": [{"cause": str, "confidence": float}],
    "contrast": [{"fact": str, "sick": dict, "healthy": dict}],
    "next": [{"run": str, "why": str, "separates": [str]}],
    "set_aside": [PLACE | {"text": str, "why": str}],
    "not_seen": [{"what": str, "why": str}],
    "sources": [{"artifact": str, "kind": str, "lines": int}],
    "components": [{"name": str, "good": (bool, None), "state": str, "id": str}],
    "nodes": {"sick": [str], "healthy": [str]},
}
ANSWERS: dict[str, Callable[[], Diagnosis]] = {
    "made up": made_up,
    "undecided": undecided,
    "nothing": nothing,
    **{name: partial(demo, name) for name in INCIDENTS},
}


def as_tree(answer, language):
    return msgspec.to_builtins(build_document(answer, language))


def breaches(value, wanted, path="$"):
    """Where the value does not keep to the contract; more fields than it names are allowed."""
    if isinstance(wanted, dict):
        for key, inner in wanted.items():
            if key not in value:
                yield f"{path}.{key} is missing"
            else:
                yield from breaches(value[key], inner, f"{path}.{key}")
    elif isinstance(wanted, list):
        if not isinstance(value, list):
            yield f"{path} is no list"
            return
        for number, item in enumerate(value):
            yield from breaches(item, wanted[0], f"{path}[{number}]")
    elif isinstance(wanted, tuple):
        if value not in wanted and not any(isinstance(kind, type) and isinstance(value, kind) for kind in wanted):
            yield f"{path} is {value!r}"
    elif not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        yield f"{path} is {value!r}, not {wanted.__name__}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_field_of_the_contract(name, language):
    tree = json.loads(to_json(ANSWERS[name](), language))
    assert list(breaches(tree, CONTRACT)) == []
    assert tree["schema"] == 1


def test_every_part_of_the_contract_was_tried():
    tree = as_tree(made_up(), "en")
    assert all(tree["findings"][0][key] for key in FINDING if key != "later_healthy")
    assert all(tree[key] for key in CONTRACT if key not in ("candidates", "contrast"))
    assert as_tree(undecided(), "en")["candidates"]
    assert any(as_tree(demo(name), "en")["contrast"] for name in INCIDENTS)


@pytest.mark.parametrize("name", ANSWERS)
def test_verdict_and_findings_agree_and_confidence_is_a_probability(name):
    tree = as_tree(ANSWERS[name](), "en")
    assert (tree["verdict"] == "fault") is bool(tree["findings"])
    sure = [item["confidence"] for item in (*tree["findings"], *tree["candidates"])]
    assert all(0 <= one <= 1 for one in sure)
    weaker = [item["confidence"] for item in tree["candidates"]]
    assert weaker == sorted(weaker, reverse=True)


@pytest.mark.parametrize("name", INCIDENTS)
def test_every_claim_points_at_a_line_that_says_so(name):
    tree = as_tree(demo(name), "en")
    claims = [item for finding in tree["findings"] for item in finding["evidence"]] + tree["set_aside"]
    for item in claims:
        lines = (DEMOS / name / "evidence" / item["artifact"]).read_text("utf-8").splitlines()
        assert item["text"].strip() in lines[item["line"] - 1]
    for finding in tree["findings"]:
        assert finding["chain"][0] == finding["cause"]


def test_the_languages_differ_in_words_alone():
    answer = made_up()
    english, chinese = as_tree(answer, "en"), as_tree(answer, "zh")
    assert english["findings"][0]["title"] == "title of fault"
    assert chinese["findings"][0]["title"] == "〔title of fault〕"
    assert [part["id"] for part in english["components"]] == [part["id"] for part in chinese["components"]]
    for key in ("verdict", "candidates", "contrast", "sources", "nodes"):
        assert english[key] == chinese[key]
    assert [item["run"] for item in english["next"]] == [item["run"] for item in chinese["next"]]


def test_it_is_one_document_that_says_the_same_each_time():
    text = to_json(made_up(), "en")
    _, end = json.JSONDecoder().raw_decode(text)
    assert text[end:].strip() == ""
    assert text == to_json(made_up(), "en")


def test_chinese_and_quotes_survive():
    tree = json.loads(to_json(made_up('节点 "a" \\ \x7f'), "zh"))
    assert '节点 "a" \\' in tree["findings"][0]["evidence"][0]["text"]


def test_a_file_whose_name_is_not_utf8():
    name = b"kubelet-\xff.log".decode("utf-8", "surrogateescape")
    assert json.loads(to_json(made_up(file=name), "en"))["verdict"] == "fault"


def test_the_fields_stand_in_the_order_of_the_contract():
    tree = as_tree(made_up(), "en")
    assert [key for key in tree if key in CONTRACT] == list(CONTRACT)
    assert [key for key in tree["findings"][0] if key in FINDING] == list(FINDING)


def test_a_command_that_would_help_is_there_only_where_one_is_known():
    answer = made_up()
    answer.unreadable = [
        Unreadable("a", make_verbatim("is empty")),
        Unreadable("b", make_verbatim("is empty"), Command("fetch b")),
    ]
    missing = as_tree(answer, "en")["not_seen"]
    assert [item.get("help") for item in missing if item["what"] in ("a", "b")] == [None, "fetch b"]


def test_nodes_by_their_state():
    tree = as_tree(demo("killed-while-healthy"), "en")["nodes"]
    assert tree["sick"]
    assert tree["healthy"]
    assert not set(tree["sick"]) & set(tree["healthy"])
