"""Runs a program within bounds: of time, of output, and of the operator's patience. What came until then is kept."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import subprocess

GLANCE = 0.2
"""Seconds between two looks at the clock and at whether the operator still waits."""
AT_ONCE = 1 << 16
MOST_ERRORS = 1 << 16
"""Bytes of standard error that are worth keeping."""
GRACE = 1.0
"""Seconds a program has to end when it is asked to."""


class How(Enum):
    """What ended it."""

    ITSELF = auto()
    DEADLINE = auto()
    TOO_MUCH = auto()
    INTERRUPTED = auto()


class Bounds(Struct, frozen=True):
    """How far it may go."""

    ends: float
    """The moment of `time.monotonic` at which it must be over."""
    size: int
    """Bytes of output."""


class Ended(Struct, frozen=True):
    """What came of it."""

    how: How
    code: int
    out: bytes
    errors: str


def run(
    command: Sequence[str],
    given: bytes,
    bounds: Bounds,
    interrupted: Event,
    environment: Mapping[str, str] | None = None,
    root: str | None = None,
) -> Ended:
    """Runs it with this on standard input, in another root if one is named. OSError where it cannot be started."""
    import subprocess
    from tempfile import TemporaryFile

    # A file, not a pipe: nobody has to feed it, and a program that does not read does not block anyone.
    with TemporaryFile() as script:
        script.write(given)
        script.seek(0)
        # A session of its own: it cannot ask on the operator's terminal, Ctrl-C is for calivet alone, and what it
        # starts, a jump host's ssh for one, can be ended with it.
        with subprocess.Popen(
            command,
            stdin=script,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
            preexec_fn=None if root is None else partial(_enter, root),  # noqa: PLW1509 - no thread runs yet
        ) as process:
            try:
                how, out, errors = _watch_process(process, bounds, interrupted)
            finally:
                _end(process)
        return Ended(how, process.returncode, out, errors.decode("utf-8", "replace"))


def _enter(root: str) -> None:
    os.chroot(root)
    os.chdir("/")


def _watch_process(process: subprocess.Popen[bytes], bounds: Bounds, interrupted: Event) -> tuple[How, bytes, bytes]:
    """Reads along until the program has ended.

    Not until its pipes are closed: ssh may leave a shared connection behind that keeps them open.
    """
    out, errors = bytearray(), bytearray()
    with selectors.DefaultSelector() as pipes:
        for pipe, kept in ((process.stdout, out), (process.stderr, errors)):
            if pipe:
                pipes.register(pipe, selectors.EVENT_READ, kept)
        while True:
            over = process.poll() is not None
            ready = _wait_for_pipes(process, pipes, 0 if over else GLANCE)
            if over and not ready:
                return How.ITSELF, bytes(out), bytes(errors)
            for key in ready:
                _take(key, pipes)
            del errors[MOST_ERRORS:]
            if how := _find_exceeded_bound(bounds, len(out), interrupted):
                return how, bytes(out[: bounds.size]), bytes(errors)


def _wait_for_pipes(
    process: subprocess.Popen[bytes], pipes: selectors.BaseSelector, seconds: float
) -> list[selectors.SelectorKey]:
    """The pipes that have something; once both are closed there is only the end to wait for."""
    import subprocess

    if pipes.get_map():
        return [key for key, _ in pipes.select(seconds)]
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return []


def _take(key: selectors.SelectorKey, pipes: selectors.BaseSelector) -> None:
    if data := os.read(key.fd, AT_ONCE):
        key.data.extend(data)
    else:
        pipes.unregister(key.fileobj)


def _find_exceeded_bound(bounds: Bounds, size: int, interrupted: Event) -> How | None:
    if interrupted.is_set():
        return How.INTERRUPTED
    if size > bounds.size:
        return How.TOO_MUCH
    return How.DEADLINE if time.monotonic() > bounds.ends else None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Politely, then not: ssh takes its control sockets with it when it is asked."""
    import subprocess

    for strength in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, strength)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
