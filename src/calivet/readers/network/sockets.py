"""Sockets as ss, netstat and lsof list them: all that listen, and connections on the ports of Calico and Kubernetes."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Socket
from calivet.readers.inside import Machines
from calivet.readers.network.service_names import port_number
from calivet.readers.reader import Reader, Reading

_STATES = "LISTEN|UNCONN|ESTAB|SYN-SENT|SYN-RECV|TIME-WAIT|CLOSE-WAIT|FIN-WAIT-1|FIN-WAIT-2|LAST-ACK|CLOSING|UNKNOWN"
_ENDS = r"(?P<local>\S+):(?P<port>[\w-]+|\*)\s+(?P<remote>\S+):(?P<remote_port>[\w-]+|\*)"
_SS = expression(
    rf"^\s*(?:(?P<protocol>tcp|udp)\s+)?(?P<state>{_STATES})\s+\d+\s+\d+\s+{_ENDS}(?:.*?users:\(\(\"(?P<process>[^\"]+)\")?"
)
_NETSTAT = expression(
    rf"^\s*(?P<protocol>tcp6?|udp6?)\s+\d+\s+\d+\s+{_ENDS}\s*(?P<state>[A-Z_0-9]+)?\s*(?:\d+/(?P<process>[^\s:]+)|-)?"
)
_LSOF = expression(
    r"^\s*(?P<process>\S+)\s+\d+\s+(?:\d+\s+)?\S+\s+\d+\w\s+IPv[46]\s+\S+\s+\S+\s+(?P<protocol>TCP|UDP)\s+(?P<local>\S+?):(?P<port>\w[\w-]*?|\*)(?=->|\s|$)"
    r"(?:->(?P<remote>\S+):(?P<remote_port>[\w-]+))?(?:\s+\((?P<state>\w+)\))?"
)
_ANCHOR = expression(
    rf"^\s*(?:(?:(?:tcp|udp)\s+)?(?:{_STATES})\s+\d+\s+\d+\s|(?:tcp|udp)6?\s+\d+\s+\d+\s|\S+\s+\d+\s.*IPv[46]\s)"
)

# One word for a state, whatever the tool.
_SAME = {"ESTAB": "ESTABLISHED", "SYN-SENT": "SYN_SENT", "SYN-RECV": "SYN_RECV", "UNCONN": "LISTEN"}
_WATCHED = frozenset({179, 443, 2379, 4789, 5473, 6443, 9098, 9099, 10250})


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    for index in anchors:
        line = artifact.lines[index]
        found = _SS.match(line) or _NETSTAT.match(line) or _LSOF.match(line)
        if not found:
            continue
        reading.claim(index, index + 1)
        socket = _socket(artifact, index, found, machines.at(index))
        if socket:
            reading.facts.append(socket)
    return reading


def _socket(artifact: Artifact, index: int, found: re.Match[str], host: str | None) -> Socket | None:
    port, remote_port = port_number(found["port"]), port_number(found["remote_port"] or "*")
    protocol = (found["protocol"] or "tcp").lower().rstrip("6")
    state = found["state"] or ("LISTEN" if protocol == "udp" else None)
    state = _SAME.get(state, state) if state else None
    if port is None or (state != "LISTEN" and not {port, remote_port} & _WATCHED):
        return None
    return Socket(
        at=artifact.at(index),
        host=host,
        protocol=protocol,
        address=_bare(found["local"]),
        port=port,
        state=state,
        peer=f"{_bare(found['remote'])}:{remote_port}" if remote_port else None,
        process=found["process"],
    )


def _bare(address: str) -> str:
    """Without brackets and interface; the address of all interfaces has one form."""
    address = address.strip("[]").split("%")[0]
    return {"*": "0.0.0.0", "": "0.0.0.0"}.get(address, address)


READER = Reader(kind="sockets", anchor=_ANCHOR, read=_read)
