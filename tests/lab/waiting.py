"""Waiting for what a daemon of the lab does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds: only ever reached when something is broken, however slow the machine."""
PAUSE = 0.2


def until(holds: Callable[[], bool], what: str) -> None:
    """Returns once it holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: in vain")
        time.sleep(PAUSE)
