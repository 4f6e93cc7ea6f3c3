"""Patience with a server that is busy, restarting or half dead: a few tries, never past the deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event

from calivet.live.trouble import Trouble

WAITS = (0.2, 0.5, 1.0)
"""Seconds between the tries, unless the server asks for more."""
TRIES = 1 + len(WAITS)


def persist(attempt: Callable[[], bytes], deadline: float, closed: Event) -> bytes:
    """What the attempt gives, tried again while that makes sense; the last trouble where it never does."""
    for wait in WAITS:
        try:
            return attempt()
        except Trouble as trouble:
            if trouble.again is None:
                raise
            pause = max(wait, trouble.again)
            if time.monotonic() + pause >= deadline:
                trouble.message += (
                    f"; it asks to wait {trouble.again:.0f} s, which is too long" if trouble.again else ""
                )
                raise
            if closed.wait(pause):
                raise
    return attempt()
