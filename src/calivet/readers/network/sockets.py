"""Sockets as ss, netstat and lsof list them: all that listen, and connections on the ports of Calico and Kubernetes."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import Socket
from calivet.readers.command import asked
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
# Asked for one state alone, ss does not repeat it in every row.
_SS_OF_ONE_STATE = expression(
    rf"^\s*(?:(?P<protocol>tcp)\s+)?\d+\s+\d+\s+{_ENDS}(?:.*?users:\(\(\"(?P<process>[^\"]+)\")?"
)
_ONE_STATE = expression(r"\bss\s[^|;]*?\bstate\s+(?P<state>[a-z][\w-]+)(?![^|;]*\bstate\s)")
_ANCHOR = expression(
    rf"^\s*(?:(?:(?:tcp|udp)\s+)?(?:{_STATES})\s+\d+\s+\d+\s|(?:tcp|udp)6?\s+\d+\s+\d+\s|\S+\s+\d+\s.*IPv[46]\s)"
    r"|\bss .*state (?:syn-|established|listening|time-wait|close-wait|fin-wait|last-ack)"
)

# One word for a state, whatever the tool.
_SAME = {
    "ESTAB": "ESTABLISHED",
    "SYN-SENT": "SYN_SENT",
    "SYN-RECV": "SYN_RECV",
    "UNCONN": "LISTEN",
    "LISTENING": "LISTEN",
}
_WATCHED = frozenset({179, 443, 2379, 4789, 5473, 6443, 9098, 9099, 10250})


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    wanted = asked(artifact, _ONE_STATE)
    # Rows that lack their state have no word to be known by.
    for index in range(len(artifact.lines)) if wanted else anchors:
        line = artifact.lines[index]
        bare = _SS_OF_ONE_STATE.match(line) if wanted else None
        found = bare or _SS.match(line) or _NETSTAT.match(line) or _LSOF.match(line)
        if not found:
            continue
        reading.claim(index, index + 1)
        state = wanted["state"].upper() if wanted and bare else found["state"]
        socket = _socket(artifact, index, found, state, machines.at(index))
        if socket:
            reading.facts.append(socket)
    return reading


def _socket(artifact: Artifact, index: int, found: re.Match[str], told: str | None, host: str | None) -> Socket | None:
    port, remote_port = port_number(found["port"]), port_number(found["remote_port"] or "*")
    protocol = (found["protocol"] or "tcp").lower().rstrip("6")
    state = told or ("LISTEN" if protocol == "udp" else None)
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
