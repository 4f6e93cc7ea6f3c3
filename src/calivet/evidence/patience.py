"""Patience with file systems that hang: whoever asks one waits for so long and no longer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    import subprocess

SECONDS = 30.0
"""For one question: far more than a slow server needs for a part of a file."""

Answer = TypeVar("Answer")


class HangingError(OSError):
    """A file system that has not answered once is not asked again."""

    def __init__(self, mount: str) -> None:
        super().__init__(f"no answer within {SECONDS:.0f} s")
        self.mount, self.limit = mount, SECONDS


class Patience:
    """With one file system, which a process of its own asks; that one can be left behind, hang as it may."""

    def __init__(self, mount: str) -> None:
        """Nothing is asked yet."""
        self._mount = mount
        self._turn = Lock()
        self._asker: subprocess.Popen[bytes] | None = None
        self._over = False

    def ask(self, question: Callable[..., Answer], *details: str | int) -> Answer:
        """What the question of `files.py` returns or raises; HangingError where neither comes in time."""
        with self._turn:
            if self._over:
                raise HangingError(self._mount)
            self._over = True  # until the answer is there, also where Ctrl-C ends the waiting
            self._asker = self._asker or _asker()
            try:
                answer, failure = _answered(self._asker, question.__name__, details)
            except (EOFError, BrokenPipeError):  # it was killed, or time was up
                raise HangingError(self._mount) from None
            self._over = False
        if failure:
            raise OSError(*failure)
        found: Answer = answer
        return found


@cache
def patience_with(mount: str, _process: int) -> Patience:
    """The same for all that one process asks of a mount: what hung for one path hangs for the next."""
    return Patience(mount)


def _asker() -> subprocess.Popen[bytes]:
    """Out of reach of Ctrl-C, and with none of our files open: a pager would wait for it too."""
    import subprocess
    import sys

    from calivet.evidence import files

    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-S", str(files.__file__)]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True)


def _answered(asker: subprocess.Popen[bytes], question: str, details: tuple[str | int, ...]) -> Any:
    """The answer and the error; EOFError where there is neither."""
    import marshal

    asked, answers = cast("IO[bytes]", asker.stdin), cast("IO[bytes]", asker.stdout)
    asked.write(marshal.dumps((question, details)))
    asked.flush()
    if not _comes(answers.fileno()):
        raise EOFError
    return marshal.load(answers)  # noqa: S302 - from a process of our own


def _comes(pipe: int) -> bool:
    """Whether something arrives in time; it is written at once, so all of it does."""
    import select

    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    return bool(waiting.poll(SECONDS * 1000))
