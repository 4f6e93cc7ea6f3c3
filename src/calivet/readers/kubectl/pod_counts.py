"""Pods counted by node: how calivet writes down what a large cluster has too many of to list."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import PodCount
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(r"^NODE +PODS +READY +WITHOUT-ADDRESS$")
_ROW = expression(r"^(?P<node>\S+) +(?P<pods>\d+) +(?P<ready>\d+) +(?P<waiting>\d+)$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact a node; the last row, the sum of all, is for people."""
    reading = Reading()
    for anchor in anchors:
        stop = anchor + 1
        while stop < len(artifact.lines) and (row := _ROW.match(artifact.lines[stop].rstrip())):
            if not row["node"].startswith("("):
                reading.facts.append(
                    PodCount(
                        at=artifact.at(stop),
                        host=row["node"],
                        node=row["node"],
                        pods=int(row["pods"]),
                        ready=int(row["ready"]),
                        waiting=int(row["waiting"]),
                    )
                )
            stop += 1
        reading.claim(anchor, stop)
    return reading


READER = Reader(kind="pod-counts", anchor=_ANCHOR, read=read)
