"""A program of the bed: started with its output in a file, waited for, ended; a failed start shows its last lines."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PATIENCE = 120.0
"""Seconds until a start counts as failed: only ever reached when something is broken, however slow the machine."""
PAUSE = 0.05
# The pipe on its standard input closes when the tests end, however they end; then nothing of it is left.
LEASH = """
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read _ <&3; kill -9 $child; rm -rf "$0"; } &
exec 3<&-
wait $child
"""


class StartError(Exception):
    """A program of the bed ended or stayed silent; says what it wrote last."""


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Program:
    """One child process, with a folder of its own."""

    def __init__(self, command: Sequence[str | Path], log: Path, folder: Path) -> None:
        self.name = Path(command[0]).name
        self.log = log
        self._ending = threading.Lock()
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                ["sh", "-c", LEASH, folder, *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                # Ctrl-C is for the tests, which then end this in order.
                start_new_session=True,
            )

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Returns once `ready` says so; raises as soon as the program has ended."""
        deadline = time.monotonic() + PATIENCE
        while not ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                lines = self.log.read_text("utf-8", "replace").splitlines()[-15:]
                self.kill()
                raise StartError(f"{self.name} does not start:\n" + "\n".join(lines))
            time.sleep(PAUSE)

    def kill(self) -> None:
        """Ends it at once, there is nothing to save; may be called again, and from any thread."""
        with self._ending:
            self.process.communicate()
