"""The answers to every case of the corpus, computed once for all tests that look at them.

Those tests share a group (`GROUP`), and so a worker: whoever comes first pays.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from msgspec.structs import replace

from calivet.engines.engine import load_knowledge
from calivet.evaluation import LABEL
from calivet.evidence.gather import gather
from calivet.fix.plan import build_plans
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.redaction.redactor import Redactor

CORPUS = Path(__file__).parents[1] / "corpus"
GROUP = "corpus-answers"
WORKERS = 2


def diagnose_case(case: str) -> Diagnosis:
    """The answer to one case; a plan is made here, as what it is made from does not travel between processes."""
    catalogue, watch = load_knowledge(())
    evidence = gather([str(CORPUS / case / "evidence")], matcher=watch.output, redactor=Redactor())
    found = diagnose(evidence, catalogue, watch)
    for plan, finding in zip(build_plans(found), found.findings, strict=True):
        assert len(plan.steps) == len(finding.fix), f"{case}: not every step of {finding.cause.id} is in its plan"
    return replace(found, findings=[replace(finding, advice=None) for finding in found.findings])


@cache
def diagnose_corpus() -> dict[str, Diagnosis]:
    """All of them by the names of the cases."""
    cases = sorted(path.parent.name for path in CORPUS.glob(f"*/{LABEL}"))
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as workers:
        return dict(zip(cases, workers.map(diagnose_case, cases, chunksize=20), strict=True))
