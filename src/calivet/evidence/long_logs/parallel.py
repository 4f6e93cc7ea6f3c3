"""Work on a stream's pieces on all cores, in the order of the stream and with few of them in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from threading import Event, Lock, Semaphore, Thread
from typing import Generic, TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")

FEW = 2
"""Fewer pieces than this are not worth the threads."""
HELD = 16 << 20
"""Bytes that, once taken and given back, teach glibc to keep as much for the next pieces, instead of asking the system
for each anew: that would cost a fault for every page."""
WAITING = 3
"""Results for each core that may wait until those before them are there."""


def count_cores() -> int:
    """Those that this process may use: a container or taskset may allow fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_in_parallel(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], hands: int
) -> Generator[Result, None, None]:
    """The result of each piece, in order. Threads do where reading and work are done outside the interpreter."""
    waiting = iter(pieces)
    few = list(islice(waiting, FEW))
    if len(few) == FEW:
        bytes(HELD)
    if hands == 1 or len(few) < FEW:
        yield from map(work, chain(few, waiting))
        return
    crew = _Crew(work, chain(few, waiting), hands * WAITING)
    # Daemons: where a read never returns, nobody waits for it when the program ends.
    for _ in range(hands - 1):
        Thread(target=crew.help, daemon=True).start()
    try:
        yield from crew.results()
    finally:
        crew.dismiss(hands)


class _Crew(Generic[Piece, Result]):
    """Threads that each read a piece and work on it: nothing is handed from one to the other but the results."""

    def __init__(self, work: Callable[[Piece], Result], pieces: Iterator[Piece], room: int) -> None:
        self._work, self._numbered = work, enumerate(pieces)
        self._reading, self._room, self._arrived = Lock(), Semaphore(room), Event()
        self._done: dict[int, Result] = {}
        self._taken, self._is_over = 0, False
        self._failure: BaseException | None = None

    def results(self) -> Iterator[Result]:
        """All of them; whoever asks works too."""
        given = 0
        # In this order: once it is over, no more are taken, so what is counted then is all there is.
        while not self._is_over or given < self._taken:
            self._arrived.clear()
            while given in self._done:
                yield self._done.pop(given)
                given += 1
                self._room.release()
            if self._failure is not None:
                raise self._failure
            if not self._is_over and self._room.acquire(blocking=False):
                self._work_on_one()
            elif given < self._taken and given not in self._done:
                self._arrived.wait()

    def help(self) -> None:
        """Work until nothing is left."""
        try:
            while not self._is_over and self._room.acquire():
                self._work_on_one()
                self._arrived.set()
        except BaseException as error:  # noqa: BLE001 - whoever takes the results is told
            self._failure = error
            self._arrived.set()

    def dismiss(self, hands: int) -> None:
        """Nobody wants further results."""
        self._is_over = True
        self._room.release(hands)

    def _work_on_one(self) -> None:
        with self._reading:
            taken = next(self._numbered, None)
            if taken is None:
                self._is_over = True
                return
            self._taken += 1
        number, piece = taken
        self._done[number] = self._work(piece)
