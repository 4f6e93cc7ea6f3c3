"""Signs in Typha's Deployment and Service."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Row
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_TYPHA = "calico-typha"
_PORT = 5473


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


def _rows(picture: Picture, resource: str) -> Iterator[Row]:
    return (row for row in picture.all(Row) if row.resource == resource and row.name == _TYPHA)


SIGNS = {
    "typha-wanted-nowhere": typha_wanted_nowhere,
    "typha-without-endpoint": typha_without_endpoint,
    "typha-port-closed": typha_port_closed,
}
