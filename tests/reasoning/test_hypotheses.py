"""Hypotheses: the causes that lead to what was seen, cut down by what the evidence rules out."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path

import pytest

from calivet.catalogue.load import load_ready_catalogue
from calivet.evidence.artifact import Evidence
from calivet.pipeline import diagnose
from calivet.reasoning.finding_values import collect_named_places
from calivet.reasoning.graph import Graph
from calivet.reasoning.hypotheses import (
    build_hypotheses,
    find_first_symptoms,
    measure_what_is_left,
    rank_hypotheses,
)
from calivet.reasoning.next_evidence import choose_next_evidence, compute_gains, measure_doubt
from calivet.reasoning.unexplained import CauseExperience, Experience, load_experience
from calivet.reasoning.weigh import WeighedCause
from calivet.signs.sighting import Key
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import artifacts_of, picture_of
from tests.reasoning.made_up import catalogue, cause, effect, question, seen_at, sign

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "generate-experience"))


@cache
def shipped():
    return prepare_detector()


def diagnose_text(text):
    return diagnose(Evidence(artifacts_of(text)), *shipped())


def known(*entries):
    made = catalogue(*entries)
    return made, Graph(made)


class TestRanking:
    def test_only_causes_that_lead_to_the_symptom(self):
        made, graph = known(
            cause("near", leads_to=["down"]), cause("elsewhere", leads_to=["lost"]), effect("down"), effect("lost")
        )
        assert [one.cause.id for one in rank_hypotheses({"down": 1}, made, graph, {}, {})] == ["near"]

    def test_the_one_that_is_met_more_often_first(self):
        made, graph = known(cause("a", leads_to=["down"]), cause("b", leads_to=["down"]), effect("down"))
        met = {"b": CauseExperience(reports=5)}
        assert [one.cause.id for one in rank_hypotheses({"down": 1}, made, graph, met, {})] == ["b", "a"]

    def test_the_one_that_shows_the_symptom_more_often_first(self):
        made, graph = known(cause("a", leads_to=["down"]), cause("b", leads_to=["down"]), effect("down"))
        met = {"a": CauseExperience(cases=9), "b": CauseExperience(cases=9, effects={"down": 9})}
        assert [one.cause.id for one in rank_hypotheses({"down": 1}, made, graph, met, {})] == ["b", "a"]

    def test_what_was_said_once_counts_less_than_what_was_said_all_the_time(self):
        made, graph = known(
            cause("a", leads_to=["down"]), cause("b", leads_to=["late"]), effect("down"), effect("late")
        )
        often = rank_hypotheses({"down": 1, "late": 9}, made, graph, {}, {})
        assert [one.cause.id for one in often] == ["b", "a"]

    def test_what_the_evidence_rules_out_is_last(self):
        made, graph = known(cause("a", leads_to=["down"]), cause("b", leads_to=["down"]), effect("down"))
        assert [one.cause.id for one in rank_hypotheses({"down": 1}, made, graph, {}, {"a": 0.1})] == ["b", "a"]

    def test_they_are_never_as_sure_as_a_finding(self):
        made, graph = known(*(cause(name, leads_to=["down"]) for name in "ab"), effect("down"))
        assert all(one.confidence < 0.6 for one in rank_hypotheses({"down": 1}, made, graph, {}, {}))

    def test_a_symptom_that_follows_from_another_one_is_not_counted_twice(self):
        graph = known(effect("down", "late"), effect("late"), effect("apart"))[1]
        assert find_first_symptoms({"down", "late", "apart"}, graph) == ["apart", "down"]


class TestWhatIsLeft:
    def test_a_sign_against_it(self):
        made = catalogue(cause("a", against=[sign("fine", "strong")], leads_to=["down"]), effect("down"))
        left = measure_what_is_left(made, picture_of(""), {}, {Key("a", "fine"): seen_at(1)})
        assert left["a"] < 0.1

    def test_its_question_was_answered_and_nothing_showed_it(self):
        asked = question("look", command="calicoctl node status")
        made = catalogue(cause("a", ask=["look"], leads_to=["down"]), asked, effect("down"))
        text = "[root@birch-2 ~]# calicoctl node status\nCalico process is running.\n"
        assert measure_what_is_left(made, picture_of(text), {}, {})["a"] < 1
        assert measure_what_is_left(made, picture_of(""), {}, {})["a"] == 1

    def test_another_platform(self):
        made = catalogue(cause("a", when={"network": ["weave"]}, leads_to=["down"]), effect("down"))
        text = "kubectl get pods -A\nNAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system calico-node-2b4c6 1/1 Running 0 1d\n"
        assert measure_what_is_left(made, picture_of(text), {}, {})["a"] == 0

    def test_no_symptom_no_hypothesis(self):
        made, graph = known(cause("a", leads_to=["down"]), effect("down"))
        assert build_hypotheses(made, graph, picture_of(""), {}, {}, {}) == []


class TestGain:
    def test_no_doubt_where_one_is_certain(self):
        assert measure_doubt([1.0, 0.0]) == 0

    def test_the_question_that_splits_in_halves_tells_more_than_one_about_the_least_likely(self):
        likely = {"a": 0.4, "b": 0.4, "c": 0.05}
        gains = compute_gains(likely, {"splits": {"a": 0.9}, "marginal": {"c": 0.9}})
        assert gains["splits"] > gains["marginal"] > 0

    def test_one_that_shows_two_tells_more_than_one_that_shows_one(self):
        likely = {"a": 0.3, "b": 0.3}
        gains = compute_gains(likely, {"both": {"a": 0.9, "b": 0.9}, "one": {"a": 0.9}})
        assert gains["both"] > gains["one"]


SILENT_PEER = """\
$ kubectl describe pod calico-node-7xk2p -n calico-system
Events:
  Type     Reason     Age                   From     Message
  ----     ------     ----                  ----     -------
  Warning  Unhealthy  83s (x1234 over 7h)   kubelet  Readiness probe failed: calico/node is not ready: BIRD is not ready: BGP not established with 10.71.6.120
