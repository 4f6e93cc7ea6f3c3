"""Runs labelled cases and sums them up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import pairwise

import msgspec
from msgspec import Struct

from calivet.engines.engine import Engine, Failure, Work, outcomes
from calivet.evaluation.case import Case
from calivet.evaluation.score import Score, unjudged

BUCKETS = (0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


class Bucket(Struct, frozen=True):
    """Answers given with a confidence in this range, and how many of them were right."""

    low: float
    high: float
    answers: int
    right: int


class Summary(Struct, frozen=True):
    """Figures over all cases."""

    cases: int
    first: int
    in_three: int
    herrings: int
    abstained: int
    false_alarms: int
    useful_next: int
    insufficient_cases: int
    nodes_right: int
    reliability: list[Bucket]


def evaluate(cases: Sequence[Case], engine: Engine, work: Work, progress: Callable[[str], None]) -> list[Score]:
    """The score of every case, in the order of the cases, whichever was ready first."""
    by_folder = {str(case.folder): case for case in cases}
    scores: dict[str, Score] = {}
    with closing(outcomes(engine, work, by_folder)) as found:
        for folder, outcome in found:
            case = by_folder[folder]
            scores[folder] = unjudged(case, outcome.why) if isinstance(outcome, Failure) else _decoded(outcome)
            progress(case.name)
    return [scores[folder] for folder in by_folder]


def _decoded(outcome: bytes) -> Score:
    return msgspec.json.decode(outcome, type=Score)


def summarise(scores: list[Score]) -> Summary:
    """The figures that a release is judged by."""
    open_cases = [one for one in scores if not one.sufficient]
    return Summary(
        cases=len(scores),
        first=sum(one.right for one in scores),
        in_three=sum(one.in_three for one in scores),
        herrings=sum(one.herring for one in scores),
        abstained=sum(one.abstained for one in scores),
        false_alarms=sum(one.false_alarm for one in scores),
        useful_next=sum(one.useful_next for one in open_cases),
        insufficient_cases=len(open_cases),
        nodes_right=sum(one.nodes_right for one in scores),
        reliability=_reliability(scores),
    )


def _reliability(scores: list[Score]) -> list[Bucket]:
    buckets = []
    for low, high in pairwise(BUCKETS):
        inside = [one for one in scores if one.confidence is not None and low <= one.confidence < high]
        buckets.append(Bucket(low, min(high, 1.0), len(inside), sum(one.right for one in inside)))
    return buckets
