"""What could be reached from where: ping, nc, telnet, /dev/tcp, curl and wget."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.command import output_start
from calivet.readers.inside import inside
from calivet.readers.network import reach_http, reach_ping, reach_ports
from calivet.readers.network.reach_outcome import reaches
from calivet.readers.reader import Reader, Reading

# Some tests print next to nothing: there the command line itself calls the reader.
_COMMANDS = ".*curl |.*wget |.* nc -|.*/dev/(?:tcp|udp)/"
_TOOLS = expression(r"(?:\S*/)?(?:curl|wget|nc|ncat|telnet|ping6?)\s")
_ANCHOR = expression(rf"^(?:\s*(?:{reach_ping.ANCHOR}|{reach_ports.ANCHOR}|{reach_http.ANCHOR})|{_COMMANDS})")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    command = inside(artifact).command
    tries = [
        *reach_ping.pings(artifact.lines, anchors, command),
        *reach_ports.ports(artifact.lines, anchors, command),
        *reach_http.fetches(artifact.lines, anchors, command),
    ]
    reading.facts.extend(reaches(artifact, tries))
    if tries and _TOOLS.match(command):
        reading.claim(output_start(artifact), len(artifact.lines))
    reading.claimed.update(one.index for one in tries)
    return reading


READER = Reader(kind="reachability", anchor=_ANCHOR, read=_read)
