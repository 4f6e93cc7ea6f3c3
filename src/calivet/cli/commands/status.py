"""status: how each part of a live cluster is, once, again and again, or until it is healthy."""

from __future__ import annotations

import argparse
import math
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING

from calivet.cli.commands.diagnose import diagnose_evidence
from calivet.cli.exits import BY_VERDICT, FAILED, HEALTHY, CalivetError
from calivet.cli.inputs.cluster import collect_cluster, open_connection
from calivet.cli.parsing.options import (
    add_cluster_options,
    add_common_options,
    add_output_option,
    add_terminal_options,
    parse_seconds,
)
from calivet.cli.terminal.output import clear_screen, complain, has_colour, make_layout, print_json, print_text
from calivet.cli.terminal.progress import Progress, Silence
from calivet.messages.message import say

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.live.connection import Connection
    from calivet.reasoning.diagnosis import Diagnosis

LONGEST = 30.0
"""Seconds until the next look where no pod changes: logs and settings may tell something new all the same."""
_WATCHED = ("calico-node", "typha", "kube-controllers", "operator", "kube-proxy", "dns")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How often, how long, and of which cluster."""
    parser.add_argument("--watch", action="store_true", help="help.watch")
    parser.add_argument("--every", type=parse_seconds, default=5.0, metavar="TIME", help="help.interval")
    parser.add_argument("--wait", type=parse_seconds, metavar="TIME", help="help.wait")
    add_output_option(parser, "text", "json")
    add_terminal_options(parser)
    add_common_options(parser)
    add_cluster_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet status [--watch] [--wait TIME]`: the exit code says the last verdict."""
    ends = time.monotonic() + options.wait if options.wait else None
    repeats = bool(options.watch or options.wait)
    before: Diagnosis | None = None
    complained: list[str] = []
    changes = _Changes(options)
    while True:
        quiet = before is not None or bool(complained)
        found = _try_look(options, complained, changes, quiet=quiet) if repeats else _look(options, quiet=False)
        if found:
            _show(found, before, options)
        if not _is_to_repeat(found, ends, options):
            break
        before = found or before
        changes.wait(math.inf if ends is None else ends - time.monotonic())
    if ends is not None and not _is_healthy(found):
        complain(say("cli.status.gave_up", options.lang, time=f"{options.wait:g}"))
    return BY_VERDICT[found.verdict] if found else FAILED


class _Changes:
    """Between two looks: the pause that was asked for, then until something has changed."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._connection: Connection | None = None
        self._version = ""
        self._namespaces: list[str] = []

    def begin(self) -> None:
        """What changes from now on, while everything is read, is seen by the next wait."""
        from calivet.live.objects import find_pods_version

        if self._connection:
            self._connection.close()
        self._options.until = math.inf  # a look has its own end
        self._connection = open_connection(self._options)
        self._version = find_pods_version(self._connection)

    def note(self, collected: Collected) -> None:
        """Whose changes matter: those of the pods beside which Calico's run."""
        self._namespaces = sorted({pod.namespace for pod in collected.overview.list_pods(*_WATCHED)})

    def wait(self, longest: float) -> None:
        """Not longer than this, nor than a look is good for."""
        from calivet.live.objects import wait_for_change

        pause = max(0.0, min(self._options.every, longest))
        time.sleep(pause)
        left = min(LONGEST, longest) - pause
        if self._connection and self._namespaces and left > 0:
            wait_for_change(self._connection, self._namespaces, self._version, left)


def _is_to_repeat(found: Diagnosis | None, ends: float | None, options: argparse.Namespace) -> bool:
    if ends is not None:
        return not _is_healthy(found) and time.monotonic() < ends
    return bool(options.watch)


def _is_healthy(found: Diagnosis | None) -> bool:
    return found is not None and BY_VERDICT[found.verdict] == HEALTHY


def _try_look(
    options: argparse.Namespace, complained: list[str], changes: _Changes, *, quiet: bool
) -> Diagnosis | None:
    """Who waits for a cluster to come back has no use for a command that ends because it is still away.

    What was said last is not said again.
    """
    try:
        changes.begin()
        found = _look(options, quiet=quiet, changes=changes)
    except CalivetError as failure:
        told = failure.message.read(options.lang)
        if complained[-1:] != [told]:
            complain(told)
            complained.append(told)
        return None
    complained.clear()
    return found


def _look(options: argparse.Namespace, *, quiet: bool, changes: _Changes | None = None) -> Diagnosis:
    from calivet.evidence.gather import gather_documents

    options.until = None  # each look has the whole time
    collected = collect_cluster(options, Silence() if quiet else Progress(options.lang))
    if changes:
        changes.note(collected)
    evidence = gather_documents(collected.documents)
    evidence.unreadable = collected.failed
    evidence.taken, evidence.context, evidence.server = collected.started, collected.context, collected.server
    return diagnose_evidence(evidence, options)


def _show(found: Diagnosis, before: Diagnosis | None, options: argparse.Namespace) -> None:
    """On a terminal the screen is refreshed in place; elsewhere only a new state is worth a new block."""
    from calivet.reports.diagnosis.first_screen import draw_screen

    repeats = bool(options.watch or options.wait)
    is_json = options.output == "json"
    if before is not None and (is_json or not sys.stdout.isatty()) and _is_same(found, before):
        return
    if is_json:
        _print_json(found, options.lang, is_line=repeats)
        return
    if repeats and sys.stdout.isatty():
        clear_screen()
    if repeats:
        print_text(f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S}\n" + "\n")
    print_text(draw_screen(found, make_layout(options), before), colour=has_colour(options))
    sys.stdout.flush()


def _print_json(found: Diagnosis, language: str, *, is_line: bool) -> None:
    """The diagnosis as `diagnose -o json` writes it; where several follow one another, each is a line."""
    from calivet.contract.documents import build_document
    from calivet.reports.diagnosis.json import to_json

    if is_line:
        import msgspec

        print_json(msgspec.json.encode(build_document(found, language)) + b"\n")
    else:
        print_json(to_json(found, language))
    sys.stdout.flush()


def _is_same(found: Diagnosis, before: Diagnosis) -> bool:
    causes = [[finding.cause.id for finding in one.findings] for one in (found, before)]
    return found.components == before.components and found.verdict == before.verdict and causes[0] == causes[1]
