"""Signs in Typha's Deployment and Service."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.kubernetes import Row
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_TYPHA = "calico-typha"


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


def _rows(picture: Picture, resource: str) -> Iterator[Row]:
    return (row for row in picture.all(Row) if row.resource == resource and row.name == _TYPHA)


SIGNS = {"typha-wanted-nowhere": typha_wanted_nowhere, "typha-without-endpoint": typha_without_endpoint}
