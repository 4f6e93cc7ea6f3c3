"""whatif: what Calico would do after a change, before anyone makes it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.exits import CANNOT_TELL, FAILED, FAULT, HEALTHY, USAGE
from calivet.cli.inputs.evidence import complain_of_unreadable, gather_evidence_or_ask
from calivet.cli.parsing.options import (
    add_cluster_options,
    add_common_options,
    add_output_option,
    add_ssh_options,
    add_terminal_options,
)
from calivet.cli.terminal.output import complain, make_layout, print_answer
from calivet.messages.message import Message, message, say

if TYPE_CHECKING:
    from calivet.evidence.artifact import Evidence
    from calivet.forecast.changes import Change, ChangeError
    from calivet.forecast.outcome import Forecast

BY_VERDICT = {"fine": HEALTHY, "broken": FAULT, "unclear": CANNOT_TELL}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The changes, and what they would meet."""
    parser.add_argument("asked", nargs="+", metavar="KEY=VALUE|PATH", help="help.changes")
    add_output_option(parser, "text", "json")
    parser.add_argument("-v", "--verbose", action="store_true", help="help.verbose.whatif")
    add_terminal_options(parser)
    add_common_options(parser)
    add_cluster_options(parser)
    add_ssh_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet whatif KEY=VALUE... [PATH...]`: 0 all fine afterwards, 1 something broken, 2 it cannot be told."""
    from calivet.forecast.changes import KEYS, ChangeError, change

    asked = [word for word in options.asked if _is_change(word)]
    try:
        changes = [change(word) for word in asked]
    except ChangeError as error:
        complain(_explain_error(error).read(options.lang))
        return USAGE
    if not changes:
        complain(say("cli.whatif.nothing_asked", options.lang, possible=", ".join(KEYS)))
        return USAGE
    evidence = gather_evidence_or_ask([word for word in options.asked if word not in asked], options)
    return _print_forecast(evidence, changes, options)


def _is_change(word: str) -> bool:
    """A file may have any name, also one with a sign of equality in it."""
    return "=" in word and not Path(word).exists()


def _explain_error(error: ChangeError) -> Message:
    values = {"key": error.key, "value": error.value or "''", "possible": ", ".join(error.possible)}
    if not error.known:
        return message("cli.whatif.unknown_key", **values)
    if error.detail:
        return message("cli.whatif.bad_part", detail=error.detail, **values)
    return message("cli.whatif.bad_value", **values)


def _print_forecast(evidence: Evidence, changes: list[Change], options: argparse.Namespace) -> int:
    from calivet.forecast.forecast import forecast_changes
    from calivet.pipeline import understand

    complain_of_unreadable(evidence, options.lang)
    if not evidence.artifacts:
        return FAILED
    picture, _ = understand(evidence)
    outcome = forecast_changes(picture, changes)
    print_answer(_render(outcome, options), options)
    return BY_VERDICT[outcome.verdict]


def _render(outcome: Forecast, options: argparse.Namespace) -> str:
    if options.output == "json":
        from calivet.reports.forecast import encode_forecast

        return encode_forecast(outcome, options.lang) + "\n"
    from calivet.reports.forecast import write_forecast

    return write_forecast(outcome, make_layout(options))
