"""Parse, call, exit code. Nothing a user does ends in a traceback."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from calivet.cli.arguments import COMMANDS, parser, with_command
from calivet.cli.complaining import complain
from calivet.cli.exits import FAILED, CalivetError

# Facts live as long as the process: looking for garbage among a hundred thousand of them finds none.
_PATIENT = (100_000, 50, 100)


def main(arguments: Sequence[str] | None = None) -> int:
    """The console script's entry."""
    gc.set_threshold(*_PATIENT)
    program = "kubectl calivet" if os.path.basename(sys.argv[0]).startswith("kubectl-") else "calivet"  # noqa: PTH119
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = parser(program).parse_args(with_command(sys.argv[1:] if arguments is None else arguments))
    try:
        return _finished(_command(options.command)(options))
    except CalivetError as failure:
        complain(str(failure))
        return FAILED
    except BrokenPipeError:  # the reader, a pager or head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("calivet: interrupted\n")
        return 130
    except Exception as error:  # a bug of ours must not look like "fault found"
        complain(f"this is a bug in calivet: {type(error).__name__}: {error}")
        if os.environ.get("CALIVET_DEBUG"):
            raise
        return FAILED


def _finished(code: int) -> int:
    """A reader that left early shows when the last lines are written."""
    sys.stdout.flush()
    return code


def _command(name: str) -> Callable[..., int]:
    """Import only what the command needs: cold start matters."""
    module, function = COMMANDS[name]
    found: Callable[..., int] = getattr(import_module(f"calivet.cli.{module}"), function)
    return found
