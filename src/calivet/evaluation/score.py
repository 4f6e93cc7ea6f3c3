"""How a diagnosis compares with its label."""

from __future__ import annotations

from msgspec import Struct

from calivet.evaluation.case import Case
from calivet.reasoning.diagnosis import FAULT, HEALTHY, Diagnosis


class Score(Struct, frozen=True):
    """One case, judged."""

    case: str
    expected: str
    sufficient: bool
    first: str
    """What calivet put first: a cause, or its verdict where it named none."""
    confidence: float | None
    """Of the first finding; None where nothing was asserted."""
    right: bool
    """The first answer is a fair one; for a case that only narrows down, the cause is among the first three."""
    in_three: bool
    herring: bool
    false_alarm: bool
    abstained: bool
    useful_next: bool
    missing: list[str]
    """Causes that had to be among the findings and are not."""
    nodes_right: bool
    failed: str = ""
    """Why there is no answer at all, where calivet failed on the case."""


def score(case: Case, diagnosis: Diagnosis) -> Score:
    """Compare."""
    expect = case.expect
    asserted = [finding.cause.id for finding in diagnosis.findings]
    ranked = asserted + [candidate.cause.id for candidate in diagnosis.candidates]
    healthy = expect.cause == HEALTHY
    in_three = diagnosis.verdict == HEALTHY if healthy else bool(expect.accepted & set(ranked[:3]))
    missing = [cause for cause in expect.all if cause not in asserted]
    named = {node for finding in diagnosis.findings for node in finding.nodes}
    return Score(
        case=case.name,
        expected=expect.cause,
        sufficient=expect.sufficient,
        first=ranked[0] if ranked and not (healthy and diagnosis.verdict == HEALTHY) else diagnosis.verdict,
        confidence=diagnosis.findings[0].confidence if diagnosis.findings else None,
        right=_right(case, diagnosis, ranked, in_three) and not missing,
        in_three=in_three,
        herring=bool(ranked) and ranked[0] in expect.herrings,
        false_alarm=healthy and diagnosis.verdict == FAULT,
        abstained=not diagnosis.findings and not healthy,
        useful_next=bool(diagnosis.next),
        missing=missing,
        nodes_right=healthy or not expect.nodes or not diagnosis.findings or bool(named & set(expect.nodes)),
    )


def unjudged(case: Case, why: str) -> Score:
    """A case that calivet failed on: an answer that is missing is not a right one."""
    return Score(
        case=case.name,
        expected=case.expect.cause,
        sufficient=case.expect.sufficient,
        first="-",
        confidence=None,
        right=False,
        in_three=False,
        herring=False,
        false_alarm=False,
        abstained=False,
        useful_next=False,
        missing=[],
        nodes_right=False,
        failed=why,
    )


def _right(case: Case, diagnosis: Diagnosis, ranked: list[str], in_three: bool) -> bool:
    if case.expect.cause == HEALTHY:
        return diagnosis.verdict == HEALTHY
    if not case.expect.sufficient:
        return in_three and bool(diagnosis.next)
    return bool(ranked) and ranked[0] in case.expect.accepted
