"""calivet on a terminal of its own: what the screen shows, and Ctrl-C pressed at a chosen moment."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.interrupts import hear_interrupts

PATIENCE = 120  # seconds without a sign of life; only a hanging program gets there
ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "", "COLUMNS": "100", "LINES": "40", "TERM": "xterm"}


class Terminal:
    """One run; ends with the `with` block."""

    def __init__(self, *arguments: str | Path) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "calivet", *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **ENVIRONMENT},
            start_new_session=True,
            preexec_fn=hear_interrupts,  # noqa: PLW1509 - it sets a signal and nothing else
        )
        os.close(theirs)
        self.screen = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def until(self, seen: Callable[[str], bool]) -> str:
        """Reads until the text since the start satisfies this."""
        while not seen(self.screen):
            if not self._read():
                raise AssertionError(f"it ended without a word of that:\n{self.screen}")
        return self.screen

    def press_interrupt(self) -> None:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Reads to the end; gives the exit code."""
        while self._read():
            pass
        return self.process.wait()

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], PATIENCE)
        assert ready, f"no sign of life:\n{self.screen}"
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.screen += data.decode("utf-8", "replace")
        return bool(data)
