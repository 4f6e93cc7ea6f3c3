"""Cases from disk, run and summed up."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evaluation import (
    BUCKETS,
    LABEL,
    CaseError,
    Score,
    evaluate,
    load_case,
    load_cases,
    score,
    summarize_scores,
)
from calivet.evidence.gather import gather
from calivet.pipeline import diagnose
from calivet.reports.evaluation import write_evaluation
from tests.engines.works import Inline
from tests.reasoning.made_up import catalogue, cause, question, sign, watch_of

KNOWN = catalogue(
    cause("fault", sign("gone", "proof", pattern="frobnicator is gone"), ask=["look"]),
    cause("other", sign("faint", "fair", pattern="faint light"), ask=["look"]),
    question("look"),
)
WATCH = watch_of(KNOWN)


def judge(folder):
    case = load_case(Path(folder) / LABEL)
    if case.name == "c9":
        raise RuntimeError("a trap")
    return msgspec.json.encode(score(case, diagnose(gather([str(case.folder / "evidence")]), KNOWN, WATCH)))


class Backwards(Inline):
    """Whatever was handed out last is ready first."""

    def run(self, work, paths):
        yield from reversed(list(super().run(work, paths)))


PODS = (
    "$ kubectl get pods -n kube-system\n"
    "NAME                READY   STATUS    RESTARTS   AGE\n"
    "calico-node-7tq4n   1/1     Running   0          9d\n"
)


def case(root, name, evidence, expect):
    folder = root / name / "evidence"
    folder.mkdir(parents=True)
    (folder / "session.txt").write_text(evidence)
    (root / name / "expect.yaml").write_text(expect)


@pytest.fixture
def corpus(tmp_path):
    case(tmp_path, "c1", "kernel: frobnicator is gone\n", "cause: fault\nsource: own\nlang: en\n")
    case(tmp_path, "c2", PODS, "cause: healthy\n")
    case(tmp_path, "c3", "kernel: a faint light\n", "cause: other\nsufficient: false\n")
    case(tmp_path, "c4", "kernel: frobnicator is gone\n", "cause: other\nherrings: [fault]\n")
    return tmp_path


class TestLoading:
    def test_by_name_with_unknown_keys_allowed(self, corpus):
        cases = load_cases(corpus)
        assert [one.name for one in cases] == ["c1", "c2", "c3", "c4"]
        assert (cases[0].expect.cause, cases[0].expect.sufficient, cases[2].expect.sufficient) == ("fault", True, False)

    def test_a_folder_without_cases(self, tmp_path):
        with pytest.raises(CaseError, match="no cases found"):
            load_cases(tmp_path)
        with pytest.raises(CaseError, match="no such directory"):
            load_cases(tmp_path / "absent")

    @pytest.mark.parametrize(
        "label", ["cause: [a]\n", "", "cause: a\nall: b\n", "cause: 'x\n", "- a\n", "sufficient: true\n"]
    )
    def test_a_label_that_is_wrong_is_named(self, tmp_path, label):
        case(tmp_path, "c1", "x\n", label)
        with pytest.raises(CaseError, match=r"c1/expect\.yaml"):
            load_cases(tmp_path)


class TestRunning:
    def test_each_case_is_scored_and_told_of(self, corpus):
        told: list[str] = []
        scores = evaluate(load_cases(corpus), Inline(), judge, told.append)
        assert told == ["c1", "c2", "c3", "c4"]
        assert [(one.first, one.right) for one in scores] == [
            ("fault", True),
            ("healthy", True),
            ("other", True),
            ("fault", False),
        ]

    def test_a_case_without_evidence_is_survived(self, tmp_path):
        (tmp_path / "c1").mkdir()
        (tmp_path / "c1" / "expect.yaml").write_text("cause: fault\n")
        (only,) = evaluate(load_cases(tmp_path), Inline(), judge, lambda _: None)
        assert (only.right, only.first) == (False, "insufficient")

    def test_the_sum(self, corpus):
        summary = summarize_scores(evaluate(load_cases(corpus), Inline(), judge, lambda _: None))
        assert (summary.cases, summary.first, summary.in_three) == (4, 3, 3)
        assert (summary.herrings, summary.false_alarms, summary.abstained) == (1, 0, 1)
        assert (summary.useful_next, summary.insufficient_cases, summary.nodes_right) == (1, 1, 4)
        assert (summary.healthy_cases, summary.called_healthy, summary.left_open) == (1, 1, 0)

    def test_cases_without_a_cause_are_summed_by_what_they_forbid(self, tmp_path):
        case(tmp_path, "c1", "kernel: frobnicator is gone\n", "cause: none\n")
        case(tmp_path, "c2", PODS, "cause: none\n")
        case(tmp_path, "c3", PODS, "cause: unknown\n")
        case(tmp_path, "c4", "kernel: frobnicator is gone\n", "cause: unknown\n")
        case(tmp_path, "c5", "kernel: a faint light\n", "cause: healthy\n")
        scores = evaluate(load_cases(tmp_path), Inline(), judge, lambda _: None)
        summary = summarize_scores(scores)
        assert [one.right for one in scores] == [False, True, False, True, True]
        assert (summary.false_alarms, summary.no_finding_cases) == (1, 3)
        assert (summary.false_healthy, summary.sick_cases) == (1, 2)
        assert (summary.called_healthy, summary.left_open, summary.healthy_cases) == (0, 1, 1)
        assert sum(bucket.answers for bucket in summary.reliability) == 1, "nobody knows whether c4 is right"
        text = write_evaluation(scores, summary, "en")
        assert "c1  expected none, said fault 0.9" in text
        assert "(false alarm)" in text
        assert "c3  expected unknown, said healthy  (false healthy)" in text
        assert "false alarms     1/3 (33.3%)" in text
        assert "false healthy    1/2 (50.0%)" in text
        assert "called healthy   0/1 (0.0%); left open 1" in text

    def test_the_report_names_misses_and_figures(self, corpus):
        scores = evaluate(load_cases(corpus), Inline(), judge, lambda _: None)
        text = write_evaluation(scores, summarize_scores(scores), "en")
        assert "c4  expected other, said fault" in text
        assert "(herring)" in text
        assert "c1 " not in text
        assert "right first      3/4 (75.0%)" in text
        assert "herring first    1" in text

    def test_the_order_is_that_of_the_cases_whichever_was_ready_first(self, corpus):
        cases = load_cases(corpus)
        assert evaluate(cases, Backwards(), judge, lambda _: None) == evaluate(cases, Inline(), judge, lambda _: None)

    def test_a_case_that_calivet_fails_on_costs_only_itself_and_is_listed(self, corpus):
        case(corpus, "c9", "kernel: frobnicator is gone\n", "cause: fault\n")
        scores = evaluate(load_cases(corpus), Inline(), judge, lambda _: None)
        assert (scores[-1].right, str(scores[-1].failed)) == (False, "RuntimeError: a trap")
        assert summarize_scores(scores).cases == 5
        text = write_evaluation(scores, summarize_scores(scores), "en")
        assert "c9  expected fault, said -  (calivet failed: RuntimeError: a trap)" in text
        assert "right first      3/5" in text

    def test_no_cases_no_division_by_zero(self):
        assert "0/0" in write_evaluation([], summarize_scores([]), "en")


def one(sure, right):
    return Score("c", "a", True, "a", sure, right, right, False, False, sure is None, True, [], True)


class TestReliability:
    @given(st.lists(st.tuples(st.one_of(st.none(), st.floats(0.6, 1.0)), st.booleans()), max_size=40))
    def test_the_buckets_hold_every_answer_once(self, answers):
        buckets = summarize_scores([one(sure, right) for sure, right in answers]).reliability
        given_answers = [(sure, right) for sure, right in answers if sure is not None]
        assert sum(bucket.answers for bucket in buckets) == len(given_answers)
        assert sum(bucket.right for bucket in buckets) == sum(right for _, right in given_answers)
        assert all(bucket.right <= bucket.answers for bucket in buckets)

    @pytest.mark.parametrize(("sure", "number"), [(0.6, 0), (0.69, 0), (0.7, 1), (0.95, 4), (1.0, 4)])
    def test_the_boundaries(self, sure, number):
        buckets = summarize_scores([one(sure, True)]).reliability
        assert [bucket.answers for bucket in buckets] == [int(index == number) for index in range(len(BUCKETS) - 1)]

    def test_the_buckets_touch(self):
        buckets = summarize_scores([]).reliability
        assert [bucket.high for bucket in buckets[:-1]] == [bucket.low for bucket in buckets[1:]]
        assert buckets[-1].high == 1.0
