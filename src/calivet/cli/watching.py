"""status: how each part of a live cluster is, once, again and again, or until it is healthy."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import datetime

from calivet.catalogue.words import Words
from calivet.cli.answering import diagnosed
from calivet.cli.cluster import collect
from calivet.cli.complaining import complain
from calivet.cli.exits import BY_VERDICT, FAILED, CalivetError
from calivet.cli.progress import Progress, Silence
from calivet.cli.terminal import layout
from calivet.evidence.gather import gather_documents
from calivet.reasoning.diagnosis import HEALTHY, Diagnosis
from calivet.reports.reasons import reason
from calivet.reports.screen import screen

AT_TOP = "\x1b[H\x1b[J"
GAVE_UP = Words("not healthy after {time} s", "{time} 秒后仍未恢复正常")


def run_status(options: argparse.Namespace) -> int:
    """`calivet status [--watch] [--wait TIME]`: the exit code says the last verdict."""
    ends = time.monotonic() + options.wait if options.wait else None
    repeats = bool(options.watch or options.wait)
    before: Diagnosis | None = None
    while True:
        found = _try_look(options, quiet=before is not None) if repeats else _look(options, quiet=False)
        if found:
            _show(found, before, options)
        if not _goes_on(found, ends, options):
            break
        before = found or before
        time.sleep(options.every if ends is None else max(0.0, min(options.every, ends - time.monotonic())))
    if ends is not None and (found is None or found.verdict != HEALTHY):
        complain(GAVE_UP.fill({"time": f"{options.wait:g}"}).read(options.lang))
    return BY_VERDICT[found.verdict] if found else FAILED


def _goes_on(found: Diagnosis | None, ends: float | None, options: argparse.Namespace) -> bool:
    if ends is not None:
        return (found is None or found.verdict != HEALTHY) and time.monotonic() < ends
    return bool(options.watch)


def _try_look(options: argparse.Namespace, *, quiet: bool) -> Diagnosis | None:
    """Who waits for a cluster to come back has no use for a command that ends because it is still away."""
    try:
        return _look(options, quiet=quiet)
    except CalivetError as failure:
        complain(reason(str(failure), options.lang))
        return None


def _look(options: argparse.Namespace, *, quiet: bool) -> Diagnosis:
    collected = collect(options, Silence() if quiet else Progress(options.lang))
    haul = gather_documents(collected.documents)
    haul.unreadable = collected.failed
    return diagnosed(haul, options)


def _show(found: Diagnosis, before: Diagnosis | None, options: argparse.Namespace) -> None:
    """On a terminal the screen is refreshed in place; elsewhere only a new state is worth a new block."""
    repeats = bool(options.watch or options.wait)
    if before is not None and not sys.stdout.isatty() and _same(found, before):
        return
    if repeats and sys.stdout.isatty():
        sys.stdout.write(AT_TOP)
    if repeats:
        print(f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S}\n")
    sys.stdout.write(screen(found, layout(options), before))
    sys.stdout.flush()


def _same(found: Diagnosis, before: Diagnosis) -> bool:
    causes = [[finding.cause.id for finding in one.findings] for one in (found, before)]
    return found.components == before.components and found.verdict == before.verdict and causes[0] == causes[1]
