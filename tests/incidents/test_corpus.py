"""Every labelled case, as it is and dressed otherwise: the project's own corpus, and the shared one where it lies beside."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from calivet.evaluation import UNKNOWN, Case, load_cases, score, summarize_scores
from tests.corpus_answers import GROUP, diagnose_corpus
from tests.incidents.conftest import texts
from tests.incidents.transform import ALL, Files
from tests.shipped import load_shipped_catalogue

pytestmark = pytest.mark.xdist_group(GROUP)
ROOT = Path(__file__).parents[2]
CORPORA = {"own": ROOT / "corpus", "shared": ROOT.parent / "shared" / "corpus"}
PRESENT = [name for name, folder in CORPORA.items() if folder.is_dir()]
# In at most so many of a hundred right answers may a change of dress cost the answer.
LOST = 0.01
# Without the author's words, what only they tell is gone.
LOST_WITHOUT_WORDS = 0.025
# With a third of the lines gone the root may be gone and its consequence left; more than this would be guessing.
WRONG_WITH_HOLES = 0.07


@cache
def cases(corpus: str) -> list[Case]:
    return load_cases(CORPORA[corpus])


@pytest.fixture(scope="module")
def scores(answer):
    """How each case is answered as it stands."""

    @cache
    def scores(corpus):
        if corpus == "own":
            return [score(case, diagnose_corpus()[case.name]) for case in cases(corpus)]
        return [score(case, answer(texts(case.folder))) for case in cases(corpus)]

    return scores


@pytest.fixture(scope="module")
def right(scores):
    """The cases that are right as they stand."""
    return lambda corpus: [case for case, found in zip(cases(corpus), scores(corpus), strict=True) if found.right]


def reordered(files: Files) -> Files:
    return dict(reversed(files.items()))


def with_holes(files: Files) -> Files:
    chance = random.Random(7)
    return {
        name: "\n".join(line for line in text.split("\n") if chance.random() > 1 / 3) for name, text in files.items()
    }


def test_the_own_corpus_has_three_cases_for_every_cause():
    counted = [case.expect.cause for case in cases("own")]
    assert {cause: counted.count(cause) for cause in load_shipped_catalogue().causes if counted.count(cause) < 3} == {}
    assert counted.count("healthy") >= 65
    assert counted.count("none") >= 60
    assert counted.count("unknown") >= 40
    assert sum(not case.expect.sufficient for case in cases("own")) >= 5


@pytest.mark.parametrize("corpus", PRESENT)
def test_how_often_the_answer_is_right(corpus, scores):
    summary = summarize_scores(scores(corpus))
    assert summary.first >= 0.95 * summary.cases
    assert summary.in_three >= 0.96 * summary.cases
    assert summary.herrings <= 0.01 * summary.cases
    assert (summary.false_alarms, summary.false_healthy) == (0, 0)
    assert summary.called_healthy >= 0.85 * summary.healthy_cases
    assert summary.useful_next == summary.insufficient_cases
    sure = [bucket for bucket in summary.reliability if bucket.low >= 0.9]
    assert sum(bucket.right for bucket in sure) >= 0.9 * sum(bucket.answers for bucket in sure)


CHANGES = [*ALL, "reordered"]
WORDLESS = ("prose removed", "prose in the other language")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("corpus", PRESENT)
def test_the_answer_survives(corpus, change, answer, right):
    """In every fourth case, so that all the changes together see each; in every second one, where more may be lost."""
    dress = ALL.get(change, reordered)
    each = 2 if change in WORDLESS else 4
    seen = right(corpus)[CHANGES.index(change) % each :: each]
    # Where nothing but the author's words says that something is wrong, nothing says it without them.
    cases = [case for case in seen if change not in WORDLESS or case.expect.cause != UNKNOWN]
    lost = [case.name for case in cases if not score(case, answer(dress(texts(case.folder)))).right]
    share = LOST_WITHOUT_WORDS if change in WORDLESS else LOST
    assert len(lost) <= max(1, share * len(seen)), lost


@pytest.mark.parametrize("corpus", PRESENT)
def test_with_a_third_of_the_lines_gone_the_answer_is_weaker_but_not_wrong(corpus, answer, right):
    seen = right(corpus)
    found = [(case, answer(with_holes(texts(case.folder))).findings) for case in seen]
    wrong = [
        case.name
        for case, findings in found
        if findings and case.expect.cause != UNKNOWN and findings[0].cause.id not in case.expect.accepted
    ]
    assert len(wrong) <= WRONG_WITH_HOLES * len(seen), wrong
