"""The evidence that a command names; of logs too long to keep, what the catalogue finds worth keeping."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from calivet.cli.exits import CalivetError
from calivet.cli.inputs.knowledge import load_knowledge
from calivet.cli.invocation import find_program_name
from calivet.cli.parsing.options import find_deadline
from calivet.cli.terminal.output import clean_message, complain, tell
from calivet.messages.command_line import quote
from calivet.messages.message import message, say
from calivet.reports.layout.wording import add_detail

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.redaction.redactor import Redactor


def check_target(path: Path, *, is_forced: bool = False) -> None:
    """Fails where the file could not be written, or would take another one's place unasked."""
    if path.exists() and not is_forced:
        raise CalivetError(message("cli.collect.exists", path=str(path)))
    folder = path.absolute().parent
    if not folder.is_dir():
        raise CalivetError(message("cli.collect.not_written", path=str(path), why=message("cli.collect.no_folder")))
    if not os.access(folder, os.W_OK):
        raise CalivetError(message("cli.collect.not_written", path=str(path), why=message("cli.collect.no_right")))


def save_bundle(path: Path, collected: Collected, redactor: Redactor) -> None:
    """Writes it; what the disk says goes on as one line."""
    from calivet.live.writing import write_bundle

    try:
        write_bundle(path, collected, redactor)
    except OSError as error:
        told = message("cli.collect.not_written", path=str(path), why=error.strerror or str(error))
        raise CalivetError(told) from None


if TYPE_CHECKING:
    from calivet.evidence.artifact import Document, Evidence
    from calivet.live.collecting import Collected


def gather_evidence(
    paths: Sequence[str],
    options: argparse.Namespace,
    *,
    stdin: BinaryIO | None = None,
    more: Sequence[Document] = (),
) -> Evidence:
    """Files, directories, archives and `-`, and what was fetched otherwise."""
    from calivet.evidence.gather import gather
    from calivet.evidence.sources.budget import Limits
    from calivet.redaction.redactor import Redactor

    _, watch = load_knowledge(options.causes, options.lang)
    # Without a word from the operator a pipe may take as long as it likes.
    until = find_deadline(options) if getattr(options, "timeout", None) else math.inf
    source = stdin or sys.stdin.buffer
    return gather(paths, source, Limits(until=until), more=more, matcher=watch.output, redactor=Redactor())


def gather_evidence_or_ask(paths: Sequence[str], options: argparse.Namespace) -> Evidence:
    """The evidence that is named, or the live cluster; and nodes, where asked for, and kept, where that is."""
    save = getattr(options, "save", None)
    if paths and not (options.ssh or options.ssh_all):
        if save:
            raise CalivetError(message("cli.save.files"))
        return gather_evidence(paths, options)
    from calivet.cli.inputs.ssh_nodes import collect_with_nodes

    if save:
        check_target(Path(save))
    collected = collect_with_nodes(options, ask_cluster=not paths)
    if save:
        _keep(Path(save), collected, options)
    evidence = gather_evidence(paths, options, more=collected.documents)
    evidence.unreadable += collected.failed
    evidence.taken = evidence.taken or collected.started
    evidence.context, evidence.server = collected.context, collected.server
    return evidence


def _keep(path: Path, collected: Collected, options: argparse.Namespace) -> None:
    """What this answer rests on, so that its lines can be opened later."""
    from calivet.redaction.redactor import Redactor

    save_bundle(path, collected, Redactor())
    told = say("cli.save.kept", options.lang, path=quote(str(path)), program=find_program_name())
    tell(f"calivet: {clean_message(told)}\n")


def complain_of_unreadable(evidence: Evidence, language: str) -> None:
    """A line for each thing that could not be read, and why; what is missing may have been meant as a command."""
    from difflib import get_close_matches

    from calivet.cli.command_table import COMMANDS

    for item in evidence.unreadable:
        near = get_close_matches(item.what, COMMANDS, n=1) if item.why.key == "evidence.missing" else []
        if near:
            complain(
                say("cli.diagnose.command_first", language, name=item.what, near=near[0], program=find_program_name())
            )
        else:
            complain(add_detail(item.what, item.why.read(language), language))