"""


REFUSED = (
    "2020-02-03 04:05:06.789 [ERROR][1] client.go 261: Error getting cluster information config "
    'error=Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": '
    "dial tcp 10.96.0.1:443: i/o timeout\n"
)


class TestAnswer:
    def test_the_most_common_sentence_of_all_is_never_left_without_an_idea(self):
        answer = diagnose_text(SILENT_PEER)
        assert answer.verdict == "insufficient"
        assert answer.candidates[0].cause.id == "wrong-ip-autodetected"
        assert all(one.is_hypothesis and one.evidence for one in answer.candidates)

    def test_the_pod_that_the_evidence_names_is_named_in_the_questions(self):
        asked = [question("log", run="kubectl logs -n {namespace} {pod}")]
        made = catalogue(cause("a", ask=["log"], leads_to=["down"]), *asked, effect("down"))
        open_causes = [WeighedCause(made.causes["a"], [], 0.2, is_hypothesis=True)]
        found = choose_next_evidence(open_causes, made, picture_of(SILENT_PEER))
        assert found[0].run == "kubectl logs -n calico-system calico-node-7xk2p"

    @pytest.mark.parametrize(
        ("text", "place", "expected"),
        [
            ("we see calico-node-7xk2p restarting all the time", "pod", "calico-node-7xk2p"),
            (REFUSED, "service_address", "10.96.0.1"),
            ("the pod calico-node-abcde does not exist", "pod", None),
        ],
    )
    def test_names_are_taken_from_wherever_they_stand(self, text, place, expected):
        assert collect_named_places(picture_of(text)).get(place) == expected

    @pytest.mark.parametrize(
        ("told", "expected"),
        [
            ("Pods on different nodes cannot reach each other since yesterday.", "traffic-lost"),
            ("跨节点的 Pod 互相 ping 不通，同节点正常", "traffic-lost"),
            ("New pods are stuck in ContainerCreating.", "pods-without-ip"),
            ("calico-node keeps restarting after the upgrade", "calico-node-crash-loop"),
        ],
    )
    def test_what_the_author_tells_is_a_symptom_too(self, told, expected):
        title = load_ready_catalogue().effects[expected].title
        found = diagnose_text(f"Hello,\n\n{told}\n\nWe run Calico 3.26.\n").candidates
        assert any(item.says == title for one in found for item in one.evidence)


class TestExperience:
    def test_it_knows_causes_and_effects_of_the_catalogue_only(self):
        made, experience = load_ready_catalogue(), load_experience().causes
        assert experience.keys() <= made.causes.keys()
        assert {effect for one in experience.values() for effect in one.effects} <= made.effects.keys()

    def test_a_missing_cause_is_stale(self):
        learned = {"a": CauseExperience(cases=1), "b": CauseExperience(cases=1)}
        assert SCRIPT["is_stale"](Experience({"a": CauseExperience(cases=1)}), Experience(learned))

    def test_many_other_figures_are_stale_and_one_is_not(self):
        learned = {str(number): CauseExperience(cases=number) for number in range(40)}
        one = {**learned, "3": CauseExperience(cases=9)}
        many = {**learned, **{str(number): CauseExperience(cases=99) for number in range(9)}}
        assert not SCRIPT["is_stale"](Experience(one), Experience(learned))
        assert SCRIPT["is_stale"](Experience(many), Experience(learned))
