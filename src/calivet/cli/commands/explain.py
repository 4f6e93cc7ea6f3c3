"""explain: all that calivet knows about one cause."""

from __future__ import annotations

import argparse
from functools import reduce

from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.inputs.knowledge import load_causes
from calivet.cli.invocation import find_program_name
from calivet.cli.parsing.options import add_common_options, add_output_option, add_terminal_options
from calivet.cli.terminal.output import has_colour, make_layout, print_text
from calivet.messages.message import Message, make_verbatim, message

MOST_NEAR = 3
SHORTEST = 3
"""Letters of a word by which a cause is found."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which cause."""
    parser.add_argument("cause", metavar="CAUSE")
    add_output_option(parser, "text", "md")
    add_terminal_options(parser)
    add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet explain CAUSE`."""
    catalogue = load_causes(options.causes)
    cause = catalogue.causes.get(options.cause)
    if cause is None:
        raise CalivetError(_suggest_causes(options.cause, list(catalogue.causes)))
    if options.output == "md":
        from calivet.reports.cause import write_cause_page

        print_text(write_cause_page(cause, catalogue, options.lang))
        return HEALTHY
    from calivet.reports.cause import write_cause_text

    print_text(write_cause_text(cause, catalogue, make_layout(options)), colour=has_colour(options))
    return HEALTHY


def _suggest_causes(name: str, known: list[str]) -> Message:
    near = [make_verbatim(one) for one in _find_near(name.lower().replace("_", "-"), known)]
    if not near:
        return message("cli.explain.unknown", name=name, program=find_program_name())
    nearest = reduce(lambda one, other: message("cli.explain.or", one=one, other=other), near)
    return message("cli.explain.nearest", name=name, near=nearest)


def _find_near(name: str, known: list[str]) -> list[str]:
    """Ids that are spelt alike, and those that what was typed is a part of: people remember the word that matters."""
    import difflib

    typed = name.replace("-", "")
    holding = [one for one in known if len(typed) >= SHORTEST and typed in one.replace("-", "")]
    alike = difflib.get_close_matches(name, known, n=MOST_NEAR)
    return list(dict.fromkeys([*(one for one in alike if one in holding), *holding, *alike]))[:MOST_NEAR]
