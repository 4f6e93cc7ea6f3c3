"""Parse, call, exit code. Nothing a user does ends in a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from calivet.cli.arguments import parser
from calivet.cli.commands import COMMANDS, with_command
from calivet.cli.complaining import complain
from calivet.cli.exits import FAILED, CalivetError
from calivet.cli.letters import never_fail
from calivet.cli.program import called
from calivet.cli.speaking import spoken
from calivet.cli.streams import abandon, prepare
from calivet.cli.terminating import heeding_sigterm


def dispatch(arguments: Sequence[str]) -> int:
    """The exit code of the command that is asked for; only who interrupts it is left to the caller."""
    prepare()
    never_fail((sys.stdout, sys.stderr))
    given = with_command(arguments)
    try:
        with heeding_sigterm():
            return _finished(_run(given))
    except CalivetError as failure:
        _complain(failure, given)
        return FAILED
    except BrokenPipeError:  # the reader, a pager or head, has seen enough
        abandon()
        return FAILED
    except Exception as error:  # a bug of ours must not look like "fault found"
        abandon()
        _complain(error, given)
        if os.environ.get("CALIVET_DEBUG"):
            raise
        return FAILED


def _run(arguments: Sequence[str]) -> int:
    try:
        options = parser(called(), spoken(arguments), only=arguments[0]).parse_args(arguments)
    except SystemExit as ended:  # after help, the version or a usage error, of which each word must still arrive
        return int(ended.code or 0)
    return _command(options.command)(options)


def _complain(error: BaseException, arguments: Sequence[str]) -> None:
    from calivet.cli.endings import ending

    complain(ending(error, spoken(arguments)))


def _finished(code: int) -> int:
    """A reader that left early shows when the last lines are written."""
    sys.stdout.flush()
    return code


def _command(name: str) -> Callable[..., int]:
    """Import only what the command needs: cold start matters."""
    module, function = COMMANDS[name]
    found: Callable[..., int] = getattr(import_module(f"calivet.cli.{module}"), function)
    return found
