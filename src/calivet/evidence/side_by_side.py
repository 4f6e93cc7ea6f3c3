"""Work on a stream's pieces on all cores, in the order of the stream and with few of them in memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Piece = TypeVar("Piece")
Result = TypeVar("Result")

FEW = 4
"""Fewer pieces than this are not worth the threads."""
WAITING = 3
"""Pieces for each core that are read ahead."""


def cores() -> int:
    """Those that this process may use: a container or taskset may allow fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def side_by_side(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """The result of each piece, in order. Threads do where reading and work are done outside the interpreter.

    Whoever does not take all results leaves a thread behind that reads no more than the pieces it may read ahead.
    """
    hands, waiting = cores(), iter(pieces)
    few = list(islice(waiting, FEW))
    if hands == 1 or len(few) < FEW:
        yield from map(work, chain(few, waiting))
        return
    from concurrent.futures import ThreadPoolExecutor
    from queue import SimpleQueue
    from threading import Semaphore, Thread

    line: SimpleQueue[Future[Result] | None] = SimpleQueue()
    room = Semaphore(hands * WAITING)

    def read() -> None:
        try:
            for piece in chain(few, waiting):
                room.acquire()
                line.put(pool.submit(work, piece))
            line.put(None)
        except BaseException as error:  # noqa: BLE001 - whoever takes the results is told
            line.put(_failed(error))

    with ThreadPoolExecutor(hands) as pool:
        # A daemon: where a read never returns, nobody waits for it when the program ends.
        Thread(target=read, daemon=True).start()
        while future := line.get():
            yield future.result()
            room.release()


def _failed(error: BaseException) -> Future[Result]:
    from concurrent.futures import Future

    future: Future[Result] = Future()
    future.set_exception(error)
    return future
