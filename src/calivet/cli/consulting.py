"""causes, explain and eval: what calivet knows, and how well it does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from calivet.catalogue.words import Words
from calivet.cli.exits import CalivetError
from calivet.cli.knowledge import knowledge, known_causes
from calivet.cli.program import called


def run_causes(options: argparse.Namespace) -> int:
    """`calivet causes`."""
    from calivet.reports.labels import label
    from calivet.reports.wrapping import padded

    catalogue = known_causes(options.causes)
    causes = sorted(catalogue.causes.values(), key=lambda cause: (cause.layer, cause.id))
    if options.output == "json":
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(causes), indent=2) + b"\n")
        return 0
    room = max(len(cause.id) for cause in causes)
    layer = ""
    for cause in causes:
        if cause.layer != layer:
            print(("\n" if layer else "") + label(f"layer.{cause.layer}", options.lang))
            layer = cause.layer
        print(f"  {padded(cause.id, room)}  {cause.title.read(options.lang)}")
    return 0


def run_explain(options: argparse.Namespace) -> int:
    """`calivet explain CAUSE`."""
    from calivet.reports.page import cause_page

    catalogue = known_causes(options.causes)
    cause = catalogue.causes.get(options.cause)
    if cause is None:
        unknown = Words("there is no cause named {name}", "没有名为 {name} 的原因").fill({"name": options.cause})
        raise CalivetError(unknown.read(options.lang) + _nearest(options.cause, list(catalogue.causes), options.lang))
    print(cause_page(cause, catalogue, options.lang), end="")
    return 0


def run_eval(options: argparse.Namespace) -> int:
    """`calivet eval DIR`."""
    from calivet.evaluation.case import CaseError, load_cases
    from calivet.evaluation.run import evaluate, summarise
    from calivet.reports.trial import trial_report

    try:
        cases = load_cases(Path(options.directory))
    except CaseError as error:
        raise CalivetError(str(error)) from None
    catalogue, watch = knowledge(options.causes)
    scores = evaluate(cases, catalogue, watch, Progress(len(cases)))
    summary = summarise(scores)
    if options.output == "json":
        tree = {"summary": summary, "cases": scores}
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(tree), indent=2) + b"\n")
    else:
        sys.stdout.write(trial_report(scores, summary, options.lang))
    return 0


class Progress:
    """A bar on a terminal; silence elsewhere."""

    def __init__(self, total: int) -> None:
        """Keep how many there are."""
        self._total, self._done = total, 0

    def __call__(self, name: str) -> None:
        """The next one begins."""
        self._done += 1
        if sys.stderr.isatty():
            filled = 30 * self._done // self._total
            end = "\n" if self._done == self._total else ""
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {self._done}/{self._total} {name:<24}{end}")


def _nearest(name: str, known: list[str], language: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=3)
    if not near:
        return Words(f"; '{called()} causes' lists them", f"；'{called()} causes' 可列出全部").read(language)
    return Words(f"; did you mean {' or '.join(near)}?", f"；是否指 {'、'.join(near)}？").read(language)
