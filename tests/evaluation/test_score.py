"""How a diagnosis compares with its label."""

from __future__ import annotations

from pathlib import Path

import pytest

from calivet.evaluation import Case, Expect, score
from calivet.messages.command_line import Command
from calivet.reasoning.diagnosis import Candidate, Diagnosis, Finding, Next
from tests.reasoning.made_up import cause, words


def finding(name, sure=0.9, nodes=()):
    return Finding(cause(name), sure, list(nodes), words(""), [], [], [name], [], [])


def answer(*findings, candidates=(), verdict=None, asks=False):
    said = verdict or ("fault" if findings else "insufficient")
    found = [finding(one) if isinstance(one, str) else one for one in findings]
    weaker = [Candidate(cause(name), 0.3, []) for name in candidates]
    following = [Next(Command("look"), words("why"), [])] if asks else []
    return Diagnosis(said, [], found, weaker, [], following, [], [], [], [])


def scored(diagnosis, **label):
    return score(Case("case", Path("case"), Expect(**label)), diagnosis)


class TestSufficient:
    def test_right_first(self):
        got = scored(answer("a", "b"), cause="a")
        assert (got.right, got.in_three, got.first, got.confidence) == (True, True, "a", 0.9)

    def test_another_fair_answer(self):
        assert scored(answer("b"), cause="a", also=["b"]).right

    def test_right_second_is_not_right_but_in_the_first_three(self):
        got = scored(answer("b", "a"), cause="a")
        assert (got.right, got.in_three) == (False, True)

    def test_a_candidate_may_be_right_though_nothing_is_asserted(self):
        got = scored(answer(candidates=["a"]), cause="a")
        assert (got.right, got.abstained, got.confidence) == (True, True, None)

    def test_fourth_is_too_late(self):
        assert not scored(answer("b", candidates=["c", "d", "a"]), cause="a").in_three
        assert scored(answer("b", candidates=["c", "a"]), cause="a").in_three

    def test_nothing_named(self):
        got = scored(answer(), cause="a")
        assert (got.right, got.in_three, got.first, got.abstained) == (False, False, "insufficient", True)

    def test_called_healthy(self):
        got = scored(answer(verdict="healthy"), cause="a")
        assert (got.right, got.first, got.false_healthy) == (False, "healthy", True)

    def test_a_candidate_does_not_make_up_for_calling_it_healthy(self):
        got = scored(answer(verdict="healthy", candidates=["a"]), cause="a")
        assert (got.right, got.in_three, got.false_healthy) == (False, True, True)


class TestHealthy:
    def test_healthy(self):
        got = scored(answer(verdict="healthy", candidates=["a"]), cause="healthy")
        assert (got.right, got.in_three, got.first, got.false_alarm, got.abstained) == (
            True,
            True,
            "healthy",
            False,
            False,
        )

    def test_a_false_alarm(self):
        got = scored(answer("a"), cause="healthy")
        assert (got.right, got.false_alarm, got.first) == (False, True, "a")

    def test_left_open_is_no_false_alarm_and_not_called_healthy(self):
        got = scored(answer(candidates=["a"]), cause="healthy")
        assert (got.right, got.false_alarm, got.called_healthy, got.first) == (True, False, False, "insufficient")


class TestNone:
    @pytest.mark.parametrize("verdict", ["healthy", "insufficient"])
    def test_nothing_asserted_is_right_whatever_the_verdict(self, verdict):
        got = scored(answer(verdict=verdict, candidates=["a"]), cause="none")
        assert (got.right, got.false_alarm, got.false_healthy, got.abstained) == (True, False, False, False)

    def test_any_finding_is_a_false_alarm(self):
        got = scored(answer("a"), cause="none")
        assert (got.right, got.in_three, got.false_alarm, got.first) == (False, False, True, "a")


class TestUnknown:
    @pytest.mark.parametrize("findings", [(), ("a",)])
    def test_anything_but_healthy_is_right(self, findings):
        got = scored(answer(*findings), cause="unknown")
        assert (got.right, got.false_alarm, got.false_healthy) == (True, False, False)

    def test_healthy_is_wrong(self):
        got = scored(answer(verdict="healthy"), cause="unknown")
        assert (got.right, got.false_alarm, got.false_healthy) == (False, False, True)


class TestInsufficient:
    def test_among_the_first_three_with_a_next_step(self):
        assert scored(answer(candidates=["b", "c", "a"], asks=True), cause="a", sufficient=False).right

    def test_not_among_them(self):
        assert not scored(answer(candidates=["b", "c", "d", "a"], asks=True), cause="a", sufficient=False).right

    def test_without_a_next_step(self):
        assert not scored(answer(candidates=["a"]), cause="a", sufficient=False).right

    def test_a_finding_does_not_stand_in_for_the_next_step(self):
        assert not scored(answer("a"), cause="a", sufficient=False).right


class TestMore:
    @pytest.mark.parametrize(
        ("findings", "missing"), [(("a", "b"), []), (("b", "a"), []), (("a",), ["b"]), ((), ["a", "b"])]
    )
    def test_all_must_be_found(self, findings, missing):
        got = scored(answer(*findings), cause="a", also=["b"], all=["a", "b"])
        assert got.missing == missing
        assert got.right is not bool(missing)

    def test_a_candidate_does_not_count_as_found(self):
        assert scored(answer("a", candidates=["b"]), cause="a", all=["a", "b"]).missing == ["b"]

    def test_a_herring_counts_only_when_ranked_first(self):
        assert scored(answer("h", "a"), cause="a", herrings=["h"]).herring
        assert scored(answer(candidates=["h"]), cause="a", herrings=["h"]).herring
        assert not scored(answer("a", "h"), cause="a", herrings=["h"]).herring
        assert not scored(answer(), cause="a", herrings=["h"]).herring

    @pytest.mark.parametrize(
        ("named", "wanted", "right"),
        [
            (["n1"], ["n1"], True),
            (["n1", "n2"], ["n2"], True),
            (["n2"], ["n1"], False),
            ([], ["n1"], False),
            (["n2"], [], True),
        ],
    )
    def test_nodes(self, named, wanted, right):
        assert scored(answer(finding("a", nodes=named)), cause="a", nodes=wanted).nodes_right is right

    def test_who_abstains_names_no_wrong_node(self):
        assert scored(answer(), cause="a", nodes=["n1"]).nodes_right
