"""Runs a program from a process that is small itself, and prints seconds, bytes, exit code and whether it was stopped.

On Linux a process begins with the memory peak of the one that started it, so a small one has to stand between. It loads
nothing but the standard library: `python -S -E between.py '{"output": ...}' PROGRAM ARGUMENT...`
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

OFTEN = 0.05
"""Seconds between two looks at the memory."""
UNIT = 1 if sys.platform == "darwin" else 1024


def family(process: int) -> Iterator[int]:
    """The process and all that it started."""
    yield process
    with suppress(OSError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            yield from family(int(child))


def held(process: int) -> int:
    """Bytes that a process and its children hold together; what they share counts once."""
    total = 0
    for each in family(process):
        with suppress(OSError):
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


class Watcher(Thread):
    """Looks at the memory of a process until it is done, and stops it when its time is over."""

    def __init__(self, process: int, limit: float, *, looks: bool) -> None:
        super().__init__(daemon=True)
        self._process, self._end, self._looks = process, time.perf_counter() + limit, looks
        self.done, self.most, self.stopped = Event(), 0, False

    def run(self) -> None:
        """In turns short enough to see a peak, or in one where nobody asked for the memory."""
        while (left := self._end - time.perf_counter()) > 0:
            if self.done.wait(min(OFTEN, left) if self._looks else left):
                return
            self.most = max(self.most, held(self._process) if self._looks else 0)
        self.stopped = True
        with suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)


def run(wish: dict[str, Any], command: list[str]) -> tuple[float, int, int, bool]:
    """Once, on some of the cores, watched or not, stopped when its time is over.

    A thread watches, because waiting with a limit would look only twenty times a second whether the program is done.
    """
    if wish["cores"]:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: wish["cores"]])
    with Path(wish["output"]).open("wb") as output, Path(wish["complaints"]).open("wb") as complaints:
        begun = time.perf_counter()
        child = subprocess.Popen(command, stdout=output, stderr=complaints, start_new_session=True)
        watcher = Watcher(child.pid, wish["limit"], looks=wish["watched"])
        watcher.start()
        try:
            child.wait()
            took = time.perf_counter() - begun
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
    watcher.done.set()
    watcher.join()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * UNIT
    return took, max(watcher.most, peak), child.returncode, watcher.stopped


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]), sys.argv[2:])))
