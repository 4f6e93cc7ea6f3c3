"""Runs the probe on many machines over the system's own ssh, side by side; one that fails costs no more than itself."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import Protocol

from calivet.evidence.artifact import Document
from calivet.node.outcome import TELLING, UNHEARD
from calivet.node.targets import Target
from calivet.node.visiting import SshOptions, Visit, visit

TRANSCRIPT = "ssh.txt"
"""Not named after a machine, or its lines would pass for output of that machine."""


class Progress(Protocol):
    """Told what happens while it happens."""

    def phase(self, name: str, total: int) -> None:
        """So many machines will be asked."""

    def step(self, name: str, says: str = "") -> None:
        """One of them is done, and how it went."""


def probe_over_ssh(
    targets: Sequence[Target], options: SshOptions, progress: Progress, interrupted: Event
) -> list[Visit]:
    """Asks all of them; the answers come in the order of the targets.

    Once interrupted, whoever is on his way winds up at his next glance, and brings what he has.
    """
    from concurrent.futures import ThreadPoolExecutor, as_completed

    progress.phase("probes", len(targets))
    with ThreadPoolExecutor(max(1, min(options.parallel, len(targets)))) as hands:
        visits = [hands.submit(visit, target, options, interrupted) for target in targets]
        for one in as_completed(visits):
            _tell(one.result(), progress)
    return [one.result() for one in visits]


def _tell(found: Visit, progress: Progress) -> None:
    progress.step(found.host, found.failure.why if found.failure else f"answered in {found.seconds:.1f} s")


def transcript(visits: Sequence[Visit]) -> Document | None:
    """What ssh said of machines that it did not get into, as on a terminal: that too is evidence.

    Where none of several was heard of, it is the way there that is closed, which says nothing about any of them.
    """
    if len(visits) > 1 and all(found.kind in UNHEARD for found in visits):
        return None
    told = [found for found in visits if found.kind in TELLING]
    lines = [line for found in told for line in (f"$ ssh {found.login}", found.said)]
    return Document(TRANSCRIPT, lines) if lines else None
