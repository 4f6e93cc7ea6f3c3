"""Sockets and connections of a machine (ss, netstat), and the services that ipvsadm lists."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.facts.host import Socket, VirtualServer
from calivet.readers.command import Machines, search_command
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_SERVICE_ENDS = r"(?P<address>\[[\da-fA-F:]+\]|[^\s:]+):(?P<port>[\w-]+)"
_SERVER = expression(rf"^\s*(?:TCP|UDP|SCTP)\s+{_SERVICE_ENDS}\s+(?:rr|wrr|lc|wlc|sh|dh|sed|nq|lblc|lblcr|mh|fo|ovf)\b")
_BACKEND = expression(rf"^\s*->\s+{_SERVICE_ENDS}\s+(?:Masq|Tunnel|Route|Local)\b")
_HEAD = expression(r"^\s*(?:IP Virtual Server version |Prot LocalAddress:Port |-> RemoteAddress:Port )")
_IPVS = expression(
    r"^\s*(?:(?:TCP|UDP|SCTP)\s+\S+:[\w-]+\s|->\s+\S+:|IP Virtual Server version |Prot LocalAddress:Port )"
)


def _read_ipvs(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    servers: list[tuple[int, re.Match[str], list[str]]] = []
    for index in anchors:
        line = artifact.lines[index]
        server, backend = _SERVER.match(line), _BACKEND.match(line)
        if server:
            servers.append((index, server, []))
        elif backend and servers:
            servers[-1][2].append(f"{backend['address']}:{_parse_port(backend['port'])}")
        elif not _HEAD.match(line):
            continue
        reading.claim(index, index + 1)
    for index, server, backends in servers:
        reading.facts.append(
            VirtualServer(
                at=artifact.at(index),
                host=machines.at(index),
                address=server["address"],
                port=_parse_port(server["port"]),
                backends=tuple(backends),
            )
        )
    return reading


def _parse_port(text: str) -> str:
    return str(parse_port(text) or text)


IPVS_READER = Reader(kind="ipvs", anchor=_IPVS, read=_read_ipvs)


# Ports that tools print as names; a machine's own list of them would make results differ.
_PORTS = {
    "bgp": 179,
    "domain": 53,
    "http": 80,
    "http-alt": 8080,
    "https": 443,
    "hostmon": 5355,
    "jetdirect": 9100,
    "pcsync-https": 8443,
    "postgresql": 5432,
    "ssh": 22,
    "sun-sr-https": 6443,
    "vxlan": 4789,
    "webcache": 8080,
    "apani1": 9160,
    "etcd-client": 2379,
    "etcd-server": 2380,
}


def parse_port(text: str) -> int | None:
    """The port, written as a number or as a known name."""
    if text.isdecimal() and text.isascii() and len(text) <= 5:
        return int(text)
    return _PORTS.get(text)


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
    wanted = search_command(artifact, _ONE_STATE)
    # Rows that lack their state have no word to be known by.
    for index in range(len(artifact.lines)) if wanted else anchors:
        line = artifact.lines[index]
        bare = _SS_OF_ONE_STATE.match(line) if wanted else None
        found = bare or _SS.match(line) or _NETSTAT.match(line) or _LSOF.match(line)
        if not found:
            continue
        reading.claim(index, index + 1)
        state = wanted["state"].upper() if wanted and bare else found["state"]
        socket = _build_socket(artifact, index, found, state, machines.at(index))
        if socket:
            reading.facts.append(socket)
    return reading


def _build_socket(
    artifact: Artifact, index: int, found: re.Match[str], told: str | None, host: str | None
) -> Socket | None:
    port, remote_port = parse_port(found["port"]), parse_port(found["remote_port"] or "*")
    protocol = (found["protocol"] or "tcp").lower().rstrip("6")
    state = told or ("LISTEN" if protocol == "udp" else None)
    state = _SAME.get(state, state) if state else None
    if port is None or (state != "LISTEN" and not {port, remote_port} & _WATCHED):
        return None
    return Socket(
        at=artifact.at(index),
        host=host,
        protocol=protocol,
        address=_strip_address(found["local"]),
        port=port,
        state=state,
        peer=f"{_strip_address(found['remote'])}:{remote_port}" if remote_port else None,
        process=found["process"],
    )


def _strip_address(address: str) -> str:
    """Without brackets and interface; the address of all interfaces has one form."""
    address = address.strip("[]").split("%")[0]
    return {"*": "0.0.0.0", "": "0.0.0.0"}.get(address, address)


READER = Reader(kind="sockets", anchor=_ANCHOR, read=_read)
