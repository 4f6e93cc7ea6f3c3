"""What is written, where to, and how wide: standard output and error, files, and the terminal's layout."""

from __future__ import annotations

import argparse
import codecs
import io
import os
import re
import stat
import sys
from contextlib import suppress
from typing import TextIO

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.decoding.terminal import show, show_in_json
from calivet.reports.diagnosis.formats import FOR_TERMINALS
from calivet.reports.layout.terminal import OWN_CODES, Layout, is_colour_wanted
from calivet.search.expressions import expression

USUAL, WIDEST = 100, 120
"""Columns: where no terminal tells, and how many of a wide one are used; longer lines are hard to read."""


def make_layout(options: argparse.Namespace) -> Layout:
    """How to write on standard output."""
    colour = is_colour_wanted(sys.stdout, options.color)
    width = options.width or min(measure_terminal() or USUAL, WIDEST)
    verbose, brief = (getattr(options, name, False) for name in ("verbose", "brief"))
    return Layout(options.lang, width, colour=colour, verbose=verbose, brief=brief)


def measure_terminal() -> int:
    """Columns of the terminal that the output ends up on, straight or through a pager; 0 where there is none."""
    told = os.environ.get("COLUMNS", "")
    if told.isdigit() and int(told):
        return int(told)
    return _measure_columns(sys.stdout) or (_measure_columns(sys.stderr) if _is_pipe(sys.stdout) else 0)


def _measure_columns(stream: TextIO) -> int:
    with suppress(OSError, ValueError):  # no terminal, or no file at all
        return os.get_terminal_size(stream.fileno()).columns
    return 0


def _is_pipe(stream: TextIO) -> bool:
    with suppress(OSError, ValueError):
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    return False


STAND_INS = {"✓": "+", "✗": "x", "·": "-", "│": "|", "→": "->", "…": "...", "（": "(", "）": ")", "：": ":", "，": ","}
_NAME = "calivet-stand-ins"
_MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def prepare_streams() -> None:
    """Once, before anything is read or written."""
    for name, mode in _MODES.items():
        if getattr(sys, name) is None:
            # Opened in this order it takes the closed one's number, so that no file of ours can ever get it.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - as long as calivet runs
    sys.stdout = _buffer_stream(sys.stdout)
    codecs.register_error(_NAME, _replace_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def abandon_output() -> None:
    """What still waits to be written goes nowhere: its reader has left, cannot take it, or is not to be waited for."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _buffer_stream(stream: TextIO) -> TextIO:
    """Under PYTHONUNBUFFERED a disk that takes half a report would pass for one that took it all."""
    if isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.RawIOBase):
        return open(stream.fileno(), "w", encoding=stream.encoding, errors=stream.errors, closefd=False)
    return stream


def _replace_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(STAND_INS.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


JSON = ("json", "sarif")
_SET_APART = expression(r"([\u2068\u2069])")
_AT_TOP = "\x1b[H\x1b[J"


def has_colour(options: argparse.Namespace) -> bool:
    """Whether standard output is to be coloured."""
    return is_colour_wanted(sys.stdout, options.color)


def print_answer(text: str, options: argparse.Namespace) -> None:
    """An answer in the format that was asked for."""
    if options.output in JSON:
        print_json(text)
    elif options.output in FOR_TERMINALS:
        print_text(text, colour=options.output == "text" and has_colour(options))
    elif options.output == "html":
        print_page(text)
    else:
        print_lines(text)


def print_text(text: str, *, colour: bool = False) -> None:
    """What people read where it is printed, in the encoding of their terminal; of colours only calivet's own."""
    sys.stdout.write(_show_between(OWN_CODES, text) if colour else show(text))


def print_page(text: str) -> None:
    """What a browser reads, in UTF-8 whatever the locale; it sets names apart, and has taken such marks out of them."""
    _switch_to_utf8()
    sys.stdout.write(_show_between(_SET_APART, text))


def print_lines(text: str) -> None:
    """What programs read, in UTF-8 too."""
    _switch_to_utf8()
    sys.stdout.write(show(text))


def print_json(text: str | bytes) -> None:
    """The same for JSON, which must still say the same."""
    _switch_to_utf8()
    sys.stdout.write(show_in_json(text if isinstance(text, str) else text.decode()))


def tell(text: str) -> None:
    """On standard error: what is not part of the answer."""
    sys.stderr.write(show(text))


def complain(message: str) -> None:
    """What calivet says of itself on standard error: one clear line, or a few."""
    with suppress(OSError, ValueError):  # where nobody can hear it, the exit code still tells
        tell("".join(f"calivet: {line}\n" for line in clean_message(message).splitlines()))


def clean_message(message: str) -> str:
    """The same without secrets and without what would act on a terminal: arguments, paths and names hold both."""
    from calivet.redaction.redactor import Redactor

    return "\n".join(map(make_printable, Redactor().redact_text(message).splitlines()))


def clear_screen() -> None:
    """For a screen that is drawn anew in its place."""
    sys.stdout.write(_AT_TOP)


def redraw_line(text: str, *, ends: str = "") -> None:
    """The line at the cursor on standard error, in place of what stood there."""
    sys.stderr.write(f"\r{show(text)}\x1b[K{ends}")
    sys.stderr.flush()


def _show_between(own: re.Pattern[str], text: str) -> str:
    """Shows all but what calivet itself has put in."""
    return "".join(part if index % 2 else show(part) for index, part in enumerate(own.split(text)))


def _switch_to_utf8() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
