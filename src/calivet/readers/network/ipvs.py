"""`ipvsadm -L [-n]`: virtual servers with their backends."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import VirtualServer
from calivet.readers.inside import Machines
from calivet.readers.network.service_names import port_number
from calivet.readers.reader import Reader, Reading

_ENDS = r"(?P<address>\[[\da-fA-F:]+\]|[^\s:]+):(?P<port>[\w-]+)"
_SERVER = expression(rf"^\s*(?:TCP|UDP|SCTP)\s+{_ENDS}\s+(?:rr|wrr|lc|wlc|sh|dh|sed|nq|lblc|lblcr|mh|fo|ovf)\b")
_BACKEND = expression(rf"^\s*->\s+{_ENDS}\s+(?:Masq|Tunnel|Route|Local)\b")
_HEAD = expression(r"^\s*(?:IP Virtual Server version |Prot LocalAddress:Port |-> RemoteAddress:Port )")
_ANCHOR = expression(
    r"^\s*(?:(?:TCP|UDP|SCTP)\s+\S+:[\w-]+\s|->\s+\S+:|IP Virtual Server version |Prot LocalAddress:Port )"
)


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    servers: list[tuple[int, re.Match[str], list[str]]] = []
    for index in anchors:
        line = artifact.lines[index]
        server, backend = _SERVER.match(line), _BACKEND.match(line)
        if server:
            servers.append((index, server, []))
        elif backend and servers:
            servers[-1][2].append(f"{backend['address']}:{_port(backend['port'])}")
        elif not _HEAD.match(line):
            continue
        reading.claim(index, index + 1)
    for index, server, backends in servers:
        reading.facts.append(
            VirtualServer(
                at=artifact.at(index),
                host=machines.at(index),
                address=server["address"],
                port=_port(server["port"]),
                backends=tuple(backends),
            )
        )
    return reading


def _port(text: str) -> str:
    return str(port_number(text) or text)


READER = Reader(kind="ipvs", anchor=_ANCHOR, read=_read)
