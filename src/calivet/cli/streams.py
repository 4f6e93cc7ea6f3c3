"""The standard streams: none is missing, none loses half of what it is given, and one that is gone holds nobody up."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def prepare() -> None:
    """Once, before anything is read or written."""
    for name, mode in _MODES.items():
        if getattr(sys, name) is None:
            # Opened in this order it takes the closed one's number, so that no file of ours can ever get it.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - as long as calivet runs
    sys.stdout = _buffered(sys.stdout)


def abandon() -> None:
    """What still waits to be written goes nowhere: its reader has left, cannot take it, or is not to be waited for."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _buffered(stream: TextIO) -> TextIO:
    """Under PYTHONUNBUFFERED a disk that takes half a report would pass for one that took it all."""
    if isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.RawIOBase):
        return open(stream.fileno(), "w", encoding=stream.encoding, errors=stream.errors, closefd=False)
    return stream
