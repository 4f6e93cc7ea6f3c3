"""What an engine is, and the one that every machine has: processes of its own, each within limits."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from calivet.evidence.long_logs.workers import WorkerProcess, count_cores
from calivet.messages.message import Message, MessageError, make_verbatim, message

if TYPE_CHECKING:
    from calivet.catalogue.model import Catalogue
    from calivet.signs.sign_detector import SignDetector


Work = Callable[[str], bytes]
"""Done in another process, perhaps on another machine: from a path to JSON. It must be picklable, and small."""
CRASHED = message("engine.crashed")


class Limits(Struct, frozen=True):
    """What one path may cost, so that it cannot hold up the others."""

    seconds: float = 300.0
    memory: int = 2 << 30
    """Bytes that are its own, beside those of files and libraries."""


class Failure(Struct, frozen=True):
    """Nothing came of a path, and why."""

    why: Message
    died: bool = False
    """The process died: that may have been another path's doing."""


Outcome = bytes | Failure
Outcomes = Generator[tuple[str, Outcome], None, None]
"""To be closed where not all are wanted: then workers stop."""


class PathError(MessageError):
    """Nothing can come of this path; the message is for the user."""


class EngineError(MessageError):
    """The engine cannot be used; the message is for the user."""


class Engine(Protocol):
    """Runs work on many paths, of which it holds only a few at a time."""

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """Each path with what came of it, in any order."""
        ...

    def close(self) -> None:
        """Leave nothing running."""
        ...


def run_each_once(engine: Engine, work: Work, paths: Iterable[str]) -> Outcomes:
    """Each path once. Where a process died, all it might have been working on is tried again, one path at a time."""
    suspects = []
    for path, outcome in engine.run(work, paths):
        if isinstance(outcome, Failure) and outcome.died:
            suspects.append(path)
        else:
            yield path, outcome
    for path in suspects:
        yield from engine.run(work, [path])


def attempt_work(work: Work, path: str) -> Outcome:
    """Runs in the worker: whatever goes wrong with one path is told like a result, in words that any process reads."""
    try:
        return work(path)
    except PathError as error:
        return Failure(error.message)
    except OSError as error:
        return Failure(_find_reason(error))
    except Exception as error:  # noqa: BLE001 - a bug that one bundle meets must not cost the others
        return Failure(make_verbatim(f"{type(error).__name__}: {error}"))


def _find_reason(error: OSError) -> Message:
    if isinstance(error, FileNotFoundError):
        return message("engine.missing")
    known = getattr(error, "message", None)
    return known if isinstance(known, Message) else make_verbatim(error.strerror or str(error))


def describe_unreachable(engine: str, address: str | None, error: Exception) -> Message:
    """There is no such cluster, or it does not answer."""
    return message("engine.unreachable", engine=engine, address=address or message("engine.here"), why=str(error))


OwnFiles = tuple[tuple[str, bytes], ...]
"""The user's own cause files, by name: they travel with the work, for another machine does not have them."""


@lru_cache(maxsize=1)
def load_knowledge(own: OwnFiles) -> tuple[Catalogue, SignDetector]:
    """Catalogue and scanner: taken once, however many paths a worker works on."""
    from calivet.signs.sign_detector import prepare_detector

    return prepare_detector(dict(own))


POLL_SECONDS = 0.05
"""Seconds from one look at a worker to the next: memory can grow by no more than some 200 MB in between."""
WORN = 0.5
"""Of the memory allowed: a worker that still holds so much after a path makes room for a fresh one."""


class LimitedWorker:
    """One process at a time, started when there is something to do. Asked by one thread, ended by any."""

    def __init__(self, work: Work, limits: Limits) -> None:
        """Nothing runs yet."""
        self.work, self.limits = work, limits
        self._process: WorkerProcess[str, Outcome] | None = None
        self._starting = Lock()
        self._is_closed = False

    def run(self, path: str) -> Outcome:
        """What came of it, or why nothing did."""
        if (process := self._ensure_started()) is None:
            return Failure(CRASHED, died=True)
        begun = monotonic()
        try:
            process.send(path)
            while not process.has_answer(POLL_SECONDS):
                if why := self._check_limits(process, begun):
                    self.end()
                    return Failure(why)
            outcome = process.receive()
        except (EOFError, OSError):
            self.end()
            return Failure(CRASHED, died=True)
        if measure_memory(process.process.pid) > WORN * self.limits.memory:
            self.end()
        return outcome

    def end(self) -> None:
        """Leave nothing running; the next path has a new process."""
        process, self._process = self._process, None
        if process:
            process.end()

    def close(self) -> None:
        """The same, and nothing is started any more."""
        with self._starting:
            self._is_closed = True
        self.end()

    def _ensure_started(self) -> WorkerProcess[str, Outcome] | None:
        with self._starting:
            if self._is_closed:
                return None
            if self._process is None or self._process.process.poll() is not None:
                self.end()
                work: Callable[[str], Outcome] = partial(attempt_work, self.work)
                self._process = WorkerProcess(work)
            return self._process

    def _check_limits(self, process: WorkerProcess[str, Outcome], begun: float) -> Message | None:
        if monotonic() - begun > self.limits.seconds:
            return message("engine.too_long", seconds=f"{self.limits.seconds:g}")
        if measure_memory(process.process.pid) > self.limits.memory:
            return message("engine.too_much", megabytes=self.limits.memory >> 20)
        return None


