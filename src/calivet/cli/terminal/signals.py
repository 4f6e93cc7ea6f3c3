"""Ctrl-C and SIGTERM: while something is being asked Ctrl-C ends the asking, and otherwise both end calivet.

They end it by way of every `finally`, so that no unfinished file is left behind.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


class TerminatedError(KeyboardInterrupt):
    """Somebody sent SIGTERM."""


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Within this block Ctrl-C calls `stop`; an exception could strike anywhere and lose what has arrived."""

    def handle(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def heed_sigterm() -> Iterator[None]:
    """Within this block SIGTERM raises; a second one ends calivet at once."""
    if current_thread() is not main_thread():
        yield
        return
    process = os.getpid()

    def handle(number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if os.getpid() == process:
            raise TerminatedError
        os.kill(os.getpid(), number)  # a worker that was forked off has nothing to clean up

    before = signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def report_interrupt(interrupt: KeyboardInterrupt, language: str) -> int:
    """Says that calivet was interrupted, and gives the exit code."""
    from calivet.cli.exits import INTERRUPTED, TERMINATED, explain_failure
    from calivet.cli.terminal.output import abandon_output, complain

    abandon_output()
    complain(explain_failure(interrupt, language))
    return TERMINATED if isinstance(interrupt, TerminatedError) else INTERRUPTED
