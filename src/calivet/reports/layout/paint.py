"""Colour, where the reader's terminal has it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

from calivet.search.expressions import expression

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}

_CODE = f"(?:{'|'.join(_CODES.values())})"
OWN_CODES = expression(rf"(\x1b\[(?:0|{_CODE}(?:;{_CODE})*)m)")
"""What a painted text holds."""

STRENGTH = {"proof": "red", "strong": "yellow", "fair": "cyan", "weak": "dim", "against": "green"}
RISK = {"safe": "green", "disruptive": "yellow", "dangerous": "red"}
VERDICT = {"fault": "red", "healthy": "green", "insufficient": "yellow"}


class Paint:
    """Wraps text in colours, or leaves it as it is."""

    def __init__(self, *, colour: bool) -> None:
        """Say once whether to colour."""
        self._colour = colour

    def __call__(self, text: str, *styles: str) -> str:
        """The text in these styles."""
        if not self._colour or not styles or not text:
            return text
        return f"\033[{';'.join(_CODES[style] for style in styles)}m{text}\033[0m"


def is_colour_wanted(stream: TextIO, choice: str = "auto", environment: Mapping[str, str] = os.environ) -> bool:
    """As the reader says; else by the usual variables; else only on a terminal that knows colours."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("CLICOLOR_FORCE", "FORCE_COLOR")):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb" and environment.get("CLICOLOR") != "0"
