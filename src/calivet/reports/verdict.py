"""The sentence behind the verdict: how many causes, or why there is none."""

from __future__ import annotations

from calivet.reasoning.diagnosis import HEALTHY, Diagnosis
from calivet.reports.labels import label


def verdict_sentence(diagnosis: Diagnosis, language: str) -> str:
    """The same in every report."""
    count = len(diagnosis.findings)
    if count:
        return label("fault.one", language) if count == 1 else label("fault.many", language, count=count)
    if diagnosis.verdict == HEALTHY:
        return label("healthy.line", language)
    return label("insufficient.some" if diagnosis.candidates else "insufficient.none", language)
