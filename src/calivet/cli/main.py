"""The entry. Ctrl-C may come while calivet is still being loaded, so nothing of it is loaded before the first `try`."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from typing import NoReturn


def console() -> NoReturn:
    """As a program of its own: it ends at once, without taking apart all that it has in memory piece by piece."""
    # Facts live as long as the process: looking for garbage among a hundred thousand of them finds none.
    gc.set_threshold(100_000, 50, 100)
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    atexit._run_exitfuncs()  # noqa: SLF001 - what is to be done at the end is done, there is no public way to it
    sys.stderr.flush()
    os._exit(code)


def main(arguments: list[str] | None = None) -> int:
    """The console script's entry."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        from calivet.cli.dispatch import dispatch

        return dispatch(given)
    except KeyboardInterrupt as interrupt:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is ending already, however often one presses
        try:
            from calivet.cli.interrupting import ended_by

            return ended_by(interrupt, given)
        finally:
            signal.signal(signal.SIGINT, before)
