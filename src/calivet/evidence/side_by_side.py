"""Work on a stream's pieces on all cores, in the order of the stream and with few of them in memory."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")

WAITING = 2
"""Pieces for each core that are read ahead."""


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def side_by_side(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """The result of each piece, in order. Threads do where the work is done outside the interpreter."""
    hands = cores()
    if hands == 1:
        yield from map(work, pieces)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    with ThreadPoolExecutor(hands) as pool:
        waiting: deque[Future[Result]] = deque()
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > hands * WAITING:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
