"""Searches logs for patterns with insights-core: `python with_insights.py PATTERNS FOLDER`.

Its parsers of logs keep lines for scanners, which are functions over these lines: here one for each pattern.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from insights.core import LogFileOutput
from insights.tests import context_wrap


class Log(LogFileOutput):  # type: ignore[misc]
    """Any log."""


def scanner(pattern: str) -> Callable[[Any], list[str]]:
    """Gives the lines that the pattern is in."""
    search = re.compile(pattern, re.IGNORECASE).search
    return lambda log: [line for line in log.lines if search(line)]


names = []
for number, each in enumerate(Path(sys.argv[1]).read_text("utf-8").splitlines()):
    names.append(f"found_{number}")
    Log.scan(names[-1], scanner(each))
found = 0
for place in sorted(Path(sys.argv[2]).rglob("*.log")):
    log = Log(context_wrap(place.read_text("utf-8"), path=str(place)))
    found += sum(len(getattr(log, name)) for name in names)
print(found)
