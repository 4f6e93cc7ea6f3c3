"""Parse, call, exit code. Nothing a user does ends in a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence

from calivet.cli.arguments import parser
from calivet.cli.exits import FAILED, CalivetError


def main(arguments: Sequence[str] | None = None) -> int:
    """The console script's entry."""
    program = "kubectl calivet" if os.path.basename(sys.argv[0]).startswith("kubectl-") else "calivet"  # noqa: PTH119
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = parser(program).parse_args(arguments)
    try:
        return _finished(_command(options.command)(options))
    except CalivetError as failure:
        sys.stderr.write("".join(f"calivet: {line}\n" for line in str(failure).splitlines()))
        return FAILED
    except BrokenPipeError:  # the reader, a pager or head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("calivet: interrupted\n")
        return 130
    except Exception as error:  # a bug of ours must not look like "fault found"
        sys.stderr.write(f"calivet: this is a bug in calivet: {type(error).__name__}: {error}\n")
        if os.environ.get("CALIVET_DEBUG"):
            raise
        return FAILED


def _finished(code: int) -> int:
    """A reader that left early shows when the last lines are written."""
    sys.stdout.flush()
    return code


def _command(name: str) -> Callable[..., int]:
    """Import only what the command needs: cold start matters."""
    if name in ("diagnose", "demo"):
        from calivet.cli import answering

        return answering.run_diagnose if name == "diagnose" else answering.run_demo
    from calivet.cli import consulting

    return {"causes": consulting.run_causes, "explain": consulting.run_explain, "eval": consulting.run_eval}[name]
