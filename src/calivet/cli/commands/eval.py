"""eval: how well calivet does on labelled cases, or on one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.inputs.engine import open_chosen_engine, prepare_own_causes
from calivet.cli.parsing.options import add_common_options, add_engine_options, add_output_option
from calivet.cli.terminal.output import clean_message, print_json, print_text
from calivet.cli.terminal.progress import Progress, Silence

if TYPE_CHECKING:
    from calivet.evaluation import Case, Score


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The cases, and where they are judged."""
    parser.add_argument("directory", metavar="DIR")
    add_output_option(parser, "text", "json")
    add_engine_options(parser)
    add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet eval DIR`."""
    from msgspec import json, structs

    from calivet.evaluation import CaseError, load_cases, summarize_scores

    try:
        cases = load_cases(Path(options.directory))
    except CaseError as error:
        raise CalivetError(error.message) from None
    scores = [structs.replace(score, case=clean_message(score.case)) for score in _score_cases(cases, options)]
    summary = summarize_scores(scores)
    if options.output == "json":
        tree = {"summary": summary, "cases": [_make_tree(score) for score in scores]}
        print_json(json.format(json.encode(tree), indent=2) + b"\n")
        return HEALTHY
    from calivet.reports.evaluation import write_evaluation

    print_text(write_evaluation(scores, summary, options.lang))
    return HEALTHY


def _make_tree(score: Score) -> dict[str, object]:
    """As JSON has it: the reason in words."""
    from msgspec import structs

    return structs.asdict(score) | {"failed": str(score.failed) if score.failed else ""}


def _score_cases(cases: list[Case], options: argparse.Namespace) -> list[Score]:
    """With a bar on a terminal; silence elsewhere."""
    from calivet.evaluation import Judging, evaluate

    work = Judging(prepare_own_causes(options))
    progress = Progress(options.lang) if sys.stderr.isatty() else Silence()
    progress.phase("cases", len(cases))
    try:
        with open_chosen_engine(options) as engine:
            return evaluate(cases, engine, work, progress.step)
    finally:
        progress.finish()
