"""preflight: what would stop Calico on a node, before it is installed there or the node is added."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from calivet.cli.complaining import complain
from calivet.cli.exits import CANNOT_TELL, FAILED, FAULT, HEALTHY
from calivet.cli.gathering import gathered
from calivet.cli.knowledge import known_causes
from calivet.preflight.examine import Preflight, examine
from calivet.preflight.requirement import Outcome

if TYPE_CHECKING:
    from calivet.live.collecting import Collected

HERE_SECONDS = 120.0
"""For the probe of the machine that calivet itself runs on."""


def run_preflight(options: argparse.Namespace) -> int:
    """`calivet preflight [PATH...]`: 0 all is well, 1 something fails, 2 a node could not be checked at all."""
    collected = _collected(options)
    haul = gathered(options.paths, options, more=collected.documents)
    haul.unreadable += collected.failed
    if options.paths and not haul.artifacts:
        from calivet.reports.reasons import reason

        for item in haul.unreadable:
            complain(f"{item.what}: {reason(item.why, options.lang)}")
        return FAILED
    now = None if options.paths else datetime.now(UTC)
    found = examine(haul, known_causes(options.causes), now)
    sys.stdout.write(_rendered(found, options))
    return _code(found, len(collected.probed))


def _collected(options: argparse.Namespace) -> Collected:
    """What there is beside files: the nodes that are named, else this machine; and the cluster, if there is one."""
    from calivet.cli import cluster, probing
    from calivet.live.collecting import Collected

    # Files may come from anywhere: the cluster at hand need not be theirs.
    asks_cluster = bool(not options.paths or options.kubeconfig or options.context)
    if options.ssh or options.ssh_all:
        return probing.collect(options, ask_cluster=asks_cluster)
    collected = cluster.collect(options, needed=False) if asks_cluster else Collected()
    if not options.paths:
        _probe_here(collected)
    return collected


def _probe_here(collected: Collected) -> None:
    from calivet.node.running import probe_here

    probed = probe_here(HERE_SECONDS)
    collected.documents += [probed.document] if probed.document else []
    collected.failed += [probed.failure] if probed.failure else []
    collected.probed = [probed.host]


def _rendered(found: Preflight, options: argparse.Namespace) -> str:
    if options.output == "json":
        from calivet.reports.preflight_json import preflight_json

        return preflight_json(found, options.lang) + "\n"
    from calivet.cli.terminal import layout
    from calivet.reports.preflight_text import preflight_text

    return preflight_text(found, layout(options))


def _code(found: Preflight, asked: int) -> int:
    if any(node.of(Outcome.FAIL) for node in found.nodes):
        return FAULT
    checked = [node for node in found.nodes if node.of(Outcome.PASS)]
    return HEALTHY if checked and len(checked) == max(asked, len(found.nodes)) else CANNOT_TELL
