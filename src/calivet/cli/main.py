"""Parse, call, exit code. Nothing a user does ends in a traceback."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from calivet.cli.arguments import COMMANDS, parser, with_command
from calivet.cli.complaining import complain
from calivet.cli.exits import FAILED, INTERRUPTED, TERMINATED, CalivetError
from calivet.cli.letters import never_fail
from calivet.cli.program import called
from calivet.cli.speaking import spoken
from calivet.cli.streams import abandon, prepare
from calivet.cli.terminating import TerminatedError, heeding_sigterm

# Facts live as long as the process: looking for garbage among a hundred thousand of them finds none.
_PATIENT = (100_000, 50, 100)


def main(arguments: Sequence[str] | None = None) -> int:
    """The console script's entry."""
    gc.set_threshold(*_PATIENT)
    prepare()
    never_fail((sys.stdout, sys.stderr))
    given = with_command(sys.argv[1:] if arguments is None else arguments)
    try:
        with heeding_sigterm():
            return _finished(_run(given))
    except CalivetError as failure:
        _complain(failure, given)
        return FAILED
    except BrokenPipeError:  # the reader, a pager or head, has seen enough
        abandon()
        return FAILED
    except KeyboardInterrupt as interrupt:
        abandon()
        _complain(interrupt, given)
        return TERMINATED if isinstance(interrupt, TerminatedError) else INTERRUPTED
    except Exception as error:  # a bug of ours must not look like "fault found"
        abandon()
        _complain(error, given)
        if os.environ.get("CALIVET_DEBUG"):
            raise
        return FAILED


def _run(arguments: Sequence[str]) -> int:
    try:
        options = parser(called(), spoken(arguments)).parse_args(arguments)
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
