"""The neighbour table: `ip neigh` and `arp -n`."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Neighbour
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

_ADDRESS = r"(?P<address>\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]*:[\da-fA-F:.]*)"
_HARDWARE = r"(?P<hardware>(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2})"
_STATES = "REACHABLE|STALE|DELAY|PROBE|FAILED|INCOMPLETE|PERMANENT|NOARP|NONE"
_IP = expression(
    rf"^\s*{_ADDRESS} dev (?P<device>\S+)\s+(?:lladdr {_HARDWARE} )?(?:(?:router|proxy|extern_learn|managed) )*"
    rf"(?P<state>{_STATES})\b"
)
_ARP = expression(rf"^\s*{_ADDRESS}\s+(?:ether\s+{_HARDWARE}\s+(?P<flags>[CMP]+)|\(incomplete\))\s+(?P<device>\S+)\s*$")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        line = artifact.lines[index]
        found = _IP.match(line) or _ARP.match(line)
        if not found:
            continue
        reading.claim(index, index + 1)
        hardware = found["hardware"]
        known = "REACHABLE" if hardware else "INCOMPLETE"
        reading.facts.append(
            Neighbour(
                at=artifact.at(index),
                host=machines.at(index),
                address=found["address"],
                device=found["device"],
                hardware=hardware.lower() if hardware else None,
                state=found.groupdict().get("state") or known,
            )
        )
    return reading


READER = Reader(
    kind="ip-neigh",
    anchor=expression(
        rf"^\s*[\da-fA-F.:]+ dev \S+\s+(?:lladdr |.*\b(?:{_STATES})\b)"
        r"|^\s*[\da-fA-F.:]+\s+(?:ether\s+[\da-fA-F]|\(incomplete\))"
    ),
    read=_read,
)
