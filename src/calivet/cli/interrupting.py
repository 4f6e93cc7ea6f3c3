"""Ctrl-C while something is being asked: the first one ends the asking, the second one ends calivet."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
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
