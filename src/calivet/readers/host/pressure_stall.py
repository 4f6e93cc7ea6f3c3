"""Pressure stall information: the files of /proc/pressure, one at a time or grepped together."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Pressure
from calivet.readers.command import file_named
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_LINE = expression(
    r"^\s*(?:/proc/pressure/(?P<resource>cpu|memory|io):)?(?P<kind>some|full) avg10=[\d.]+"
    r" avg60=(?P<minute>\d{1,3}\.\d+) "
)


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each resource, at the line for `some`; the line for `full` follows it, where the kernel has one."""
    reading = Reading()
    machines = subjects(artifact)
    named = (file_named(artifact, "/proc/pressure/") or "").rpartition("/")[2]
    for index in anchors:
        line = _LINE.match(artifact.lines[index])
        resource = (line["resource"] or named) if line else ""
        if not line or not resource:
            continue
        reading.claim(index, index + 1)
        if line["kind"] == "some":
            below = _LINE.match(artifact.lines[index + 1]) if index + 1 < len(artifact.lines) else None
            full = float(below["minute"]) if below and below["kind"] == "full" else None
            reading.facts.append(
                Pressure(
                    at=artifact.at(index),
                    host=machines.at(index),
                    resource=resource,
                    some=float(line["minute"]),
                    full=full,
                )
            )
    return reading


READER = Reader(kind="pressure", anchor=expression(r"^\s*(?:/proc/pressure/\w+:)?(?:some|full) avg10=\d"), read=read)
