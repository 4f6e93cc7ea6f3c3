"""Letters that an encoding does not have: the marks of a report get stand-ins that still tell them apart."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable
from typing import TextIO

STAND_INS = {"✓": "+", "✗": "x", "·": "-", "│": "|", "→": "->", "…": "...", "（": "(", "）": ")", "：": ":", "，": ","}
_NAME = "calivet-stand-ins"


def never_fail(streams: Iterable[TextIO]) -> None:
    """Let these streams write whatever they are given."""
    codecs.register_error(_NAME, _stand_in)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(STAND_INS.get(letter, "?") for letter in error.object[error.start : error.end]), error.end
