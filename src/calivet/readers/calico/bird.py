"""BIRD, Calico's BGP daemon: `birdcl show protocols`, and what it complains of in its log."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import BgpComplaint, BgpPeer, BirdAnswer, BirdDown, UnknownCaller, WaitedPeer
from calivet.facts.vocabulary.commands import ASKS_BIRD
from calivet.facts.vocabulary.messages import find_unreached_peers
from calivet.readers.command import Machines, list_output_lines, look_inside
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

# `birdcl show protocols [all]`: BGP sessions straight from BIRD.
#
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


def _read_protocols(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    pod = look_inside(artifact).pod
    for index in anchors:
        stop = index + 1
        if row := _ROW.match(artifact.lines[index]):
            details, stop = _read_details(artifact.lines, stop)
            if peer := _build_peer(artifact, index, row, details, _Asked(machines.at(index), pod)):
                reading.facts.append(peer)
            else:
                reading.unread.add(index)
        elif refused := _NO_SOCKET.match(artifact.lines[index]):
            what = "bird6" if "bird6" in (refused["path"] or "") else "bird"
            reading.facts.append(BirdDown(at=artifact.at(index), host=machines.at(index), what=what))
        reading.claim(index, stop)
    return reading


def _read_details(lines: list[str], start: int) -> tuple[dict[str, str], int]:
    """What `show protocols all` puts, indented, under a row."""
    found: dict[str, str] = {}
    stop = start
    while stop < len(lines) and (lines[stop][:1].isspace() or not lines[stop].strip()) and not _ROW.match(lines[stop]):
        if detail := _DETAIL.match(lines[stop]):
            found[detail["key"]] = detail["value"]
        stop += 1
    return found, stop


def _build_peer(
    artifact: Artifact, index: int, row: re.Match[str], details: dict[str, str], asked: _Asked
) -> BgpPeer | None:
    kind, _, rest = row["name"].partition("_")
    address = details.get("Neighbor address") or _parse_peer_name(rest)
    if not address:
        return None
    return BgpPeer(
        at=artifact.at(index),
        host=asked.host,
        address=address.split("%")[0],
        state=row["state"],
        info=_format_info(row["info"], details),
        type=_TYPES.get(kind),
        since=row["since"],
        pod=asked.pod,
    )


def _format_info(shown: str, details: dict[str, str]) -> str | None:
    """The state, then the last error, as the INFO column of calicoctl has them."""
    words = " ".join(shown.split()) or details.get("BGP state", "")
    error = details.get("Last error", "")
    return (words if error in words else f"{words} {error}").strip() or None


def _parse_peer_name(name: str) -> str | None:
    """10_0_0_6 and fd00__6: Calico puts the peer's address into the protocol's name."""
    if found := _IPV4.match(name):
        return ".".join(found.groups())
    found = _IPV6.match(name)
    return found[1].replace("_", ":") if found and found[1].count("_") > 1 else None


PROTOCOLS_READER = Reader(kind="bird-protocols", anchor=_ANCHOR, read=_read_protocols)


# What came back, whoever asked: some tools wait and then end without a word, as if all were well.
_SAID_BY_BIRD = expression(rf"{_LEAD}(?:{_HEADER})|{_ROW.pattern}")
_GAVE_UP = "curl: (28)"


def _read_answers(artifact: Artifact, _: list[int]) -> Iterator[BirdAnswer]:
    output = [text for _, text in list_output_lines(artifact)]
    # How a probe's command ended stands apart from what it printed; who was refused is not told how BIRD is.
    if artifact.lines[0].startswith("#= "):
        return
    answered = any(_SAID_BY_BIRD.match(text) for text in output)
    if answered or all(text.startswith(_GAVE_UP) for text in output):
        yield BirdAnswer(at=artifact.at(0), host=artifact.host, command=artifact.command or "", answered=answered)


ANSWERS_READER = read_statements(_read_answers, command=ASKS_BIRD)


# BIRD's log names the peers of the mesh that it lost, and how.
_COMPLAINT = expression(
    r"Mesh_(?P<peer>\d+_\d+_\d+_\d+): .{0,200}?(?P<error>No route to host|Connection timed out|Hold timer expired)"
)
# BIRD repeats itself; the first stretch of a log says it as well as the whole.
_ENOUGH_COMPLAINTS = 5000


def _read_complaints(artifact: Artifact, anchors: list[int]) -> Iterator[BgpComplaint]:
    for index in anchors:
        if index < _ENOUGH_COMPLAINTS and (found := _COMPLAINT.search(artifact.lines[index])):
            peer = found["peer"].replace("_", ".")
            yield BgpComplaint(at=artifact.at(index), host=artifact.host, peer=peer, error=found["error"])


COMPLAINTS_READER = read_statements(
    _read_complaints,
    anchor=expression(r"Mesh_\d+_\d+_\d+_\d+: .*(?:No route to host|Connection timed out|Hold timer expired)"),
    notes=True,
)


_CALLER = expression(r"Unexpected connect from unknown address (?P<address>\d{1,3}(?:\.\d{1,3}){3})")


def _read_meetings(artifact: Artifact, anchors: list[int]) -> Iterator[UnknownCaller | WaitedPeer]:
    """Who calls without being known, and who is waited for in vain."""
    for index in anchors[:_ENOUGH_COMPLAINTS]:
        text = artifact.lines[index]
        if found := _CALLER.search(text):
            yield UnknownCaller(at=artifact.at(index), host=artifact.host, address=found["address"])
        for address in find_unreached_peers(text):
            yield WaitedPeer(at=artifact.at(index), host=artifact.host, address=address)


MEETINGS_READER = read_statements(
    _read_meetings,
    anchor=expression(r"Unexpected connect from unknown address \d|BGP not established with \d"),
    notes=True,
)
