"""SIGTERM ends calivet as Ctrl-C does: by way of every `finally`, so that no unfinished file is left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


class TerminatedError(KeyboardInterrupt):
    """Somebody sent SIGTERM."""


@contextmanager
def heeding_sigterm() -> Iterator[None]:
    """Within this block; a second SIGTERM ends calivet at once."""
    if current_thread() is not main_thread():
        yield
        return
    process = os.getpid()

    def first(number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if os.getpid() == process:
            raise TerminatedError
        os.kill(os.getpid(), number)  # a worker that was forked off has nothing to clean up

    before = signal.signal(signal.SIGTERM, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
