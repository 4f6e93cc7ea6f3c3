"""Routing rules: `ip rule`."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import RoutingRule
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

_LINE = expression(
    r"^\s*(?P<priority>\d{1,10}):\s+(?P<selector>(?:not )?from \S.*?)\s+(?:lookup|table) (?P<table>\S+)(?P<rest>.*)$"
)


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        if found := _LINE.match(artifact.lines[index]):
            reading.claim(index, index + 1)
            reading.facts.append(
                RoutingRule(
                    at=artifact.at(index),
                    host=machines.at(index),
                    priority=int(found["priority"]),
                    selector=found["selector"],
                    table=found["table"],
                )
            )
    return reading


READER = Reader(kind="ip-rule", anchor=expression(r"^\s*\d+:\s+(?:not )?from \S.* (?:lookup|table) \S"), read=_read)
