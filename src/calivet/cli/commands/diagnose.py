"""diagnose: gather, diagnose, print, and say the verdict by the exit code. Other commands diagnose through it too."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from calivet.cli.exits import BY_VERDICT, FAILED, CalivetError
from calivet.cli.inputs.evidence import complain_of_unreadable, gather_evidence_or_ask
from calivet.cli.inputs.knowledge import load_knowledge
from calivet.cli.parsing.options import (
    add_answer_options,
    add_cluster_options,
    add_ssh_options,
    parse_bundle_file,
    parse_pod,
)
from calivet.cli.terminal.output import complain, make_layout, print_answer
from calivet.messages.message import find_reason, message, say
from calivet.reports.diagnosis.formats import write_answer

if TYPE_CHECKING:
    from calivet.evidence.artifact import Evidence
    from calivet.pipeline import Examined
    from calivet.reasoning.diagnosis import Diagnosis

SHOWN_NODES = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Evidence, and how to ask a cluster where none is named."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="help.paths")
    parser.add_argument("--save", type=parse_bundle_file, metavar="FILE.tar.gz", help="help.save")
    parser.add_argument("--event", type=parse_pod, metavar="NAMESPACE/POD", help="help.event")
    add_answer_options(parser)
    add_cluster_options(parser)
    add_ssh_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet diagnose [PATH...]`: the evidence that is named, or the live cluster; and nodes, where asked for."""
    evidence = gather_evidence_or_ask(options.paths, options)
    # That no node could be reached is an answer.
    return print_diagnosis(evidence, options, may_be_empty=bool(options.ssh or options.ssh_all))


def print_diagnosis(evidence: Evidence, options: argparse.Namespace, *, may_be_empty: bool = False) -> int:
    """The answer in the format that was asked for; that there was nothing to read is none, unless all was set aside."""
    if not evidence.artifacts and not evidence.references and not may_be_empty:
        complain_of_unreadable(evidence, options.lang)
        if not evidence.unreadable:
            complain(say("cli.diagnose.nothing", options.lang))
        return FAILED
    examined = _examine(evidence, options)
    print_answer(write_answer(options.output, examined, make_layout(options)), options)
    if getattr(options, "event", None):
        _record_event(examined.diagnosis, options)
    return BY_VERDICT[examined.diagnosis.verdict]


def _record_event(diagnosis: Diagnosis, options: argparse.Namespace) -> None:
    """What was found, as an Event; where that may not be made, the answer is the same."""
    from calivet.cli.inputs.cluster import open_connection
    from calivet.fix.events import record_verdict
    from calivet.live.trouble import Trouble
    from calivet.reports.diagnosis.first_screen import write_verdict

    causes = (f"{one.cause.title.read(options.lang)} ({one.cause.id})" for one in diagnosis.findings)
    said = "\n".join([write_verdict(diagnosis, options.lang), *causes])
    namespace, pod = options.event
    try:
        record_verdict(open_connection(options), namespace, pod, diagnosis.verdict, said)
    except (CalivetError, Trouble) as error:
        complain(say("cli.event.failed", options.lang, pod=f"{namespace}/{pod}", why=find_reason(error)))


def diagnose_evidence(evidence: Evidence, options: argparse.Namespace) -> Diagnosis:
    """The diagnosis, of the nodes that were named or of all."""
    return _examine(evidence, options).diagnosis


def _examine(evidence: Evidence, options: argparse.Namespace) -> Examined:
    from calivet.pipeline import UnknownNodeError, examine

    try:
        return examine(evidence, *load_knowledge(options.causes, options.lang), getattr(options, "node", ()))
    except UnknownNodeError as error:
        known = ", ".join(error.known[:SHOWN_NODES]) + (" ..." if len(error.known) > SHOWN_NODES else "")
        named = message("cli.diagnose.unknown_node", name=error.name, known=known or "-")
        raise CalivetError(named) from None
