"""Signs in the address at which clients look for the API server: a balancer's or a virtual one that nobody holds."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.fact import Reach
from calivet.facts.host import Neighbour
from calivet.facts.picture import Picture, once
from calivet.signs.computed.api_reach import API_PORTS, is_service_address
from calivet.signs.sighting import Sighting

_DIALLED = expression(
    r"dial tcp \[?(?P<address>[0-9a-fA-F.]+|[0-9a-fA-F:]+)\]?:(?P<port>\d+): "
    r"(?:connect: |getsockopt: )?(?:no route to host|i/o timeout|host is down|connection (?:refused|timed out))"
)
_ASKED = expression(r"/apis?/|/readyz|/healthz|Unable to connect to the server")
_NO_START = expression(
    r"(?:Hit error connecting to|Unable to connect to|Failed to connect to|Cannot reach) (?:the )?datastore"
)
_UNRESOLVED = ("FAILED", "INCOMPLETE")
_HOST_UNREACHABLE = "Host Unreachable"
_ANSWERS = ("ok", "reset")
# What cannot be dialled is complained of again and again: the first stretch of a log says it as well as the whole.
_ENOUGH = 5000


def unheld(picture: Picture) -> Iterator[Sighting]:
    """No machine answers to the API server's address, while others on the same network do."""
    for at, address, host in _unheld(picture):
        yield Sighting(line=at, node=picture.names.node(host) or host, values={"address": address})


def answers_elsewhere(picture: Picture) -> Iterator[Sighting]:
    """The API server answers at another address than the one that clients use in vain."""
    for reach in _tests(picture):
        dialled = _dialled(picture) if reach.outcome in _ANSWERS else {}
        if dialled and reach.target not in dialled:
            vain = next(iter(dialled))
            values = {"target": f"{reach.target}:{reach.port}", "address": vain}
            yield Sighting(line=reach.at, node=picture.names.node(reach.host) or reach.host, values=values)


def answers_where_asked(picture: Picture) -> Iterator[Sighting]:
    """A test from a host reached the API server, and no other address is what clients fail at."""
    failed = {reach.target for reach in _tests(picture) if reach.outcome not in _ANSWERS}
    lost = {address for _, address, _ in _unheld(picture)} | {one for one in failed if one in _dialled(picture)}
    for reach in _tests(picture):
        if reach.outcome in _ANSWERS and not lost - {reach.target}:
            values = {"target": reach.target, "port": str(reach.port)}
            yield Sighting(line=reach.at, node=picture.names.node(reach.host) or reach.host, values=values)


def start_without_datastore(picture: Picture) -> Iterator[Sighting]:
    """calico-node's start still waits for its datastore, so there is nobody yet whom a probe could ask."""
    for span in picture.all(LogSpan):
        if span.program == "startup" and _NO_START.search(span.last_message):
            yield Sighting(line=span.at, node=span.host or picture.node_of_pod(span.pod))


@once
def _unheld(picture: Picture) -> list[tuple[Line, str, str | None]]:
    """Where the neighbour table or a ping says so; if it says so of everybody, the asking machine is cut off itself."""
    table = picture.all(Neighbour)
    resolved = {(entry.host, entry.device) for entry in table if entry.hardware}
    found = [
        (entry.at, entry.address, entry.host)
        for entry in table
        if entry.state in _UNRESOLVED and not entry.hardware and (entry.host, entry.device) in resolved
    ]
    alive = {host for host, _ in resolved} | {test.host for test in picture.all(Reach) if test.outcome == "ok"}
    for reach in picture.all(Reach):
        lost = reach.protocol == "icmp" and _HOST_UNREACHABLE in (reach.detail or "") and not reach.pod
        if lost and reach.host in alive:
            found.append((reach.at, reach.target, reach.host))
    # An address of a node that is gone is a matter of that node.
    return [one for one in found if one[1] in _dialled(picture) and not picture.names.node(one[1])]


@once
def _dialled(picture: Picture) -> dict[str, None]:
    """Addresses of API servers, other than the service's, that some client failed to reach."""
    found: dict[str, None] = {}
    for artifact in picture.artifacts:
        for text in artifact.lines[:_ENOUGH] if not artifact.prose else ():
            if "dial tcp" in text and (dial := _DIALLED.search(text)):
                port = int(dial["port"])
                asked = port in API_PORTS or _ASKED.search(text)
                if asked and not is_service_address(dial["address"], port, picture):
                    found[dial["address"]] = None
    return found


def _tests(picture: Picture) -> Iterator[Reach]:
    for reach in picture.all(Reach):
        if reach.port in API_PORTS and not reach.pod and reach.protocol != "icmp":
            yield reach


SIGNS = {
    "api-address-unheld": unheld,
    "api-answers-elsewhere": answers_elsewhere,
    "api-answers-where-asked": answers_where_asked,
    "start-without-datastore": start_without_datastore,
}