def measure_memory(process: int) -> int:
    """Bytes that are the process's own; 0 where the system does not tell.

    Not what a limit of the system counts: that would include what is only mapped (the scanner's tables, a long file)
    or only set aside (for threads), and a reader that runs against it may go on with half of what it read.
    """
    try:
        _, resident, shared, *_ = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


class ClusterWorker:
    """For a worker of a cluster: the process that works there for it, whichever task comes, one at a time."""

    def __init__(self) -> None:
        """Nobody works yet."""
        self._turn = Lock()
        self._worker: LimitedWorker | None = None

    def run(self, work: Work, limits: Limits, path: str) -> Outcome:
        """As the same task would be done on one machine."""
        with self._turn:
            if self._worker is None or (self._worker.work, self._worker.limits) != (work, limits):
                self.end()
                self._worker = LimitedWorker(work, limits)
            return self._worker.run(path)

    def end(self) -> None:
        """Leave nothing running."""
        if self._worker:
            self._worker.end()


_turns = ClusterWorker()


def run_in_turn(work: Work, limits: Limits, path: str) -> Outcome:
    """Runs in a worker of a cluster, which may have several threads."""
    return _turns.run(work, limits, path)


def end_turns() -> None:
    """Runs in a worker of a cluster that goes on without calivet."""
    _turns.end()


AHEAD = 4
"""Paths handed out for each worker, so that none waits while answers are written, and little is lost when one dies."""
JOIN_SECONDS = 0.05
"""Seconds in which a thread ends whose process was ended."""


class Local:
    """Processes here."""

    def __init__(self, jobs: int | None, limits: Limits | None = None) -> None:
        """As many at once as asked for, or as there are cores to use."""
        self._jobs, self._limits = jobs or count_cores(), limits or Limits()

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """What one path does to its process costs no other: the next one has a new process."""
        crew = _WorkerThreads([LimitedWorker(work, self._limits) for _ in range(self._jobs)], iter(paths))
        try:
            yield from crew.yield_results()
        finally:
            crew.dismiss()

    def close(self) -> None:
        """The processes ended with their work."""


class _WorkerThreads:
    """A thread for each worker: it hands out a path, watches, and takes back what came of it."""

    def __init__(self, workers: list[LimitedWorker], waiting: Iterator[str]) -> None:
        self._workers, self._waiting = workers, waiting
        self._taking, self._room = Lock(), Semaphore(AHEAD * len(workers))
        self._done: SimpleQueue[tuple[str, Outcome] | BaseException | None] = SimpleQueue()
        self._is_over = False
        self._threads = [Thread(target=self._serve, args=(worker,), daemon=True) for worker in workers]

    def yield_results(self) -> Iterator[tuple[str, Outcome]]:
        """All of them, as they come."""
        for thread in self._threads:
            thread.start()
        working = len(self._threads)
        while working:
            result = self._done.get()
            if result is None:
                working -= 1
            elif isinstance(result, OSError):
                raise EngineError(message("engine.no_process", why=result.strerror or str(result)))
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result
                self._room.release()

    def dismiss(self) -> None:
        """Nobody wants further results: no process and no thread is left behind."""
        self._is_over = True
        self._room.release(len(self._threads))
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            while thread.is_alive():
                thread.join(JOIN_SECONDS)

    def _serve(self, worker: LimitedWorker) -> None:
        """Until no path is left."""
        try:
            while self._room.acquire() and (path := self._take_next()) is not None:
                self._done.put((path, worker.run(path)))
            self._done.put(None)
        except BaseException as error:  # noqa: BLE001 - whoever takes the results is told
            self._done.put(error)

    def _take_next(self) -> str | None:
        with self._taking:
            return None if self._is_over else next(self._waiting, None)
