"""Signs in Typha's Deployment and Service, and in who tries to reach it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.host import Socket
from calivet.facts.kubernetes import Row
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_TYPHA = "calico-typha"
_PORT = 5473
_TRIES = expression(r'Connecting to Typha\b(?:.*?\baddr(?:ess)?="(?P<address>[^"]+)")?', re.IGNORECASE)
_COMES_TO_AN_END = expression(
    r"(?<!re)connected to Typha|Server hello message|(?:fail\w*|error) (?:to connect|connecting) to Typha"
    r"|Typha\b.*\berror=|status.{0,20}in-sync|datastore now in sync",
    re.IGNORECASE,
)
_LAST_WORDS = 60
# Such a filter may have taken away what came of it.
_CUT = expression(r"\|\s*head\b|\bgrep\b.*connecting", re.IGNORECASE)


def typha_wanted_nowhere(picture: Picture) -> Iterator[Sighting]:
    """The Deployment asks for no Typha at all."""
    for row in _rows(picture, "deployment"):
        if row.cells.get("READY") == "0/0" or row.cells.get("DESIRED") == "0":
            yield Sighting(line=row.at)


def typha_without_endpoint(picture: Picture) -> Iterator[Sighting]:
    """The Service has nobody behind it."""
    for row in _rows(picture, "endpoints"):
        if row.cells.get("ENDPOINTS") in ("", "<none>"):
            yield Sighting(line=row.at)


def typha_port_closed(picture: Picture) -> Iterator[Sighting]:
    """A test from a node did not reach Typha's port, and none of that node reached another Typha."""
    tests = [reach for reach in picture.all(Reach) if reach.port == _PORT and not reach.pod]
    connected = {reach.host for reach in tests if reach.outcome == "ok"}
    for reach in tests:
        if reach.outcome != "ok" and reach.host not in connected:
            node = picture.names.node(reach.host) or reach.host
            yield Sighting(line=reach.at, node=node, values={"target": reach.target, "outcome": reach.outcome})


def typha_does_not_answer(picture: Picture) -> Iterator[Sighting]:
    """A connection to Typha's port was asked for, and nothing came back so far."""
    for socket in picture.all(Socket):
        if socket.state == "SYN_SENT" and (socket.peer or "").endswith(f":{_PORT}"):
            node = picture.names.node(socket.host) or socket.host
            yield Sighting(line=socket.at, node=node, values={"peer": socket.peer or ""})


def typha_connection_unfinished(picture: Picture) -> Iterator[Sighting]:
    """The last that a log says of Typha is that it is being connected to: that takes milliseconds where it works."""
    for artifact in picture.artifacts:
        if artifact.prose or _CUT.search(artifact.command or ""):
            continue
        begun: Sighting | None = None
        for index in range(max(0, len(artifact.lines) - _LAST_WORDS), len(artifact.lines)):
            text = artifact.lines[index]
            if found := _TRIES.search(text):
                values = {"address": found["address"] or f"port {_PORT}"}
                begun = Sighting(line=artifact.at(index), node=picture.names.node(artifact.host), values=values)
            elif begun and _COMES_TO_AN_END.search(text):
                begun = None
        if begun:
            yield begun


def _rows(picture: Picture, resource: str) -> Iterator[Row]:
    return (row for row in picture.all(Row) if row.resource == resource and row.name == _TYPHA)


SIGNS = {
    "typha-wanted-nowhere": typha_wanted_nowhere,
    "typha-without-endpoint": typha_without_endpoint,
    "typha-port-closed": typha_port_closed,
    "typha-syn-unanswered": typha_does_not_answer,
    "typha-connection-unfinished": typha_connection_unfinished,
}
