"""Ctrl-C: while something is being asked it ends the asking, and otherwise calivet."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ending_early(stop: Callable[[], None]) -> Iterator[None]:
    """Within this block Ctrl-C calls `stop`; an exception could strike anywhere and lose what has arrived."""

    def first(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    before = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ended_by(interrupt: KeyboardInterrupt, arguments: Sequence[str]) -> int:
    """Says so, and gives the exit code."""
    from calivet.cli.complaining import complain
    from calivet.cli.endings import ending
    from calivet.cli.exits import INTERRUPTED, TERMINATED
    from calivet.cli.speaking import spoken
    from calivet.cli.streams import abandon
    from calivet.cli.terminating import TerminatedError

    abandon()
    complain(ending(interrupt, spoken(arguments)))
    return TERMINATED if isinstance(interrupt, TerminatedError) else INTERRUPTED
