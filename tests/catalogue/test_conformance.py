"""Walks every file of the catalogue: what it promises about itself must hold."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from calivet.catalogue.load import SHIPPED
from calivet.catalogue.model import Strength
from calivet.messages.words import list_places
from calivet.reasoning.graph import Graph
from calivet.search.scanner import Scanner
from calivet.signs.computed import collect_computed_signs
from calivet.signs.sighting import list_observations
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
OBSERVATIONS = [item for item in list_observations(CATALOGUE) if item.what.pattern]
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def scanner() -> Scanner:
    return Scanner.build([str(item.what.pattern) for item in OBSERVATIONS])


@pytest.mark.parametrize("owner", dict.fromkeys(item.key.owner for item in OBSERVATIONS))
def test_patterns_fire_and_stay_silent(owner, scanner):
    for number, item in enumerate(OBSERVATIONS):
        if item.key.owner == owner:
            check_pattern(number, scanner)


def check_pattern(number: int, scanner: Scanner) -> None:
    """Both engines find it where they should, and nowhere else."""
    what, part = OBSERVATIONS[number].what, f"sign {OBSERVATIONS[number].key.part}"
    assert len(what.fires) >= 2, f"{part}: two firing lines, from different versions where they differ"
    assert len(what.silent) >= 2, f"{part}: two silent lines"
    expression = re.compile(str(what.pattern), re.IGNORECASE)
    for line in what.fires:
        assert number in {hit.pattern for hit in scanner.scan([line])}, f"{part} is silent on: {line}"
        assert expression.search(line), f"the two engines disagree on {part}: {line}"
    for line in what.silent:
        assert not expression.search(line), f"{part} fires on: {line}"


@pytest.mark.parametrize("cause", CATALOGUE.causes.values(), ids=lambda cause: cause.id)
class TestCause:
    def test_lies_in_the_folder_of_its_layer(self, cause):
        assert [path.parent.name for path in SHIPPED.rglob(f"{cause.id}.yaml")] == [cause.layer]

    def test_speaks_both_languages(self, cause):
        texts = [cause.title, cause.summary, cause.explain]
        texts += [sign.says for sign in chain(cause.signs, cause.against)]
        texts += [other.tell for other in cause.mistaken_for]
        texts += [step.why for step in cause.fix]
        for words in texts:
            assert words.en.strip()
            assert words.zh.strip()
            assert not CHINESE.search(words.en), words.en
            assert list_places(words.en) == list_places(words.zh), words.en
        for words in (cause.title, cause.explain):
            assert CHINESE.search(words.zh), words.zh

    def test_says_what_to_do(self, cause):
        assert cause.fix, "a finding without a fix helps nobody"
        assert cause.verify
        assert cause.ask
        assert cause.mistaken_for
        assert cause.leads_to
        for step in cause.fix:
            assert step.risk != "dangerous" or step.undo, f"a dangerous step says how to undo it: {step.run}"
            if step.installer == "operator":
                assert "set env daemonset" not in step.run

    def test_can_be_established(self, cause):
        strengths = [sign.strength for sign in cause.signs]
        assert Strength.PROOF in strengths or strengths.count(Strength.STRONG) >= 1

    def test_captured_values_are_used_only_where_captured(self, cause):
        for sign in chain(cause.signs, cause.against):
            if sign.pattern:
                captured = set(re.compile(sign.pattern).groupindex) | {"node"}
                assert list_places(sign.says.en) <= captured, sign.id


def test_every_computed_sign_is_used():
    used = {item.what.computed for item in list_observations(CATALOGUE)}
    assert set(collect_computed_signs()) - used == set()


def test_the_graph_has_no_cycles():
    graph = Graph(CATALOGUE)
    for name in chain(CATALOGUE.causes, CATALOGUE.effects):
        assert not graph.leads(name, name), name


def test_every_question_is_asked():
    asked = {name for cause in CATALOGUE.causes.values() for name in cause.ask}
    assert set(CATALOGUE.questions) - asked == set()


def test_no_two_causes_claim_proof_by_the_same_pattern():
    owners: dict[str, str] = {}
    for cause in CATALOGUE.causes.values():
        for sign in cause.signs:
            if sign.pattern and sign.strength is Strength.PROOF:
                assert owners.setdefault(sign.pattern, cause.id) == cause.id, sign.pattern
