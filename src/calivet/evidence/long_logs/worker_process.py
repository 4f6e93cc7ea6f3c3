"""A process that does one kind of work for this one, on whatever it is sent, and lives no longer."""

from __future__ import annotations

import os
import pickle
import select
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar, cast
from weakref import finalize

from calivet.evidence.isolated_python import search_path, start_python

if TYPE_CHECKING:
    from subprocess import Popen

Request = TypeVar("Request")
Answer = TypeVar("Answer")

_BEGIN = "import sys; sys.path[:] = sys.argv[1:]; from calivet.evidence.long_logs.worker_process import serve; serve()"
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
