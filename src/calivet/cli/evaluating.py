"""eval: how well calivet does on labelled cases."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from calivet.cli.exits import CalivetError
from calivet.cli.progress import Progress, Silence
from calivet.cli.scaling import chosen_engine, travelling_causes
from calivet.evaluation.case import Case, CaseError, load_cases
from calivet.evaluation.run import evaluate, summarise
from calivet.evaluation.score import Score
from calivet.evaluation.work import Judging


def run_eval(options: argparse.Namespace) -> int:
    """`calivet eval DIR`."""
    try:
        cases = load_cases(Path(options.directory))
    except CaseError as error:
        raise CalivetError(str(error)) from None
    scores = _scores(cases, options)
    summary = summarise(scores)
    if options.output == "json":
        tree = {"summary": summary, "cases": scores}
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(tree), indent=2) + b"\n")
        return 0
    from calivet.reports.trial import trial_report

    sys.stdout.write(trial_report(scores, summary, options.lang))
    return 0


def _scores(cases: list[Case], options: argparse.Namespace) -> list[Score]:
    """With a bar on a terminal; silence elsewhere."""
    work = Judging(travelling_causes(options))
    progress = Progress(options.lang) if sys.stderr.isatty() else Silence()
    progress.phase("cases", len(cases))
    try:
        with chosen_engine(options) as engine:
            return evaluate(cases, engine, work, progress.step)
    finally:
        progress.finish()
