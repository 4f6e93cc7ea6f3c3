"""The evaluation's figures as text."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evaluation.run import Summary
from calivet.evaluation.score import Score


def trial_report(scores: list[Score], summary: Summary) -> str:
    """A row for each miss, the reliability table, and the figures at the end."""
    return "\n".join([*_misses(scores), *_reliability(summary), *_figures(summary)]) + "\n"


def _misses(scores: list[Score]) -> Iterator[str]:
    missed = [one for one in scores if not one.right or one.herring or one.false_alarm]
    if not missed:
        return
    width = max(len(one.case) for one in missed)
    yield "misses"
    for one in missed:
        notes = [word for word, holds in (("herring", one.herring), ("false alarm", one.false_alarm)) if holds]
        notes += ["in first three"] if one.in_three and not one.right else []
        notes += [f"missing {', '.join(one.missing)}"] if one.missing else []
        sure = f" {one.confidence:.2f}" if one.confidence is not None else ""
        extra = f"  ({'; '.join(notes)})" if notes else ""
        yield f"  {one.case:{width}}  expected {one.expected}, said {one.first}{sure}{extra}"
    yield ""


def _reliability(summary: Summary) -> Iterator[str]:
    yield "reliability: of the answers given with this confidence, so many were right"
    for bucket in summary.reliability:
        share = f"{bucket.right / bucket.answers:5.0%}" if bucket.answers else "    -"
        yield f"  {bucket.low:.2f} to {bucket.high:.2f}  {bucket.answers:4d} answers  {share} right"
    yield ""


def _figures(summary: Summary) -> Iterator[str]:
    def share(count: int, of: int) -> str:
        return f"{count}/{of}" + (f" ({count / of:.1%})" if of else "")

    yield f"right first      {share(summary.first, summary.cases)}"
    yield f"in first three   {share(summary.in_three, summary.cases)}"
    yield f"herring first    {summary.herrings}"
    yield f"false alarms     {summary.false_alarms}"
    helped = share(summary.useful_next, summary.insufficient_cases)
    yield f"abstained        {summary.abstained}; open cases with a next step {helped}"
    yield f"node named       {share(summary.nodes_right, summary.cases)}"
