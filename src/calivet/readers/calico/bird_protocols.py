"""`birdcl show protocols [all]`: BGP sessions straight from BIRD."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer, BirdDown
from calivet.readers.inside import Machines, inside
from calivet.readers.reader import Reader, Reading

# The prompt of an interactive birdc, or the reply code where the socket was read raw.
_LEAD = r"^\s*(?:bird>\s*)?(?:\d{4}[- ])?"
_ROW = expression(
    _LEAD + r"(?P<name>[A-Za-z]\w*)\s+BGP\s+\S+\s+(?P<state>up|start|down|stop|feed|wait|flush)\b\s*"
    r"(?P<since>\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\s*(?P<info>.*)$"
)
# Who may not ask learns nothing.
_NO_SOCKET = expression(
    _LEAD + r"Unable to connect to server control socket(?!.*Permission denied)(?: \((?P<path>[^)]*)\))?"
)
_HEADER = r"[Nn]ame\s+[Pp]roto\s+[Tt]able\s|BIRD \S+ ready\."
_ANCHOR = expression(
    _LEAD
    + rf"(?:[A-Za-z]\w*\s+BGP\s+\S+\s+(?:up|start|down|stop|feed|wait|flush)\b|{_HEADER}|Unable to connect to server)"
)
_DETAIL = expression(r"^\s+(?P<key>Neighbor address|BGP state|Last error):\s+(?P<value>\S.*?)\s*$")

_TYPES = {"Mesh": "node-to-node mesh", "Node": "node specific", "Global": "global"}
_IPV4 = expression(r"(\d{1,3})_(\d{1,3})_(\d{1,3})_(\d{1,3})(?:_port_\d+)?$")
_IPV6 = expression(r"([0-9a-fA-F_]+?)(?:_port_\d+)?$")


class _Asked(Struct, frozen=True):
    """Who was asked for the list."""

    host: str | None
    pod: str | None


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    pod = inside(artifact).pod
    for index in anchors:
        stop = index + 1
        if row := _ROW.match(artifact.lines[index]):
            details, stop = _details(artifact.lines, stop)
            if peer := _peer(artifact, index, row, details, _Asked(machines.at(index), pod)):
                reading.facts.append(peer)
            else:
                reading.unread.add(index)
        elif refused := _NO_SOCKET.match(artifact.lines[index]):
            what = "bird6" if "bird6" in (refused["path"] or "") else "bird"
            reading.facts.append(BirdDown(at=artifact.at(index), host=machines.at(index), what=what))
        reading.claim(index, stop)
    return reading


def _details(lines: list[str], start: int) -> tuple[dict[str, str], int]:
    """What `show protocols all` puts, indented, under a row."""
    found: dict[str, str] = {}
    stop = start
    while stop < len(lines) and (lines[stop][:1].isspace() or not lines[stop].strip()) and not _ROW.match(lines[stop]):
        if detail := _DETAIL.match(lines[stop]):
            found[detail["key"]] = detail["value"]
        stop += 1
    return found, stop


def _peer(artifact: Artifact, index: int, row: re.Match[str], details: dict[str, str], asked: _Asked) -> BgpPeer | None:
    kind, _, rest = row["name"].partition("_")
    address = details.get("Neighbor address") or _address(rest)
    if not address:
        return None
    return BgpPeer(
        at=artifact.at(index),
        host=asked.host,
        address=address.split("%")[0],
        state=row["state"],
        info=_info(row["info"], details),
        type=_TYPES.get(kind),
        since=row["since"],
        pod=asked.pod,
    )


def _info(shown: str, details: dict[str, str]) -> str | None:
    """The state, then the last error, as the INFO column of calicoctl has them."""
    words = " ".join(shown.split()) or details.get("BGP state", "")
    error = details.get("Last error", "")
    return (words if error in words else f"{words} {error}").strip() or None


def _address(name: str) -> str | None:
    """10_0_0_6 and fd00__6: Calico puts the peer's address into the protocol's name."""
    if found := _IPV4.match(name):
        return ".".join(found.groups())
    found = _IPV6.match(name)
    return found[1].replace("_", ":") if found and found[1].count("_") > 1 else None


READER = Reader(kind="bird-protocols", anchor=_ANCHOR, read=_read)
