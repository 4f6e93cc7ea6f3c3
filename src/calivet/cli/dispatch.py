"""Parse, call, exit code. Nothing a user does ends in a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from calivet.cli.command_table import build_parser, insert_command, load_command
from calivet.cli.exits import FAILED, CalivetError, explain_failure
from calivet.cli.invocation import find_language, find_program_name
from calivet.cli.terminal.output import abandon_output, prepare_streams
from calivet.cli.terminal.signals import heed_sigterm


def dispatch(arguments: Sequence[str], begin: Callable[[], None]) -> int:
    """The exit code of the command that is asked for; only who interrupts it is left to the caller.

    `begin` is called before the command runs: until then nothing is done that could stay half done.
    """
    prepare_streams()
    given = insert_command(arguments)
    try:
        with heed_sigterm():
            code = _run(given, begin)
            sys.stdout.flush()  # a reader that left early shows when the last lines are written
            return code
    except CalivetError as failure:
        _complain(failure, given)
        return FAILED
    except BrokenPipeError:  # the reader, a pager or head, has seen enough
        abandon_output()
        return FAILED
    except Exception as error:  # a bug of ours must not look like "fault found"
        abandon_output()
        _complain(error, given)
        if os.environ.get("CALIVET_DEBUG"):
            raise
        return FAILED


def _run(arguments: Sequence[str], begin: Callable[[], None]) -> int:
    parser = build_parser(find_program_name(), find_language(arguments), only=arguments[0])
    try:
        options = parser.parse_args(arguments)
    except SystemExit as ended:  # after help, the version or a usage error, of which each word must still arrive
        return int(ended.code or 0)
    begin()
    return load_command(options.command).run(options)


def _complain(error: BaseException, arguments: Sequence[str]) -> None:
    from calivet.cli.terminal.output import complain

    complain(explain_failure(error, find_language(arguments)))
