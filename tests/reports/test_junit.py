"""A test report as CI servers read it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped
from msgspec import structs

from calivet.reports.diagnosis.junit import to_junit
from tests.reports.answers import INCIDENTS, LANGUAGES, demo, made_up, nothing, undecided

# What Jenkins' own schema allows: the attributes of each element (those it must have are marked), and its children.
SHAPE = {
    "testsuites": ({"name": False, "tests": False, "failures": False, "errors": False}, {"testsuite"}),
    "testsuite": (
        {"name": True, "tests": True, "failures": True, "errors": True, "skipped": False, "time": False},
        {"properties", "testcase"},
    ),
    "properties": ({}, {"property"}),
    "property": ({"name": True, "value": True}, set()),
    "testcase": ({"name": True, "classname": False, "time": False}, {"failure", "error", "skipped"}),
    **dict.fromkeys(("failure", "error", "skipped"), ({"type": False, "message": False}, set())),
}
BASE = made_up()
ANSWERS = {"made up": made_up, "undecided": undecided, "nothing": nothing}


def breaches(element):
    attributes, children = SHAPE[element.tag]
    yield from (f"{element.tag} has {name}" for name in element.attrib if name not in attributes)
    yield from (
        f"{element.tag} lacks {name}" for name, must in attributes.items() if must and name not in element.attrib
    )
    for child in element:
        if child.tag in children:
            yield from breaches(child)
        else:
            yield f"{element.tag} holds {child.tag}"


def suite(text):
    assert list(breaches(ElementTree.fromstring(text))) == []
    (only,) = JUnitXml.fromstring(text.encode())
    return only


def outcomes(text):
    """The name of each case, and how it ended."""
    return {f"{case.classname}.{case.name}": [type(result) for result in case.result] for case in suite(text)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("answer", [*ANSWERS, *INCIDENTS])
def test_the_parser_takes_it_and_the_counts_are_right(answer, language):
    only = suite(to_junit(ANSWERS[answer]() if answer in ANSWERS else demo(answer), language))
    written = (only.tests, only.failures, only.errors, only.skipped)
    only.update_statistics()
    assert (only.tests, only.failures, only.errors, only.skipped) == written


def test_a_case_for_each_part_and_each_cause():
    answer = demo("killed-while-healthy")
    ended = outcomes(to_junit(answer, "en"))
    assert ended["calivet.components.nodes"] == []
    assert ended["calivet.components.calico-node"] == [Failure]
    assert ended["calivet.components.BGP"] == [Skipped]
    assert ended["calivet.causes.cgroup-driver-mismatch"] == [Failure]
    assert ended["calivet.candidates.service-vip-unreachable"] == [Skipped]
    assert ended["calivet.evidence.sufficient"] == []


def test_the_names_are_the_same_in_both_languages():
    assert outcomes(to_junit(made_up(), "en")) == outcomes(to_junit(made_up(), "zh"))


def test_a_failure_tells_proof_and_fix():
    case = next(case for case in suite(to_junit(made_up(), "en")) if case.classname == "calivet.causes")
    (failure,) = case.result
    for part in (
        "[proof] main is gone",
        "session.txt:2",
        "frobnicator <main> is gone",
        "frob --restart",
        "undo: frob --stop",
    ):
        assert part in failure.text
    assert failure.type == "fault"


def test_not_to_know_is_an_error_that_says_what_to_ask():
    case = next(case for case in suite(to_junit(undecided(), "en")) if case.classname == "calivet.evidence")
    (error,) = case.result
    assert isinstance(error, Error)
    assert "frob --look" in error.text


def test_a_healthy_cluster_fails_nowhere():
    assert not {Failure, Error} & {
        kind for kinds in outcomes(to_junit(demo("healthy-but-noisy"), "en")).values() for kind in kinds
    }


@pytest.mark.parametrize(
    "value",
    [
        "]]>",
        "<!--",
        "&bogus;",
        "</failure>",
        "\x00\x07\x0b\x1b[31m",
        "\ufffe\uffff",
        "\u202egnp",
        "\"'",
        "x" * 100_000,
    ],
)
def test_hostile_evidence(value):
    plain = outcomes(to_junit(made_up(), "en"))
    assert outcomes(to_junit(made_up(value), "en")) == plain


@given(value=st.text(st.characters(codec="utf-8")))
def test_any_words_make_well_formed_xml(value):
    named = structs.replace(BASE.findings[0], nodes=[value], fix=[])
    suite(to_junit(structs.replace(BASE, findings=[named]), "en"))
