"""Ctrl-C in tests."""

from __future__ import annotations

import signal


def hear_interrupts() -> None:
    """For a child, before it runs: a suite that was started in the background has SIGINT ignored, and hands that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
