"""Whether it helped: a new diagnosis beside the old one."""

from __future__ import annotations

from enum import StrEnum

from calivet.comparison import compare
from calivet.contract.documents import build_document
from calivet.reasoning.diagnosis import Diagnosis


class Outcome(StrEnum):
    """What became of the cause."""

    FIXED = "fixed"
    BETTER = "better"
    UNCHANGED = "unchanged"
    WORSE = "worse"


def judge(cause: str, before: Diagnosis, after: Diagnosis) -> Outcome:
    """By what `calivet diff` tells of the two; what got worse counts more than what got better."""
    compared = compare(build_document(before, "en"), build_document(after, "en"))
    remaining = next((one for one in compared.remaining if one.cause == cause), None)
    was_over = any(finding.later_healthy for finding in before.findings if finding.cause.id == cause)
    is_gone = remaining is None or (remaining.later_healthy and not was_over)
    fell_ill = set(after.sick_nodes) - set(before.sick_nodes)
    if fell_ill or (compared.new and not is_gone):
        return Outcome.WORSE
    if is_gone:
        return Outcome.FIXED
    return Outcome.BETTER if remaining and remaining.left else Outcome.UNCHANGED
