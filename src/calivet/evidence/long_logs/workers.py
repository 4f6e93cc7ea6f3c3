"""Threads and processes that share the work on a stream: on all cores, in its order, with few pieces in memory."""

from __future__ import annotations

import os
import pickle
import select
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from threading import Event, Lock, Semaphore, Thread
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar, cast
from weakref import finalize

from calivet.evidence.isolated_python import search_path, start_python

if TYPE_CHECKING:
    from subprocess import Popen


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


Request = TypeVar("Request")
Answer = TypeVar("Answer")

_BEGIN = "import sys; sys.path[:] = sys.argv[1:]; from calivet.evidence.long_logs.workers import serve; serve()"
_PATIENCE = 5.0
"""Seconds for a process that was killed: one that hangs in the kernel is left behind."""
CAN_WAIT = hasattr(select, "poll")
_serving: list[int] = []


def is_worker() -> bool:
    """Whether this process is itself one of many that use all cores."""
    return bool(_serving)


class WorkerProcess(Generic[Request, Answer]):
    """Asked by one thread at a time. Where it is gone, asking raises EOFError or OSError."""

    def __init__(self, work: Callable[[Request], Answer]) -> None:
        """Started afresh rather than forked: threads do not survive a fork."""
        import subprocess

        self.process = start_python("-c", _BEGIN, *search_path(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.end = finalize(self, _end, self.process)
        """Ends it now; else it ends with this object."""
        self._requests = cast("IO[bytes]", self.process.stdin)
        self._answers = cast("IO[bytes]", self.process.stdout)
        with suppress(EOFError, OSError):  # whoever asks it first hears that it is gone
            self._write((sys.argv, work))

    def ask(self, request: Request) -> Answer:
        """One after the other."""
        self.send(request)
        return self.receive()

    def send(self, request: Request) -> None:
        """An answer follows."""
        self._write(request)

    def has_answer(self, seconds: float) -> bool:
        """Whether one comes, or the process ends, within this time; Windows cannot tell, so there it is waited for."""
        if not CAN_WAIT:
            return True
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))

    def receive(self) -> Answer:
        """What came of the oldest request."""
        try:
            answer: Answer = pickle.load(self._answers)  # noqa: S301 - from a process of our own
        except (pickle.UnpicklingError, ValueError):  # it died while it wrote, or the pipe was closed here
            raise EOFError from None
        return answer

    def _write(self, message: Any) -> None:
        try:
            pickle.dump(message, self._requests, pickle.HIGHEST_PROTOCOL)
            self._requests.flush()
        except ValueError:  # the pipe was closed here
            raise EOFError from None


def _end(process: Popen[bytes]) -> None:
    import subprocess

    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what still waited to be sent
            cast("IO[bytes]", pipe).close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE)


def serve() -> None:
    """Runs in the process: works until nobody asks any more."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Whoever reads standard input or prints here disturbs nobody.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    _serving.append(os.getpid())
    if CAN_WAIT:
        Thread(target=_end_with_parent, args=(requests.fileno(),), daemon=True).start()
    try:
        sys.argv, work = pickle.load(requests)  # noqa: S301 - calivet itself asks
        while True:
            pickle.dump(work(pickle.load(requests)), answers, pickle.HIGHEST_PROTOCOL)  # noqa: S301 - the same
            answers.flush()
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _end_with_parent(requests: int) -> None:
    """A pipe that nobody can write to any more tells that whoever asked is gone, in the middle of the work too."""
    waiting = select.poll()
    waiting.register(requests, 0)
    waiting.poll()
    os._exit(0)
