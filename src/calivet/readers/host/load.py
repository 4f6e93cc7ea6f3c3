"""Load and CPUs: `uptime`, `w`, the head of `top`, /proc/loadavg, `nproc`, `lscpu`; of one host or of many."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Fact
from calivet.facts.host import Cpu, Load
from calivet.readers.command import asked, output_lines
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, Subjects, subjects

# Some locales write 0,52 for 0.52.
_NUMBER = r"(\d+(?:[.,]\d{1,2})?)"
_AVERAGES = expression(rf"(?:load averages?|平均负载)\s*[:：]\s*{_NUMBER}(?:,?\s+{_NUMBER})?(?:,?\s+{_NUMBER})?")
_PROC_LOADAVG = expression(rf"^\s*{SPEAKER}(\d+\.\d\d) (\d+\.\d\d) (\d+\.\d\d) \d+/\d+ \d+\s*$")
_UPTIME_SPEAKER = expression(
    r"^\s*\[?(?P<speaker>[A-Za-z0-9][\w.-]*)\]?"
    r"(?:\s*(?::|\||->|=>)\s+(?:\d{1,2}:\d\d|up\s|load average)|\s+\d\d:\d\d(?::\d\d)? +up\s)"
)
_IDLE = expression(r"Cpu\(s\):.*?(\d+(?:[.,]\d+)?)\s*%?\s*id\b|^\s*CPU:.*?(\d+(?:\.\d+)?)% idle", re.IGNORECASE)
_LSCPU = expression(rf"^\s*{SPEAKER}CPU\(s\):\s+(\d+)\s*$")
_COUNTING = expression(r"\bnproc\b|\bgrep\s+-c\s+\S*processor\b")
_BARE_COUNT = expression(rf"^{SPEAKER}(\d{{1,4}})$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Each line speaks for itself; only a bare number needs the command beside it."""
    reading = Reading()
    machines = subjects(artifact)
    for index in anchors:
        line = artifact.lines[index]
        fact = _load(artifact, index, line, machines) or _cpu(artifact, index, line, machines)
        if fact:
            reading.facts.append(fact)
            reading.claim(index, index + 1)
    _read_counts(artifact, machines, reading)
    return reading


def _load(artifact: Artifact, index: int, line: str, machines: Subjects) -> Fact | None:
    if found := _AVERAGES.search(line):
        speaker, numbers = _UPTIME_SPEAKER.search(line), found.groups()
    elif found := _PROC_LOADAVG.search(line):
        speaker, numbers = found, found.groups()[1:]
    else:
        return None
    one, five, fifteen = (_number(number) for number in numbers)
    if one is None:
        return None
    host = machines.at(index, speaker["speaker"] if speaker else None)
    return Load(at=artifact.at(index), host=host, one=one, five=five, fifteen=fifteen)


def _cpu(artifact: Artifact, index: int, line: str, machines: Subjects) -> Fact | None:
    if found := _LSCPU.search(line):
        return Cpu(at=artifact.at(index), host=machines.at(index, found["speaker"]), count=int(found[2]))
    if found := _IDLE.search(line):
        return Cpu(at=artifact.at(index), host=machines.at(index), idle=_number(found[1] or found[2]))
    return None


def _read_counts(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """The first bare number of each machine is what `nproc` printed."""
    if not asked(artifact, _COUNTING):
        return
    seen: set[str | None] = set()
    for index, text in output_lines(artifact):
        found = _BARE_COUNT.match(text)
        host = machines.at(index, found["speaker"]) if found else None
        if found and host not in seen:
            seen.add(host)
            reading.facts.append(Cpu(at=artifact.at(index), host=host, count=int(found[2])))
            reading.claim(index, index + 1)


def _number(text: str | None) -> float | None:
    return float(text.replace(",", ".")) if text else None


READER = Reader(
    kind="load",
    anchor=expression(
        rf"^(?:{FRONT}(?:\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+/\d+ \d|%?Cpu\(s\):|CPU\(s\):|CPU: |\d{{1,4}}\s*$)"
        r"|.*load average|.*平均负载)"
    ),
    read=read,
)
