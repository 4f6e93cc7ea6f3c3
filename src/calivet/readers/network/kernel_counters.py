"""Counters of the kernel's network stack (/proc/net/netstat, `nstat`, `netstat -s`): those that a sign asks for."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import KernelCounter
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

# Segments that were dropped because their signature (RFC 2385) was wrong, missing, or not expected.
_WANTED = ("TCPMD5Failure", "TCPMD5NotFound", "TCPMD5Unexpected")
_NAMES = "|".join(_WANTED)
_TABLE = "TcpExt:"
_ROW = expression(rf"^\s*(?:TcpExt(?P<listed>{_NAMES})\s+|(?P<described>{_NAMES}): ?)(?P<value>\d{{1,20}})\b")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        for name, value in _counters(artifact.lines, index):
            reading.facts.append(
                KernelCounter(at=artifact.at(index), host=machines.at(index), name=name, value=int(value))
            )
        reading.claim(index, index + 1)
    return reading


def _counters(lines: list[str], index: int) -> list[tuple[str, str]]:
    """One from a row of a tool; the kernel's own table has a line of names above a line of figures."""
    if row := _ROW.match(lines[index]):
        return [(row["listed"] or row["described"], row["value"])]
    figures, names = lines[index].split(), lines[index - 1].split() if index else []
    if figures[0] != _TABLE or names[:1] != [_TABLE] or len(names) != len(figures):
        return []
    return [(name, value) for name, value in zip(names, figures, strict=True) if name in _WANTED and value.isdigit()]


READER = Reader(
    kind="kernel-counters", anchor=expression(rf"^\s*(?:TcpExt: \S|TcpExtTCP\w+\s+\d|(?:{_NAMES}): ?\d)"), read=_read
)
