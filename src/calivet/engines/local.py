"""All cores of this machine: worker processes that live as long as there is work, and no longer than calivet."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice

from calivet.engines.engine import CRASHED, Failure, Outcome, Outcomes, Work, attempt
from calivet.evidence.side_by_side import cores

AHEAD = 4
"""Paths handed out for each worker, so that none waits while answers are written, and little is lost when one dies."""


class Local:
    """Processes here."""

    def __init__(self, jobs: int | None) -> None:
        """As many at once as asked for, or as there are cores to use."""
        self._jobs = jobs or cores()

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """One process that dies takes the whole pool with it; the paths not yet handed out go to a new one."""
        waiting = iter(paths)
        broken = True
        while broken:
            with _workers(self._jobs) as pool:
                broken = yield from self._through(pool, work, waiting)

    def close(self) -> None:
        """The processes ended with their work."""

    def _through(
        self, pool: ProcessPoolExecutor, work: Work, waiting: Iterator[str]
    ) -> Generator[tuple[str, Outcome], None, bool]:
        """Hands out and takes back until all is done, or the pool is broken."""
        running: dict[Future[Outcome], str] = {}
        broken = False
        while True:
            room = 0 if broken else AHEAD * self._jobs - len(running)
            running |= {_submitted(pool, work, path): path for path in islice(waiting, room)}
            if not running:
                return broken
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                outcome = _outcome(future)
                broken |= isinstance(outcome, Failure) and outcome.died
                yield running.pop(future), outcome


def _submitted(pool: ProcessPoolExecutor, work: Work, path: str) -> Future[Outcome]:
    try:
        return pool.submit(attempt, work, path)
    except BrokenProcessPool as error:
        lost: Future[Outcome] = Future()
        lost.set_exception(error)
        return lost


def _outcome(future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except BrokenProcessPool:
        return Failure(CRASHED, died=True)


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Started afresh rather than forked: a library's threads here do not survive a fork. Left early, they are ended."""
    from multiprocessing import active_children, get_context

    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.terminate()
        raise
    pool.shutdown()


def _begin() -> None:
    """Ctrl-C ends a worker without a word, and none outlives the process that started it."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)
