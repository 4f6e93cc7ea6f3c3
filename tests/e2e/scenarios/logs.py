"""Turns the words of a log into the log itself: puts the head on each line that the program would have put there.

In the words, `[INFO][9] ...` is a line of Calico, `I@ ...` one of a Kubernetes component, `@now@` in any other line is where
its moment goes. `... 30s` says that nothing was written for so long; what follows `... now` was written only lately.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from textwrap import dedent

from tests.e2e.bed.container_log import ContainerLog

STEP = timedelta(milliseconds=7)
LATELY = "... now\n"
PAUSE = re.compile(r"\.\.\. (?P<seconds>\d+)s")
CALICO = re.compile(r"\[[A-Z]+\]\[\d+\] ")
KLOG = re.compile(r"(?P<level>[IWEF])@ (?P<message>.*)")


def log(words: str, *, begun: datetime | None = None, ended: datetime) -> ContainerLog:
    """The log whose last line was written at `ended`; where it began is told, or follows from its pauses."""
    early, _, late = dedent(words).partition(LATELY)
    first, last = _after(early), _after(late)
    if late or not begun:
        last = last or first
        lines = _from(ended - last[-1][0] if last else ended, last)
        return ContainerLog(_from(begun, first) + lines if late and begun else lines)
    return ContainerLog(_from(begun, first))


def _after(words: str) -> list[tuple[timedelta, str]]:
    """Each line, and how long after the first it was written."""
    lines, passed = [], timedelta()
    for line in filter(None, words.splitlines()):
        if pause := PAUSE.fullmatch(line):
            passed += timedelta(seconds=int(pause["seconds"]))
        else:
            passed += STEP
            lines.append((passed, line))
    return lines


def _from(first: datetime, lines: list[tuple[timedelta, str]]) -> list[tuple[datetime, str]]:
    return [(first + passed, _with_head(line, first + passed)) for passed, line in lines]


def _with_head(line: str, moment: datetime) -> str:
    if CALICO.match(line):
        return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03} {line}"
    if kubernetes := KLOG.fullmatch(line):
        return f"{kubernetes['level']}{moment:%m%d %H:%M:%S.%f}       1 {kubernetes['message']}"
    return line.replace("@now@", f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z")
