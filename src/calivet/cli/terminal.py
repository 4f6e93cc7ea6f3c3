"""The reader's terminal, as far as it and the options tell: how wide to write, and whether in colour."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from contextlib import suppress
from typing import TextIO

from calivet.reports.layout import Layout
from calivet.reports.paint import wants_colour

USUAL, WIDEST = 100, 120
"""Columns: where no terminal tells, and how many of a wide one are used; longer lines are hard to read."""


def layout(options: argparse.Namespace) -> Layout:
    """How to write on standard output."""
    colour = wants_colour(sys.stdout, options.color)
    width = options.width or min(terminal_width() or USUAL, WIDEST)
    return Layout(options.lang, width, colour=colour, verbose=getattr(options, "verbose", False))


def terminal_width() -> int:
    """Columns of the terminal that the output ends up on, straight or through a pager; 0 where there is none."""
    told = os.environ.get("COLUMNS", "")
    if told.isdigit() and int(told):
        return int(told)
    return _columns(sys.stdout) or (_columns(sys.stderr) if _is_pipe(sys.stdout) else 0)


def _columns(stream: TextIO) -> int:
    with suppress(OSError, ValueError):  # no terminal, or no file at all
        return os.get_terminal_size(stream.fileno()).columns
    return 0


def _is_pipe(stream: TextIO) -> bool:
    with suppress(OSError, ValueError):
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    return False
