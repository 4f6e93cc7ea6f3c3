"""diff: two diagnoses side by side, for change windows and after a fix."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.commands.diagnose import diagnose_evidence
from calivet.cli.exits import BY_VERDICT, USAGE, CalivetError
from calivet.cli.inputs.evidence import gather_evidence
from calivet.cli.inputs.knowledge import load_causes
from calivet.cli.parsing.options import add_common_options, add_output_option, add_terminal_options
from calivet.cli.terminal.output import complain, make_layout, print_answer
from calivet.messages.message import message, say

if TYPE_CHECKING:
    from calivet.comparison import Comparison
    from calivet.contract.diagnosis import Document

STDIN = "-"
HEAD, LARGEST_DIAGNOSIS = 64, 256 << 20
"""Bytes: in which a JSON object begins, and beyond which no diagnosis goes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two sides."""
    parser.epilog = "help.diff.exits"
    parser.add_argument("old", metavar="OLD", help="help.side")
    parser.add_argument("new", metavar="NEW", help="help.side")
    add_output_option(parser, "text", "json", "md")
    add_terminal_options(parser)
    add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet diff OLD NEW`: the exit code says how NEW stands."""
    from calivet.comparison import compare

    if options.old == options.new == STDIN:
        complain(say("cli.diff.twice", options.lang))
        return USAGE
    old, new = _read_side(options.old, options), _read_side(options.new, options)
    print_answer(_render(compare(old, new), options), options)
    return BY_VERDICT[new.verdict]


def _read_side(path: str, options: argparse.Namespace) -> Document:
    """A diagnosis as it was written, or the diagnosis of evidence."""
    from calivet.contract.documents import NewerDiagnosisError, NotADiagnosisError, clean_diagnosis, read_diagnosis
    from calivet.redaction.redactor import Redactor

    piped = sys.stdin.buffer.read() if path == STDIN else b""
    try:
        if side := read_diagnosis(piped or _read_file(path)):
            return clean_diagnosis(side, Redactor())
    except NotADiagnosisError as failure:
        raise CalivetError(message("cli.diff.no_diagnosis", path=path, why=str(failure))) from None
    except NewerDiagnosisError as failure:
        raise CalivetError(message("cli.diff.newer", path=path, version=str(failure))) from None
    return _diagnose_side(path, piped, options)


def _read_file(path: str) -> bytes:
    """What stands in a file that may be a diagnosis; whether it can be read at all is found out when it is gathered."""
    file = Path(path)
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as opened:
            head = opened.read(HEAD)
            return head + opened.read(LARGEST_DIAGNOSIS) if b"{" in head else b""
    except (OSError, ValueError):
        return b""


def _diagnose_side(path: str, piped: bytes, options: argparse.Namespace) -> Document:
    from calivet.contract.documents import build_document

    evidence = gather_evidence([path], options, stdin=io.BytesIO(piped))
    if not evidence.artifacts:
        why = evidence.unreadable[0].why if evidence.unreadable else "-"
        raise CalivetError(message("cli.diff.nothing", path=path, why=why))
    return build_document(diagnose_evidence(evidence, options), options.lang)


def _render(compared: Comparison, options: argparse.Namespace) -> str:
    titles = {cause.id: cause.title for cause in load_causes(options.causes).causes.values()}
    if options.output == "json":
        from calivet.reports.comparison import ComparisonWords, encode_comparison

        return encode_comparison(compared, ComparisonWords(titles, options.lang).find_title)
    from calivet.reports.comparison import write_comparison, write_comparison_markdown

    if options.output == "md":
        return write_comparison_markdown(compared, titles, options.lang)
    return write_comparison(compared, titles, make_layout(options))
