"""`sha256sum` of the numbers that tell machines apart, as calivet's probe prints them."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import MachineIdentity
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

_SUM = expression(r"^(?P<digest>[0-9a-f]{64}) [ *](?:/etc/|/sys/class/dmi/id/)(?P<name>machine-id|product_uuid)\s*$")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each sum."""
    reading = Reading()
    machines = Machines(artifact)
    for index in anchors:
        if found := _SUM.match(artifact.lines[index]):
            fact = MachineIdentity(
                at=artifact.at(index), host=machines.at(index), name=found["name"], digest=found["digest"]
            )
            reading.facts.append(fact)
            reading.claim(index, index + 1)
    return reading


READER = Reader(kind="machine-identity", anchor=_SUM, read=read)
