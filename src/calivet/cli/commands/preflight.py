"""preflight: what would stop Calico on a node, before it is installed there or the node is added."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from calivet.cli.exits import CANNOT_TELL, FAILED, FAULT, HEALTHY
from calivet.cli.inputs.evidence import complain_of_unreadable, gather_evidence
from calivet.cli.inputs.knowledge import load_causes
from calivet.cli.parsing.options import (
    add_cluster_options,
    add_common_options,
    add_output_option,
    add_ssh_options,
    add_terminal_options,
)
from calivet.cli.terminal.output import make_layout, print_answer

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.preflight.examine import Preflight

HERE_SECONDS = 120.0
"""For the probe of the machine that calivet itself runs on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What was probed already, or where to probe."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="help.probe")
    add_output_option(parser, "text", "json")
    parser.add_argument("-v", "--verbose", action="store_true", help="help.verbose.preflight")
    add_terminal_options(parser)
    add_common_options(parser)
    add_cluster_options(parser)
    add_ssh_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet preflight [PATH...]`: 0 all is well, 1 something fails, 2 a node could not be checked at all."""
    from calivet.preflight.examine import examine

    collected = _collect(options)
    evidence = gather_evidence(options.paths, options, more=collected.documents)
    evidence.unreadable += collected.failed
    if options.paths and not evidence.artifacts:
        complain_of_unreadable(evidence, options.lang)
        return FAILED
    now = None if options.paths else datetime.now(UTC)
    found = examine(evidence, load_causes(options.causes), now)
    print_answer(_render(found, options), options)
    return _choose_exit_code(found, len(collected.probed))


def _collect(options: argparse.Namespace) -> Collected:
    """What there is beside files: the nodes that are named, else this machine; and the cluster, if there is one."""
    from calivet.cli.inputs.cluster import collect_cluster
    from calivet.cli.inputs.ssh_nodes import collect_with_nodes
    from calivet.live.collecting import Collected

    # Files may come from anywhere: the cluster at hand need not be theirs.
    asks_cluster = bool(not options.paths or options.kubeconfig or options.context)
    if options.ssh or options.ssh_all:
        return collect_with_nodes(options, ask_cluster=asks_cluster)
    collected = collect_cluster(options, needed=False) if asks_cluster else Collected()
    if not options.paths:
        _probe_here(collected)
    return collected


def _probe_here(collected: Collected) -> None:
    from calivet.node.running import probe_here

    probed = probe_here(HERE_SECONDS)
    collected.documents += [probed.document] if probed.document else []
    collected.failed += [probed.failure] if probed.failure else []
    collected.probed = [probed.host]


def _render(found: Preflight, options: argparse.Namespace) -> str:
    if options.output == "json":
        from calivet.reports.preflight import encode_preflight

        return encode_preflight(found, options.lang) + "\n"
    from calivet.reports.preflight import write_preflight

    return write_preflight(found, make_layout(options))


def _choose_exit_code(found: Preflight, asked: int) -> int:
    from calivet.preflight.requirement import Outcome

    if any(node.of(Outcome.FAIL) for node in found.nodes):
        return FAULT
    checked = [node for node in found.nodes if node.of(Outcome.PASS)]
    return HEALTHY if checked and len(checked) == max(asked, len(found.nodes)) else CANNOT_TELL
